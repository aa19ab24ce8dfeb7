package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/from-mid-server.md says; a plain consumer stands for the other replicator. */
@DisplayName("Taking over the positions of another replicator by its group id")
class TakeOverIT {

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int COUNT = 100;
    private static final int DONE = 60;

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    @Test
    @DisplayName(
            "says that the other is still there, and goes on behind it when it has left: nothing twice, nothing left out")
    void takesOver() throws Exception {
        String topic = "take-over";
        String full = sandbox.topicName(topic);
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
        sandbox.topics().create(full, 1);
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, topic).replicate(topic);
        try (LocalRecords records = new LocalRecords(sandbox, topic)) {
            records.series(0, 0, COUNT);
            KafkaConsumer<String, String> other = other(topic, settings.groupId());
            try (Replicator replicator = Replicator.start(settings, folder)) {
                Awaitility.await("told")
                        .atMost(LIMIT)
                        .until(() -> replicator.status(topic).state() == LinkState.STALLED);
                LinkStatus refused = replicator.status(topic);
                assertThat(refused.reason()).contains("group", "protocol");
                other.close();
                replicator.awaitState(topic, LinkState.RUNNING, LIMIT);
                replicator.awaitMessages(topic, COUNT - DONE, LIMIT);
            } finally {
                other.close();
            }
        }
        assertThat(sandbox.readBack().both(full))
                .extracting(Stored::text)
                .isEqualTo(IntStream.range(DONE, COUNT).mapToObj(String::valueOf).toList());
        new Group(sandbox, Side.LOCAL, settings.groupId()).awaitCommitted(topic, COUNT);
    }

    /** A member of the group with an assignor of old, which has replicated some. */
    private KafkaConsumer<String, String> other(String topic, String group) {
        KafkaConsumer<String, String> other =
                new PlainClients(sandbox)
                        .consumer(
                                Role.local,
                                group,
                                Map.of(
                                        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                                        List.of(RangeAssignor.class)));
        TopicPartition partition = new TopicPartition(topic, 0);
        other.subscribe(List.of(topic));
        Awaitility.await("assigned")
                .atMost(LIMIT)
                .until(
                        () -> {
                            other.poll(Duration.ofMillis(200));
                            return other.assignment().contains(partition);
                        });
        other.commitSync(Map.of(partition, new OffsetAndMetadata(DONE)));
        return other;
    }
}
