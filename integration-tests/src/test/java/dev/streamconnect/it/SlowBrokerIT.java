package dev.streamconnect.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two brokers a side: partition 0 of a topic is at the first of A, partition 1 at the second. */
@Tag("fault")
@Tag("case-R8")
@DisplayName("Beside a topic replication whose broker connection is slow, with the same clients,")
class SlowBrokerIT {

    /** Odd, so that the median is a round. */
    private static final int ROUNDS = 3;

    private static final int PARTITIONS = 2;
    private static final int FAST = 0;
    private static final int SLOW = 1;
    private static final int MESSAGES = 150_000;

    /** Where the clock starts: what comes before is a rebalance and the first fetch. */
    private static final int FIRST = 20_000;

    private static final Duration DELAY = Duration.ofMillis(200);
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private static Sandbox sandbox;

    @TempDir Path folder;

    @BeforeAll
    static void open() {
        sandbox = Sandbox.start(SandboxOptions.defaults().brokersPerSide(2));
    }

    @AfterAll
    static void close() {
        sandbox.close();
    }

    @AfterEach
    void heal() {
        sandbox.heal();
    }

    @Test
    @DisplayName("one to ServiceNow keeps half of its rate")
    void toServiceNow() throws Exception {
        String fast = "fast-to";
        String slow = "slow-to";
        create(fast);
        create(slow);
        keepsHalf(
                new ReplicatorSettings(sandbox, "slow-to").replicate(fast).replicate(slow),
                fast,
                slow,
                Role.producer,
                (topic, partition) -> fill(Side.LOCAL, topic, partition));
    }

    @Test
    @DisplayName("one from ServiceNow keeps half of its rate")
    void fromServiceNow() throws Exception {
        String fast = "fast-from";
        String slow = "slow-from";
        create(fast);
        create(slow);
        keepsHalf(
                new ReplicatorSettings(sandbox, "slow-from")
                        .replicateFrom(fast)
                        .replicateFrom(slow),
                fast,
                slow,
                Role.consumerA,
                (topic, partition) -> fill(Side.A, sandbox.topicName(topic), partition));
    }

    @Test
    @DisplayName(
            "the slow one to ServiceNow gets a client of its own, and goes back when it is well")
    void ownClient() throws Exception {
        String fast = "fast-own";
        String slow = "slow-own";
        create(fast);
        create(slow);
        int sent;
        try (Replicator replicator =
                        Replicator.start(
                                new ReplicatorSettings(sandbox, "slow-own")
                                        .replicate(fast)
                                        .replicate(slow),
                                folder);
                Pairs pairs = new Pairs(fast, slow)) {
            pairs.sendUntil(() -> replicator.status(slow).messages() > 0);
            sandbox.delay(Role.producer, SLOW, DELAY);
            pairs.sendUntil(() -> notice(replicator, slow).contains("has a client of its own"));
            assertThat(sendersOf(slow)).isEqualTo(1);
            assertThat(notice(replicator, fast)).isEmpty();
            pairs.sendFor(Duration.ofSeconds(5));
            sandbox.heal(Role.producer);
            pairs.sendUntil(() -> notice(replicator, slow).isEmpty());
            pairs.sendUntil(() -> sendersOf(slow) == 0);
            sent = pairs.sent;
            replicator.awaitMessages(fast, sent, LIMIT);
            replicator.awaitMessages(slow, sent, LIMIT);
        }
        for (String topic : List.of(fast, slow)) {
            Audit audit =
                    Audit.of(
                            Map.of("k", sent),
                            new ReadBack(sandbox).both(sandbox.topicName(topic)));
            System.out.printf("%s: %d sent, %s%n", topic, sent, audit);
            assertThat(audit.lost()).isEmpty();
            assertThat(audit.disorders()).isEmpty();
            assertThat(audit.duplicates()).isZero();
        }
    }

    private static String notice(Replicator replicator, String id) {
        return replicator.status(id).notice();
    }

    /** Sender threads of clients that are of one topic replication alone. */
    private static long sendersOf(String id) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("streamconnect-send-") && name.contains(id))
                .count();
    }

    /** Numbered messages of one key, each to the fast and to the slow partition. */
    private static final class Pairs implements AutoCloseable {
        private final LocalRecords fast;
        private final LocalRecords slow;
        private int sent;

        Pairs(String fast, String slow) {
            this.fast = new LocalRecords(sandbox, fast);
            this.slow = new LocalRecords(sandbox, slow);
        }

        void sendUntil(Callable<Boolean> done) {
            Awaitility.await()
                    .atMost(LIMIT.multipliedBy(2))
                    .pollInterval(Duration.ofMillis(20))
                    .until(
                            () -> {
                                byte[] number = String.valueOf(sent++).getBytes(UTF_8);
                                fast.send(FAST, null, "k", number);
                                slow.send(SLOW, null, "k", number);
                                return done.call();
                            });
        }

        void sendFor(Duration time) {
            long end = System.nanoTime() + time.toNanos();
            sendUntil(() -> System.nanoTime() > end);
        }

        @Override
        public void close() {
            fast.close();
            slow.close();
        }
    }

    private static void create(String topic) {
        sandbox.topics().create(Side.LOCAL, topic, PARTITIONS, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), PARTITIONS);
    }

    /** Sends what a round takes to a source. */
    private interface Fill {
        void into(String topic, int partition);
    }

    private static void fill(Side side, String topic, int partition) {
        byte[] value = new byte[200];
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        Map.of(
                                "bootstrap.servers",
                                sandbox.internalBootstrap(side),
                                "linger.ms",
                                "20"),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            for (int i = 0; i < MESSAGES; i++) {
                producer.send(new ProducerRecord<>(topic, partition, null, value));
            }
        }
    }

    private void keepsHalf(
            ReplicatorSettings settings, String fast, String slow, Role role, Fill fill)
            throws Exception {
        List<Double> ratios = new ArrayList<>();
        List<Long> slowed = new ArrayList<>();
        try (Replicator replicator = Replicator.start(settings, folder)) {
            route(replicator, slow, false);
            for (int round = 0; round < ROUNDS; round++) {
                route(replicator, fast, false);
                fill.into(fast, FAST);
                long alone = nanosOf(replicator, fast);
                route(replicator, fast, false);
                fill.into(fast, FAST);
                fill.into(slow, SLOW);
                sandbox.delay(role, SLOW, DELAY);
                route(replicator, slow, true);
                replicator.awaitMessages(slow, replicator.status(slow).messages() + 1, LIMIT);
                long before = replicator.status(slow).messages();
                long beside = nanosOf(replicator, fast);
                slowed.add(replicator.status(slow).messages() - before);
                sandbox.heal(role);
                route(replicator, slow, false);
                ratios.add((double) alone / beside);
                System.out.printf(
                        "%s: alone %d ms, beside the slow one %d ms, which moved %d%n",
                        fast, alone / 1_000_000, beside / 1_000_000, slowed.get(slowed.size() - 1));
            }
        }
        double ratio = ratios.stream().sorted().toList().get(ROUNDS / 2);
        System.out.printf("%s: median ratio %.2f of %s%n", fast, ratio, ratios);
        assertThat(slowed).as("the slow one works").allMatch(count -> count > 0);
        assertThat(ratio).isGreaterThanOrEqualTo(0.5);
    }

    private static void route(Replicator replicator, String id, boolean runs) throws Exception {
        if (runs) {
            replicator.main().getCamelContext().getRouteController().startRoute(id);
        } else {
            replicator.main().getCamelContext().getRouteController().stopRoute(id);
        }
    }

    /** Starts the route, and takes the time of half of what has been filled in. */
    private static long nanosOf(Replicator replicator, String id) throws Exception {
        route(replicator, id, true);
        await(replicator, id, replicator.status(id).messages() + FIRST);
        long begin = System.nanoTime();
        long from = replicator.status(id).messages();
        await(replicator, id, from + MESSAGES / 2);
        // By the rate, since the last poll saw some more than asked for.
        return (System.nanoTime() - begin)
                * (MESSAGES / 2)
                / (replicator.status(id).messages() - from);
    }

    private static void await(Replicator replicator, String id, long messages) {
        Awaitility.await(messages + " of " + id)
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> replicator.status(id).messages() >= messages);
    }
}
