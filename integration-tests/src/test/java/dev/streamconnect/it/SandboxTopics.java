package dev.streamconnect.it;

import dev.streamconnect.it.Sandbox.Side;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;

/**
 * Topics of a sandbox. Names are full names ({@link Sandbox#topicName}). Calls return when it is
 * done.
 */
public final class SandboxTopics {

    private final Sandbox sandbox;

    SandboxTopics(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    /** On both sides. */
    public void create(String name, int partitions) {
        sandbox.control().post("/topics/create", Map.of("name", name, "partitions", partitions));
    }

    /** On both sides with settings of the topic. */
    public void create(String name, int partitions, Map<String, String> config) {
        sandbox.control()
                .post(
                        "/topics/create",
                        Map.of("name", name, "partitions", partitions, "config", text(config)));
    }

    /** On both sides with different numbers of partitions. */
    public void create(String name, int partitionsOfA, int partitionsOfB) {
        sandbox.control()
                .post(
                        "/topics/create",
                        Map.of(
                                "name",
                                name,
                                "partitionsA",
                                partitionsOfA,
                                "partitionsB",
                                partitionsOfB));
    }

    /** On one side or the local Kafka only. */
    public void create(Side side, String name, int partitions, Map<String, String> config) {
        sandbox.control()
                .post(
                        "/topics/create",
                        Map.of(
                                "name",
                                name,
                                "sides",
                                side,
                                "partitions",
                                partitions,
                                "config",
                                text(config)));
    }

    /** From both sides. */
    public void delete(String name) {
        sandbox.control().post("/topics/delete", Map.of("name", name));
    }

    public void delete(Side side, String name) {
        sandbox.control().post("/topics/delete", Map.of("name", name, "sides", side));
    }

    /** Raises the number of partitions to a total. */
    public void grow(Side side, String name, int partitions) {
        sandbox.control()
                .post(
                        "/topics/grow",
                        Map.of("name", name, "sides", side, "partitions", partitions));
    }

    /** Sets topic settings; an empty value takes one back to its default. */
    public void configure(Side side, String name, Map<String, String> config) {
        sandbox.control()
                .post(
                        "/topics/config",
                        Map.of("name", name, "sides", side, "config", text(config)));
    }

    /** Removes the records below an offset, as retention does. */
    public void deleteRecords(Side side, String name, int partition, long beforeOffset) {
        admin(
                side,
                admin ->
                        admin.deleteRecords(
                                        Map.of(
                                                new TopicPartition(name, partition),
                                                RecordsToDelete.beforeOffset(beforeOffset)))
                                .all());
    }

    /**
     * Sets a quota of a client.
     *
     * @param name such as {@code producer_byte_rate}
     * @param value null to end it
     */
    public void quota(Side side, String clientId, String name, Double value) {
        ClientQuotaEntity client =
                new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, clientId));
        ClientQuotaAlteration.Op op = new ClientQuotaAlteration.Op(name, value);
        admin(
                side,
                admin ->
                        admin.alterClientQuotas(
                                        List.of(new ClientQuotaAlteration(client, List.of(op))))
                                .all());
    }

    public boolean exists(Side side, String name) {
        return admin(side, admin -> admin.listTopics().names()).contains(name);
    }

    /** Records ever written, by partition. */
    public Map<TopicPartition, Long> ends(Side side, String name) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        for (int partition = 0; partition < partitions(side, name); partition++) {
            wanted.put(new TopicPartition(name, partition), OffsetSpec.latest());
        }
        Map<TopicPartition, Long> ends = new HashMap<>();
        admin(side, admin -> admin.listOffsets(wanted).all())
                .forEach((partition, end) -> ends.put(partition, end.offset()));
        return ends;
    }

    /** Offsets that a group has committed; none for partitions without. */
    public Map<TopicPartition, Long> committed(Side side, String group, String topic) {
        Map<TopicPartition, Long> committed = new HashMap<>();
        admin(side, admin -> admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                .forEach(
                        (partition, offset) -> {
                            if (partition.topic().equals(topic) && offset != null) {
                                committed.put(partition, offset.offset());
                            }
                        });
        return committed;
    }

    public int partitions(Side side, String name) {
        return admin(side, admin -> admin.describeTopics(List.of(name)).allTopicNames())
                .get(name)
                .partitions()
                .size();
    }

    /** Any question to the administration interface of a cluster, past gateway and ACLs. */
    public <T> T admin(Side side, Function<Admin, KafkaFuture<T>> question) {
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", sandbox.internalBootstrap(side)))) {
            return question.apply(admin).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String text(Map<String, String> config) {
        return config.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(";"));
    }
}
