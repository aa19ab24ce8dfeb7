package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Side;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.FileRecords;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A record arrives byte for byte as it was")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FidelityIT {

    /** How a record gets from the source to Hermes. */
    enum Way {
        /** The route that is built from the record: whole batches. */
        BUILT,
        /** The user's route, one message an exchange. */
        OWN,
        /** The user's route into a {@code hermes:} producer, which places by key. */
        HERMES;

        String topic(String name) {
            return "fidelity-" + name + "-" + name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    private static final int PARTITIONS = 3;
    private static final Map<String, String> UNLIMITED = Map.of("retention.ms", "-1");
    private static final List<String> TOPICS =
            List.of("main", "second", "unlimited", "appended", "fewer", "large", "codec");

    private final Sandbox sandbox = Sandbox.shared();
    private KafkaProducer<byte[], byte[]> producer;
    private Replicator replicator;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, "fidelity");
        StringBuilder routes = new StringBuilder();
        for (Way way : Way.values()) {
            for (String name : TOPICS) {
                String topic = way.topic(name);
                createTopics(name, topic);
                if (way == Way.BUILT) {
                    settings.replicate(topic);
                } else {
                    settings.replicate(topic, "route: none");
                    String to = (way == Way.OWN ? "replication:" : "hermes:") + topic;
                    routes.append(route(topic, to));
                }
            }
        }
        settings.set("camel.component.hermes.compressionType", "lz4");
        settings.routes(routes.toString());
        producer =
                new KafkaProducer<>(
                        Map.of(
                                "bootstrap.servers",
                                sandbox.internalBootstrap(Side.LOCAL),
                                "max.request.size",
                                4_000_000),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
        replicator = Replicator.start(settings, folder);
    }

    private void createTopics(String name, String topic) {
        Map<String, String> ofSource =
                switch (name) {
                    case "codec" -> Map.of("compression.type", "zstd");
                    case "second" -> Map.of("compression.type", "snappy");
                    default -> UNLIMITED;
                };
        sandbox.topics().create(Side.LOCAL, topic, PARTITIONS, ofSource);
        Map<String, String> ofDestination =
                switch (name) {
                    case "unlimited" -> UNLIMITED;
                    case "appended" -> Map.of("message.timestamp.type", "LogAppendTime");
                    default -> Map.of();
                };
        int partitions = name.equals("fewer") ? PARTITIONS - 1 : PARTITIONS;
        sandbox.topics().create(sandbox.topicName(topic), partitions, ofDestination);
    }

    private static String route(String topic, String to) {
        return "- route:\n    id: "
                + topic
                + "\n    from:\n      uri: replication:"
                + topic
                + "\n      steps:\n        - to: "
                + to
                + "\n";
    }

    @AfterAll
    void stop() {
        if (replicator != null) {
            replicator.close();
        }
        if (producer != null) {
            producer.close();
        }
    }

    // ---- tests

    @ParameterizedTest
    @EnumSource
    @Tag("case-F1")
    @Tag("case-F2")
    @Tag("case-F10")
    @DisplayName("F1, F2, F10: null, empty and binary keys and values stay what they are")
    void keysAndValues(Way way) {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        byte[] longKey = new byte[10_000];
        Arrays.fill(longKey, (byte) 'k');
        List<byte[]> parts =
                Arrays.asList(
                        null, new byte[0], new byte[] {0, (byte) 0xFF}, longKey, all, utf8(" "));
        String topic = way.topic("main");
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (byte[] key : parts) {
            for (byte[] value : parts) {
                records.add(record(topic, records.size() % PARTITIONS, key, value, List.of()));
            }
        }
        assertArrive(way, topic, records);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("case-F4")
    @Tag("case-F5")
    @Tag("case-F7")
    @DisplayName(
            "F4, F5, F7: headers keep count, order, repeats, null values and any name, on two topics")
    void headers(Way way) {
        List<Header> many = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            many.add(new RecordHeader("h" + i % 150, utf8("v" + i)));
        }
        List<List<Header>> cases =
                List.of(
                        List.of(),
                        List.of(new RecordHeader("one", utf8("1"))),
                        many,
                        named("a", "1", "a", "2", "b", "3", "a", "4"),
                        List.of(
                                new RecordHeader("n", (byte[]) null),
                                new RecordHeader("n", new byte[0]),
                                new RecordHeader("n", new byte[] {(byte) 0xC3, 0x28})),
                        named(
                                "CamelFoo",
                                "1",
                                "kafka.trace",
                                "2",
                                "Trace-Id",
                                "3",
                                "trace-id",
                                "4"),
                        named("org.apache.camel.x", "1", "Überschrift", "2", "", "3", " ", "4"));
        for (String topic : List.of(way.topic("second"), way.topic("codec"))) {
            List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
            for (List<Header> headers : cases) {
                int partition = records.size() % PARTITIONS;
                records.add(record(topic, partition, utf8("k" + partition), utf8("v"), headers));
            }
            assertArrive(way, topic, records);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("case-F8")
    @DisplayName("F8: a record's headers never steer, whatever control header they are named after")
    void controlHeaders(Way way) {
        List<Header> evil =
                named(
                        "CamelKafkaOverrideTopic", "evil",
                        "kafka.OVERRIDE_TOPIC", "evil",
                        "CamelKafkaOverrideTimestamp", "1",
                        "CamelKafkaPartitionKey", "0",
                        "kafka.PARTITION_KEY", "0",
                        "CamelKafkaKey", "evil",
                        "CamelReplicationPartition", "0",
                        "CamelReplicationTopic", "evil",
                        "CamelReplicationKey", "evil",
                        "CamelReplicationTimestamp", "1",
                        "CamelHermesTopic", "evil",
                        "CamelHermesPartition", "0",
                        "camelhermeskey", "evil",
                        "CamelToEndpoint", "direct:evil",
                        "CamelSlipEndpoint", "direct:evil");
        String topic = way.topic("second");
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            records.add(record(topic, partition, utf8("k"), utf8("v"), evil));
        }
        assertArrive(way, topic, records);
        for (Side side : Side.values()) {
            assertThat(sandbox.topics().exists(side, "evil")).isFalse();
            assertThat(sandbox.topics().exists(side, sandbox.topicName("evil"))).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("case-F11")
    @Tag("case-F14")
    @DisplayName(
            "F11, F14: timestamps are copied; the topic's first one in seconds or microseconds is warned about, once")
    void timestamps(Way way) {
        String topic = way.topic("unlimited");
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (long timestamp :
                new long[] {
                    System.currentTimeMillis(),
                    1_000_000_000_000L,
                    1_700_000_000L,
                    1_700_000_000_000_000L
                }) {
            records.add(new ProducerRecord<>(topic, 0, timestamp, utf8("k"), utf8("v"), List.of()));
        }
        try (LogLines log = new LogLines()) {
            assertArrive(way, topic, records);
            assertThat(log.with("more than a year from now"))
                    .singleElement()
                    .asString()
                    .contains(sandbox.topicName(topic), "1000000000000");
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("case-F15")
    @DisplayName(
            "F15: a destination that stamps by itself gets everything; no figure turns negative")
    void appended(Way way) {
        String topic = way.topic("appended");
        long future = System.currentTimeMillis() + Duration.ofDays(2).toMillis();
        send(
                List.of(
                        new ProducerRecord<>(topic, 0, future, utf8("k"), utf8("1"), List.of()),
                        new ProducerRecord<>(topic, 0, 1L, utf8("k"), utf8("2"), List.of())));
        List<Stored> arrived = await(topic, 2);
        assertThat(arrived).extracting(Stored::text).containsExactly("1", "2");
        assertThat(arrived)
                .allSatisfy(
                        record ->
                                assertThat(record.timestamp())
                                        .isBetween(
                                                future - Duration.ofDays(3).toMillis(),
                                                future - Duration.ofDays(1).toMillis()));
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(replicator.status(topic).lag()).isZero());
    }

    @ParameterizedTest
    @EnumSource(names = {"BUILT", "OWN"})
    @DisplayName("where the numbers of partitions differ, the key decides, as a Kafka client would")
    void fewerPartitions(Way way) {
        String topic = way.topic("fewer");
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            records.add(record(topic, null, utf8("k" + i % 20), utf8("v" + i), List.of()));
        }
        send(records);
        List<Stored> arrived = await(topic, records.size());
        for (Stored record : arrived) {
            int expected =
                    org.apache.kafka.clients.producer.internals.BuiltInPartitioner.partitionForKey(
                            record.key(), PARTITIONS - 1);
            assertThat(record.partition()).as(record.keyText()).isEqualTo(expected);
        }
        for (int key = 0; key < 20; key++) {
            String text = "k" + key;
            assertThat(arrived.stream().filter(r -> text.equals(r.keyText())).map(Stored::text))
                    .containsExactly("v" + key, "v" + (key + 20), "v" + (key + 40));
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("case-F18")
    @DisplayName("F18: 1.5 MB of one letter and sizes around 1 MiB pass")
    void large(Way way) {
        String topic = way.topic("large");
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int size : new int[] {1_500_000, 1_048_575, 1_048_576, 1_048_577}) {
            byte[] value = new byte[size];
            Arrays.fill(value, (byte) 'a');
            records.add(record(topic, 0, utf8("k"), value, List.of()));
        }
        assertArrive(way, topic, records);
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd codec", "snappy second"})
    @Tag("case-F21")
    @DisplayName("F21: a source in zstd or snappy arrives in the codec that is set for Hermes")
    void codec(String codecAndTopic) throws IOException {
        String codec = codecAndTopic.split(" ")[0];
        String topic = Way.BUILT.topic(codecAndTopic.split(" ")[1]);
        int before = arrived(topic).size();
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            records.add(record(topic, 0, utf8("k"), utf8("text ".repeat(50) + i), List.of()));
        }
        send(records);
        await(topic, before + records.size());
        assertThat(codecs(topic)).contains(codec).doesNotContain("lz4");
        assertThat(codecs(sandbox.topicName(topic))).containsOnly("lz4");
    }

    // ---- sending and comparing

    private void assertArrive(Way way, String topic, List<ProducerRecord<byte[], byte[]>> records) {
        List<String> before = described(way, arrived(topic));
        send(records);
        List<Stored> source = sandbox.readBack().all(Side.LOCAL, topic);
        await(topic, before.size() + records.size());
        assertThat(described(way, arrived(topic)))
                .containsExactlyElementsOf(described(way, source));
    }

    private void send(List<ProducerRecord<byte[], byte[]>> records) {
        records.forEach(producer::send);
        producer.flush();
    }

    private List<Stored> arrived(String topic) {
        return sandbox.readBack().all(Side.A, sandbox.topicName(topic));
    }

    private List<Stored> await(String topic, int count) {
        try (Arrivals arrivals = new Arrivals(sandbox, Side.A, sandbox.topicName(topic))) {
            Awaitility.await(count + " records in " + topic)
                    .atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(50))
                    .untilAsserted(
                            () ->
                                    assertThat(arrivals.count())
                                            .as("%s", replicator.status(topic))
                                            .isGreaterThanOrEqualTo(count));
        }
        return arrived(topic);
    }

    /** In the order of the log; where another partition is right, sorted by content. */
    private static List<String> described(Way way, List<Stored> records) {
        Stream<String> all =
                records.stream()
                        .map(r -> (way == Way.HERMES ? "" : r.partition() + " ") + described(r));
        return (way == Way.HERMES ? all.sorted() : all).toList();
    }

    private static String described(Stored record) {
        StringBuilder text = new StringBuilder();
        text.append(record.timestamp()).append(" key=").append(shown(record.key()));
        text.append(" value=").append(shown(record.value()));
        for (Header header : record.headers()) {
            text.append(' ').append(header.key()).append('=').append(shown(header.value()));
        }
        return text.toString();
    }

    private static String shown(byte[] bytes) {
        if (bytes == null) {
            return "null";
        }
        return bytes.length > 400
                ? bytes.length + " bytes #" + Arrays.hashCode(bytes)
                : "'" + HexFormat.of().formatHex(bytes) + "'";
    }

    /** Codecs of the batches in the log segments of the sandbox's brokers. */
    private List<String> codecs(String topic) throws IOException {
        List<String> codecs = new ArrayList<>();
        try (Stream<Path> files = Files.walk(sandbox.folder())) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".log"))
                            .filter(
                                    f ->
                                            f.getParent()
                                                    .getFileName()
                                                    .toString()
                                                    .equals(topic + "-0"))
                            .toList()) {
                try (FileRecords log = FileRecords.open(file.toFile(), false)) {
                    log.batches().forEach(batch -> codecs.add(batch.compressionType().name));
                }
            }
        }
        return codecs;
    }

    private static ProducerRecord<byte[], byte[]> record(
            String topic, Integer partition, byte[] key, byte[] value, List<Header> headers) {
        return new ProducerRecord<>(topic, partition, key, value, headers);
    }

    private static List<Header> named(String... namesAndValues) {
        List<Header> headers = new ArrayList<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(new RecordHeader(namesAndValues[i], utf8(namesAndValues[i + 1])));
        }
        return headers;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
