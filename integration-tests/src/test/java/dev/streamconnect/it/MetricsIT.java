package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Side;
import dev.streamconnect.spi.MetricsRecord;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Metrics windows")
class MetricsIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int WINDOWS = 10;

    private final Sandbox sandbox = Sandbox.shared();
    private final KeptWindows windows = new KeptWindows();

    @TempDir Path folder;

    private Replicator start(ReplicatorSettings settings) throws Exception {
        settings.set("camel.component.replication.metricsInterval", "1000")
                .set("camel.component.replication.node", "it-node");
        return Replicator.start(settings, folder, Map.of("windows", windows));
    }

    private void topics(String topic, int partitions, Map<String, String> config) {
        sandbox.topics().create(Side.LOCAL, topic, partitions, config);
        sandbox.topics().create(sandbox.topicName(topic), partitions);
    }

    private long count(Side side, String topic) {
        return sandbox.topics().ends(side, topic).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static long bytes(List<Stored> stored) {
        long bytes = 0;
        for (Stored record : stored) {
            bytes += record.key() == null ? 0 : record.key().length;
            bytes += record.value() == null ? 0 : record.value().length;
            for (Header header : record.headers()) {
                bytes += header.key().getBytes(StandardCharsets.UTF_8).length;
                bytes += header.value() == null ? 0 : header.value().length;
            }
        }
        return bytes;
    }

    private void intoHermes(Side side, String topic, int count) {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", sandbox.internalBootstrap(side)),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                byte[] text = ("decision " + i).getBytes(StandardCharsets.UTF_8);
                producer.send(new ProducerRecord<>(topic, text, text));
            }
        }
    }

    @Test
    @Tag("case-R5")
    @DisplayName(
            "count exactly what the destinations have, in both directions, window by window, and the rest at the stop")
    void exactCounts() throws Exception {
        String to = "metrics-to";
        String from = "metrics-from";
        topics(to, 4, Map.of());
        topics(from, 2, Map.of());
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, "metrics").replicate(to).replicateFrom(from);
        Instant begin;
        Instant end;
        try (Traffic traffic = new Traffic(sandbox, to, 20);
                Replicator replicator = start(settings)) {
            begin = Instant.now();
            replicator.awaitMessages(to, 0, LIMIT);
            int decisions = 0;
            for (int round = 1; round <= WINDOWS; round++) {
                traffic.send(round * 37, 2_000);
                intoHermes(round % 2 == 0 ? Side.A : Side.B, sandbox.topicName(from), round * 11);
                decisions += round * 11;
                replicator.awaitMessages(to, traffic.total(), LIMIT);
                replicator.awaitMessages(from, decisions, LIMIT);
                windows.awaitNext(LIMIT, to, from);
                // Nothing is on its way now: the windows must add up to what is there.
                assertThat(windows.messages(to))
                        .as("round %s to", round)
                        .isEqualTo(traffic.total())
                        .isEqualTo(count(Side.A, sandbox.topicName(to)));
                assertThat(windows.messages(from))
                        .as("round %s from", round)
                        .isEqualTo(decisions)
                        .isEqualTo(count(Side.LOCAL, from));
            }
            assertThat(windows.of(to)).hasSizeGreaterThanOrEqualTo(WINDOWS);
            traffic.send(50, 1_000);
            replicator.awaitMessages(to, traffic.total(), LIMIT);
        }
        end = Instant.now();
        assertThat(windows.messages(to)).isEqualTo(count(Side.A, sandbox.topicName(to)));
        assertThat(windows.of(to).stream().mapToLong(MetricsRecord::byteCount).sum())
                .isEqualTo(bytes(sandbox.readBack().all(Side.A, sandbox.topicName(to))));
        assertThat(windows.of(from).stream().mapToLong(MetricsRecord::byteCount).sum())
                .isEqualTo(bytes(sandbox.readBack().all(Side.LOCAL, from)));
        for (String id : List.of(to, from)) {
            assertThat(windows.of(id))
                    .extracting(MetricsRecord::collectionTime)
                    .doesNotHaveDuplicates()
                    .isSorted()
                    .allMatch(time -> time.isAfter(begin.minusSeconds(1)) && time.isBefore(end));
            assertThat(windows.of(id))
                    .extracting(MetricsRecord::lagMessages)
                    .filteredOn(Objects::nonNull)
                    .allMatch(lag -> lag >= 0);
            assertThat(windows.of(id)).extracting(MetricsRecord::node).containsOnly("it-node");
            assertThat(windows.last(id).lagMessages()).isZero();
            assertThat(windows.last(id).oldestAgeMillis()).isZero();
        }
        assertThat(windows.last(to).direction()).isEqualTo("To ServiceNow");
        assertThat(windows.last(to).source()).isEqualTo(to);
        assertThat(windows.last(to).destination()).isEqualTo(sandbox.topicName(to));
        assertThat(windows.last(from).direction()).isEqualTo("From ServiceNow");
        assertThat(windows.last(from).source()).isEqualTo(sandbox.topicName(from));
        assertThat(windows.last(from).destination()).isEqualTo(from);
    }

    @Test
    @Tag("case-R5")
    @DisplayName("never have a negative lag, and 0 after a committed transaction")
    void transactions() throws Exception {
        String topic = "metrics-transactions";
        topics(topic, 1, Map.of());
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, topic).replicate(topic);
        try (LocalRecords records =
                        new LocalRecords(sandbox, topic, Map.of("transactional.id", topic));
                Replicator replicator = start(settings)) {
            records.producer().initTransactions();
            int committed = 0;
            for (int round = 0; round < 3; round++) {
                records.producer().beginTransaction();
                for (int i = 0; i < 20; i++) {
                    records.send(0, null, "k", new byte[10]);
                }
                if (round == 1) {
                    records.producer().abortTransaction();
                } else {
                    records.producer().commitTransaction();
                    committed += 20;
                }
                replicator.awaitMessages(topic, committed, LIMIT);
                awaitLag(topic, 0);
            }
        }
        assertThat(windows.messages(topic)).isEqualTo(40);
        assertThat(windows.of(topic))
                .extracting(MetricsRecord::lagMessages)
                .filteredOn(Objects::nonNull)
                .allMatch(lag -> lag >= 0)
                .endsWith(0L);
    }

    private void awaitLag(String id, long lag) {
        windows.awaitNext(LIMIT, id);
        Awaitility.await("lag of " + id)
                .atMost(LIMIT)
                .until(() -> Objects.equals(windows.last(id).lagMessages(), lag));
    }

    @Test
    @Tag("case-R10")
    @DisplayName(
            "tell what waits, how old it is and how long the source keeps it, also at the stop")
    void backlog() throws Exception {
        String topic = "metrics-backlog";
        topics(topic, 1, Map.of("retention.ms", "7200000"));
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic)
                        .set("camel.main.shutdownTimeout", "3")
                        .replicate(topic, "route: none")
                        .routes(Gate.route(topic, "gate"));
        settings.set("camel.component.replication.metricsInterval", "1000");
        Gate gate = new Gate(3);
        long hourAgo = System.currentTimeMillis() - 3_600_000;
        List<MetricsRecord> held = new ArrayList<>();
        try (LocalRecords records = new LocalRecords(sandbox, topic)) {
            records.series(0, 0, 3);
            records.put(0, hourAgo, "old", "3".getBytes(StandardCharsets.UTF_8));
            records.series(0, 4, 6);
            try (Replicator replicator =
                    Replicator.start(settings, folder, Map.of("windows", windows, "gate", gate))) {
                replicator.awaitMessages(topic, 3, LIMIT);
                awaitLag(topic, 7);
                held.add(windows.last(topic));
            }
        }
        held.add(windows.last(topic));
        gate.openFor(10);
        assertThat(windows.messages(topic)).isEqualTo(3);
        for (MetricsRecord window : held) {
            assertThat(window.lagMessages()).isEqualTo(7);
            assertThat(window.oldestAgeMillis())
                    .isBetween(3_600_000L, System.currentTimeMillis() - hourAgo);
            assertThat(window.hoursToLoss()).isBetween(0.8, 1.0);
        }
    }

    @Test
    @DisplayName("have the time that the source's broker asked to wait")
    void throttled() throws Exception {
        String topic = "metrics-throttled";
        topics(topic, 1, Map.of());
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, topic).replicate(topic);
        String client = topic + "-customer-it-node";
        // Over ten seconds, as the broker counts: 200 kB are 5 kB a second too many, some 3 s.
        quota(client, 15_000.0);
        try (LocalRecords records = new LocalRecords(sandbox, topic);
                Replicator replicator = start(settings)) {
            for (int i = 0; i < 20; i++) {
                records.put(0, null, "k" + i, new byte[10_000]);
            }
            replicator.awaitMessages(topic, 20, LIMIT);
            Awaitility.await("a throttled window")
                    .atMost(LIMIT)
                    .until(
                            () ->
                                    windows.of(topic).stream()
                                                    .mapToLong(MetricsRecord::throttleMillis)
                                                    .sum()
                                            > 0);
        } finally {
            quota(client, null);
        }
    }

    private void quota(String client, Double bytesPerSecond) {
        sandbox.topics().quota(Side.LOCAL, client, "consumer_byte_rate", bytesPerSecond);
    }
}
