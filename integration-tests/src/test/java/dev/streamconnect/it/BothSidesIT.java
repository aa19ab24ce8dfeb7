package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.apache.camel.builder.RouteBuilder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The two sides of Hermes: order, one side missing or blocked, positions, repeats")
class BothSidesIT {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    @AfterEach
    void heal() {
        sandbox.heal();
    }

    /** Numbers as values, all with one key, to one partition. */
    private void send(Side side, String topic, int partition, int first, int last) {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", sandbox.internalBootstrap(side)),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            for (int number = first; number <= last; number++) {
                long timestamp = System.currentTimeMillis() + number;
                producer.send(
                        new ProducerRecord<>(
                                sandbox.topicName(topic),
                                partition,
                                timestamp,
                                bytes("k"),
                                bytes(String.valueOf(number))));
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private List<Integer> delivered(String topic) {
        return sandbox.readBack().all(Side.LOCAL, topic).stream()
                .map(ReadBack.Stored::text)
                .map(Integer::valueOf)
                .toList();
    }

    private static List<Integer> numbers(int first, int last) {
        return IntStream.rangeClosed(first, last).boxed().toList();
    }

    private ConcurrentLinkedQueue<Integer> read(Replicator replicator, String uri)
            throws Exception {
        ConcurrentLinkedQueue<Integer> read = new ConcurrentLinkedQueue<>();
        replicator
                .main()
                .getCamelContext()
                .addRoutes(
                        new RouteBuilder() {
                            @Override
                            public void configure() {
                                from(uri)
                                        .process(
                                                e ->
                                                        read.add(
                                                                Integer.valueOf(
                                                                        e.getMessage()
                                                                                .getBody(
                                                                                        String
                                                                                                .class))));
                            }
                        });
        return read;
    }

    private static void awaitSize(java.util.Collection<Integer> read, int size) {
        Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(read).hasSize(size));
    }

    @Test
    @Tag("case-H2")
    @DisplayName(
            "30 messages of the old side unread, its ports blocked: drainFirst waits for them, as a"
                    + " topic replication and as hermes:; fast does not, and counts; a limit ends the wait")
    void order() throws Exception {
        String strict = "order-strict";
        String fast = "order-fast";
        for (String topic : List.of(strict, fast)) {
            sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
            sandbox.topics().create(sandbox.topicName(topic), 1);
            send(Side.A, topic, 0, 1, 20);
        }
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, "order")
                        .set("camel.component.hermes.drainLimit", "10m")
                        .replicateFrom(strict, "failoverOrder: drainFirst")
                        .replicateFrom(fast);
        try (Replicator replicator = Replicator.start(settings, folder)) {
            String hermes = "hermes:" + strict + "?failoverOrder=drainFirst&groupId=";
            var read = read(replicator, hermes + "order-read");
            var limited = read(replicator, hermes + "order-limited&drainLimit=1s");
            replicator.awaitMessages(strict, 20, LIMIT);
            replicator.awaitMessages(fast, 20, LIMIT);
            awaitSize(read, 20);
            awaitSize(limited, 20);

            // What is not committed would be read again after the outage.
            new Group(sandbox, Side.A, sandbox.topicName("order"))
                    .awaitCommitted(sandbox.topicName(fast), 20);
            for (String group : List.of("order", "order-read", "order-limited")) {
                new Group(sandbox, Side.A, sandbox.topicName(group))
                        .awaitCommitted(sandbox.topicName(strict), 20);
            }

            sandbox.down(Role.consumerA);
            Awaitility.await("the outage is seen")
                    .atMost(LIMIT)
                    .untilAsserted(
                            () ->
                                    assertThat(replicator.status(fast).reason())
                                            .startsWith("hermes side A")
                                            .contains("does not answer")
                                            .endsWith("the other side runs"));
            assertThat(replicator.status(fast).state()).isEqualTo(LinkState.DEGRADED);
            for (String topic : List.of(strict, fast)) {
                send(Side.A, topic, 0, 21, 50);
                send(Side.B, topic, 0, 51, 100);
            }
            replicator.awaitMessages(fast, 70, LIMIT);
            awaitSize(limited, 70);
            String limitedId = sandbox.topicName(strict) + "@" + sandbox.topicName("order-limited");
            assertThat(replicator.status(limitedId).drainLimitsHit()).isPositive();
            assertThat(replicator.status(strict).messages()).isEqualTo(20);
            assertThat(read).hasSize(20);

            sandbox.heal();
            replicator.awaitMessages(strict, 100, LIMIT);
            replicator.awaitMessages(fast, 100, LIMIT);
            awaitSize(read, 100);
            awaitSize(limited, 100);
            assertThat(delivered(strict)).isEqualTo(numbers(1, 100));
            assertThat(read).containsExactlyElementsOf(numbers(1, 100));
            LinkStatus ofStrict = replicator.status(strict);
            assertThat(ofStrict.reordered()).isZero();
            assertThat(ofStrict.drainLimitsHit()).isZero();
            assertThat(replicator.status(fast).reordered()).isEqualTo(30);
            assertThat(delivered(fast)).hasSize(100);
            assertThat(replicator.status(limitedId).reordered()).isEqualTo(30);
        }
    }

    @Test
    @DisplayName(
            "a topic on one side first, then on the other with more partitions: both run, nothing is"
                    + " skipped, each partition has a position, also over a restart with startFrom latest")
    void oneSideFirst() throws Exception {
        String topic = "one-side";
        String full = sandbox.topicName(topic);
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
        sandbox.topics().create(Side.A, full, 2, Map.of());
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, "one-side")
                        .replicateFrom(topic, "startFrom: latest", "failoverOrder: drainFirst");
        String groupId = sandbox.topicName("one-side");
        Group groupA = new Group(sandbox, Side.A, groupId);
        Group groupB = new Group(sandbox, Side.B, groupId);
        try (Replicator replicator = Replicator.start(settings, folder.resolve("first"))) {
            replicator.awaitState(topic, LinkState.DEGRADED, LIMIT);
            awaitPositions(groupA, full, Map.of(0, 0L, 1, 0L));
            assertThat(replicator.status(topic).reason())
                    .contains("side B", full, "the topic is not there")
                    .endsWith("the other side runs");
            send(Side.A, topic, 0, 1, 5);
            replicator.awaitMessages(topic, 5, LIMIT);
            sandbox.topics().create(Side.B, full, 3, Map.of());
            send(Side.B, topic, 2, 6, 10);
            replicator.awaitMessages(topic, 10, LIMIT);
            replicator.awaitState(topic, LinkState.RUNNING, LIMIT);
            awaitPositions(groupA, full, Map.of(0, 5L, 1, 0L));
            awaitPositions(groupB, full, Map.of(0, 0L, 1, 0L, 2, 5L));
        }
        send(Side.A, topic, 1, 11, 15);
        send(Side.B, topic, 1, 16, 20);
        try (Replicator replicator = Replicator.start(settings, folder.resolve("second"))) {
            replicator.awaitMessages(topic, 10, LIMIT);
        }
        assertThat(delivered(topic)).isEqualTo(numbers(1, 20));
    }

    private static void awaitPositions(Group group, String topic, Map<Integer, Long> positions) {
        Awaitility.await("positions on side " + group.side())
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(group.committed(topic)).isEqualTo(positions));
    }

    @Test
    @DisplayName("a message that landed on both sides arrives once where that is asked for")
    void repeats() throws Exception {
        String topic = "landed-twice";
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 1);
        long timestamp = System.currentTimeMillis();
        for (Side side : List.of(Side.A, Side.B)) {
            try (KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(
                            Map.of("bootstrap.servers", sandbox.internalBootstrap(side)),
                            new ByteArraySerializer(),
                            new ByteArraySerializer())) {
                for (int number : side == Side.A ? numbers(1, 10) : numbers(6, 15)) {
                    byte[] text = bytes(String.valueOf(number));
                    producer.send(
                            new ProducerRecord<>(
                                    sandbox.topicName(topic), 0, timestamp, text, text));
                }
            }
        }
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic).replicateFrom(topic, "deduplicate: drop");
        String groupId = sandbox.topicName(topic);
        try (Replicator replicator = Replicator.start(settings, folder)) {
            replicator.awaitMessages(topic, 15, LIMIT);
            for (Side side : List.of(Side.A, Side.B)) {
                awaitPositions(
                        new Group(sandbox, side, groupId),
                        sandbox.topicName(topic),
                        Map.of(0, 10L));
            }
            assertThat(replicator.status(topic).repeated()).isEqualTo(5);
        }
        assertThat(delivered(topic)).containsExactlyInAnyOrderElementsOf(numbers(1, 15));
    }
}
