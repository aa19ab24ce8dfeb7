package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.Sandbox.Side;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.common.KafkaFuture;
import org.awaitility.Awaitility;

/** A consumer group as its cluster sees it, past gateway and ACLs. */
record Group(Sandbox sandbox, Side side, String id) {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Member ids with the partitions that each reads, by member id. */
    Map<String, List<String>> members() {
        Map<String, List<String>> members = new TreeMap<>();
        sandbox.topics()
                .admin(
                        side,
                        admin ->
                                admin.describeConsumerGroups(List.of(id)).describedGroups().get(id))
                .members()
                .forEach(
                        member ->
                                members.put(
                                        member.consumerId(),
                                        member.assignment().topicPartitions().stream()
                                                .map(Object::toString)
                                                .sorted()
                                                .toList()));
        return members;
    }

    /** Committed offset of each partition of a topic; a partition without one is left out. */
    Map<Integer, Long> committed(String topic) {
        Map<Integer, Long> offsets = new TreeMap<>();
        sandbox.topics()
                .admin(side, admin -> offsets(admin))
                .forEach(
                        (partition, offset) -> {
                            if (partition.topic().equals(topic) && offset != null) {
                                offsets.put(partition.partition(), offset.offset());
                            }
                        });
        return offsets;
    }

    private KafkaFuture<
                    Map<
                            org.apache.kafka.common.TopicPartition,
                            org.apache.kafka.clients.consumer.OffsetAndMetadata>>
            offsets(org.apache.kafka.clients.admin.Admin admin) {
        return admin.listConsumerGroupOffsets(id, new ListConsumerGroupOffsetsOptions())
                .partitionsToOffsetAndMetadata();
    }

    /** Sum of the committed offsets of a topic. */
    long committedTotal(String topic) {
        return committed(topic).values().stream().mapToLong(Long::longValue).sum();
    }

    /** Waits until the committed offsets of a topic are its ends. */
    void awaitCaughtUp(String topic, Duration limit) {
        Awaitility.await("side " + side + " of " + topic + " is read to its end")
                .atMost(limit)
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(
                        () ->
                                assertThat(sandbox.topics().committed(side, id, topic))
                                        .isEqualTo(sandbox.topics().ends(side, topic)));
    }

    /** Waits until the committed offsets of a topic add up to this. */
    void awaitCommitted(String topic, long total) {
        Awaitility.await("committed of " + topic)
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(committedTotal(topic)).isEqualTo(total));
    }
}
