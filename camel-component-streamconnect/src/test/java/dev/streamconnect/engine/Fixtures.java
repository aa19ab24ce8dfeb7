package dev.streamconnect.engine;

import dev.streamconnect.cluster.BrokerPing;
import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.record.StartFrom;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** What the engine's tests are made of. */
final class Fixtures {

    static final ConnectionSettings PLANT =
            new ConnectionSettings("plant", ClientRole.CUSTOMER, "localhost:1", "g", Map.of());
    static final ConnectionSettings HERMES =
            new ConnectionSettings(
                    "hermes", ClientRole.HERMES_PRODUCER, "localhost:2", null, Map.of());
    static final ConnectionSettings SIDE_A =
            new ConnectionSettings("hermes", ClientRole.HERMES_A, "localhost:3", "g", Map.of());
    static final ConnectionSettings SIDE_B =
            new ConnectionSettings("hermes", ClientRole.HERMES_B, "localhost:4", "g", Map.of());
    static final TopicPartition SOURCE = new TopicPartition("orders", 2);
    static final int SOURCE_PARTITIONS = 4;

    private Fixtures() {}

    /** A cluster that answers each ping. */
    static OutageGate openGate() {
        return new OutageGate(() -> BrokerPing.Answer.ANSWERED, Clock.systemUTC());
    }

    static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    static ConsumerRecord<byte[], byte[]> polled(long offset, byte[] key, byte[] value) {
        return new ConsumerRecord<>(
                SOURCE.topic(),
                SOURCE.partition(),
                offset,
                1_000L + offset,
                TimestampType.CREATE_TIME,
                key == null ? -1 : key.length,
                value == null ? -1 : value.length,
                key,
                value,
                new RecordHeaders(),
                Optional.empty());
    }

    /** A record whose value is its offset. */
    static ConsumerRecord<byte[], byte[]> polled(long offset) {
        return polled(offset, bytes("k" + offset % 3), bytes(Long.toString(offset)));
    }

    /** Records of these offsets, the last one not included. */
    static List<ConsumerRecord<byte[], byte[]>> polled(int from, int to) {
        return IntStream.range(from, to).mapToObj(Fixtures::polled).toList();
    }

    static OutgoingRecord outgoing(String key, String value) {
        return new OutgoingRecord(
                bytes(key), bytes(value), new RecordHeaders(), 1_000L, null, true);
    }

    /** Of one broker, with one partition a topic. */
    static Cluster cluster(String... topics) {
        Node node = new Node(0, "localhost", 1);
        Node[] nodes = {node};
        List<PartitionInfo> partitions =
                Stream.of(topics)
                        .map(topic -> new PartitionInfo(topic, 0, node, nodes, new Node[0]))
                        .toList();
        return new Cluster("a", List.of(node), partitions, Set.of(), Set.of());
    }

    static SizeLimit sizeLimit(int bytes) {
        return SizeLimit.own(bytes, ClientRole.HERMES_PRODUCER);
    }

    static LinkOptions options(boolean batch, int maxOpenDeliveries, int maxUncommitted) {
        return options(batch, maxOpenDeliveries, maxUncommitted, PositionPolicy.DEFAULT);
    }

    static LinkOptions options(
            boolean batch, int maxOpenDeliveries, int maxUncommitted, PositionPolicy positions) {
        return new LinkOptions(
                batch,
                maxOpenDeliveries,
                maxUncommitted,
                Duration.ofSeconds(1),
                LinkOptions.HERMES_MAX_MESSAGE_BYTES,
                StateTimes.DEFAULT,
                Duration.ofMinutes(10),
                Duration.ofMillis(250),
                Duration.ofSeconds(30),
                false,
                PairOptions.DEFAULT,
                positions,
                null);
    }

    static LinkDefinition link(String id, LinkOptions options) {
        return new LinkDefinition(
                id,
                List.of(PLANT),
                SOURCE.topic(),
                StartFrom.EARLIEST,
                HERMES,
                "snc.acme.orders",
                options);
    }
}
