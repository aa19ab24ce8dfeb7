package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("case-R8")
@DisplayName("A topic replication that can't work")
class IsolationIT {

    /** Odd, so that the median is a round. */
    private static final int RATE_ROUNDS = 5;

    private static final int SLICES = 5;

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int SLICE = 100_000;
    private static final String PRINCIPAL = "narrow";

    private static final String HEALTHY = "healthy";
    private static final String NO_DESTINATION = "no-destination";
    private static final String NO_SOURCE = "no-source";
    private static final String NO_WRITE = "no-write";
    private static final String NO_READ = "no-read";
    private static final List<String> SICK = List.of(NO_DESTINATION, NO_SOURCE, NO_WRITE, NO_READ);

    private static Sandbox sandbox;

    private ClientCertificate certificate;

    @TempDir Path folder;

    @BeforeAll
    static void open() {
        sandbox = Sandbox.start(SandboxOptions.defaults());
    }

    @AfterAll
    static void close() {
        sandbox.close();
    }

    /** May write what is called healthy and missing, only read the third and not the fourth. */
    @BeforeEach
    void certificate() {
        String rights =
                "rw@" + sandbox.topicName(HEALTHY + "*") + ";rw@" + sandbox.topicName("no-d*");
        rights += ";rw@" + sandbox.topicName("no-s*") + ";r@" + sandbox.topicName("no-w*");
        certificate = sandbox.issue(CertificateWish.named(PRINCIPAL).acl(rights));
    }

    /** A healthy topic replication and four sick ones on one connection, in one context. */
    private ReplicatorSettings settings(String suffix) {
        for (String topic : List.of(HEALTHY, NO_DESTINATION, NO_WRITE)) {
            sandbox.topics().create(Side.LOCAL, topic + suffix, 4, Map.of());
            if (!topic.equals(NO_DESTINATION)) {
                sandbox.topics().create(sandbox.topicName(topic + suffix), 4);
            }
        }
        sandbox.topics().create(sandbox.topicName(NO_SOURCE + suffix), 4);
        sandbox.topics().create(sandbox.topicName(NO_READ + suffix), 4);
        for (String topic : List.of(NO_DESTINATION, NO_WRITE)) {
            try (LocalRecords records = new LocalRecords(sandbox, topic + suffix)) {
                records.series(0, 0, 10);
            }
        }
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, "isolation" + suffix)
                        .certificate(certificate)
                        .replicate(HEALTHY + suffix)
                        .replicate(NO_DESTINATION + suffix)
                        .replicate(NO_SOURCE + suffix)
                        .replicate(NO_WRITE + suffix);
        // Rights to read are the instance's: a consumer of Hermes itself, beside the replications.
        settings.routes(
                """
                - route:
                    id: no-read%1$s
                    from:
                      uri: hermes:no-read%1$s?groupId=isolation%1$s
                      steps:
                        - setBody:
                            constant: read
                """
                        .formatted(suffix));
        return settings;
    }

    private static void stop(Replicator replicator, String suffix, List<String> ids)
            throws Exception {
        for (String id : ids) {
            replicator.main().getCamelContext().getRouteController().stopRoute(id + suffix);
        }
    }

    private static void start(Replicator replicator, String suffix, List<String> ids)
            throws Exception {
        for (String id : ids) {
            replicator.main().getCamelContext().getRouteController().startRoute(id + suffix);
        }
    }

    private void assertStatuses(Replicator replicator, String suffix) {
        String hermes = sandbox.bootstrap(Role.producer);
        expect(replicator, NO_DESTINATION + suffix, LinkState.WAITING, "snc.acme", hermes);
        expect(
                replicator,
                NO_SOURCE + suffix,
                LinkState.WAITING,
                NO_SOURCE + suffix,
                sandbox.bootstrap(Role.local));
        expect(replicator, NO_WRITE + suffix, LinkState.FAILED, "WRITE", hermes);
        replicator.awaitState(HEALTHY + suffix, LinkState.RUNNING, LIMIT);
    }

    private void expect(
            Replicator replicator, String id, LinkState state, String word, String host) {
        replicator.awaitState(id, state, LIMIT);
        LinkStatus status = replicator.status(id);
        assertThat(status.reason()).contains(id).contains(word).contains(host);
        assertThat(status.errorSince()).isNotNull();
    }

    private static long pollThreads(String connection) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(
                        thread ->
                                thread.getName().startsWith("streamconnect-poll-")
                                        && thread.getName().contains(connection))
                .count();
    }

    private long delivered(String topic) {
        return sandbox.readBack().all(Side.A, sandbox.topicName(topic)).stream()
                .map(Stored::text)
                .distinct()
                .count();
    }

    @Test
    @Tag("case-S2")
    @Tag("case-H13")
    @DisplayName("says why, shares the one consumer, and flows by itself once it is mended")
    void mended() throws Exception {
        String suffix = "-mended";
        ReplicatorSettings settings = settings(suffix);
        try (CapturedLog log = CapturedLog.start();
                Traffic traffic = new Traffic(sandbox, HEALTHY + suffix, 40);
                Replicator replicator = Replicator.start(settings, folder)) {
            traffic.send(500, 2_000);
            replicator.awaitMessages(HEALTHY + suffix, 500, LIMIT);
            assertStatuses(replicator, suffix);
            assertThat(sandbox.topics().exists(Side.LOCAL, NO_SOURCE + suffix)).isFalse();
            assertThat(exists(sandbox.topicName(NO_DESTINATION + suffix))).isFalse();
            assertThat(pollThreads("isolation" + suffix)).isEqualTo(1);
            assertThat(new Group(sandbox, Side.LOCAL, settings.groupId()).members()).hasSize(1);

            sandbox.topics().create(sandbox.topicName(NO_DESTINATION + suffix), 4);
            sandbox.topics().create(Side.LOCAL, NO_SOURCE + suffix, 4, Map.of());
            try (LocalRecords records = new LocalRecords(sandbox, NO_SOURCE + suffix)) {
                records.series(0, 0, 10);
            }
            sandbox.grantTopic(
                    PRINCIPAL,
                    sandbox.topicName(NO_WRITE + suffix),
                    "WRITE,DESCRIBE,DESCRIBE_CONFIGS");
            sandbox.grantTopic(PRINCIPAL, sandbox.topicName(NO_READ + suffix), "READ,DESCRIBE");
            Group readers = new Group(sandbox, Side.A, sandbox.topicName("isolation" + suffix));
            Awaitility.await("the right to read")
                    .atMost(LIMIT)
                    .until(() -> readers.members().toString().contains(NO_READ + suffix));
            for (String id : List.of(NO_DESTINATION, NO_SOURCE, NO_WRITE)) {
                replicator.awaitMessages(id + suffix, 10, LIMIT);
                replicator.awaitState(id + suffix, LinkState.RUNNING, LIMIT);
                assertThat(replicator.status(id + suffix).errorSince()).isNull();
                assertThat(delivered(id + suffix)).isEqualTo(10);
            }
            traffic.send(500, 2_000);
            replicator.awaitMessages(HEALTHY + suffix, 1_000, LIMIT);
            // One line of each sick one.
            assertThat(log.ourWarnings()).hasSizeLessThanOrEqualTo(SICK.size());
        }
    }

    @Test
    @Tag("fault")
    @Tag("case-S1")
    @DisplayName("logs no more than 10 lines a minute, those of Kafka included")
    void quiet() throws Exception {
        String suffix = "-quiet";
        ReplicatorSettings settings = settings(suffix);
        try (CapturedLog log = CapturedLog.start();
                Replicator replicator = Replicator.start(settings, folder)) {
            assertStatuses(replicator, suffix);
            log.clear();
            Awaitility.await("a minute")
                    .during(Duration.ofSeconds(60))
                    .atMost(Duration.ofSeconds(70))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> true);
            assertThat(log.lines())
                    .filteredOn(line -> line.isOurs() || line.isWarning())
                    .hasSizeLessThanOrEqualTo(10);
        }
    }

    @Test
    @Tag("fault")
    @DisplayName("costs the healthy one less than a tenth of its rate")
    void rate() throws Exception {
        String suffix = "-rate";
        ReplicatorSettings settings = settings(suffix);
        List<Double> ratios = new ArrayList<>();
        try (CapturedLog log = CapturedLog.start();
                LocalRecords records = new LocalRecords(sandbox, HEALTHY + suffix);
                Replicator replicator = Replicator.start(settings, folder)) {
            // All rounds count: stopping at the first good one would measure luck.
            for (int round = 0; round < RATE_ROUNDS; round++) {
                stop(replicator, suffix, List.of(HEALTHY));
                fill(records, SLICE * (SLICES * 6 + 2));
                start(replicator, suffix, List.of(HEALTHY));
                ratios.add(ratio(replicator, suffix));
            }
            double ratio = ratios.stream().sorted().toList().get(RATE_ROUNDS / 2);
            System.out.printf("isolation: median ratio %.2f of %s%n", ratio, ratios);
            assertThat(ratio).isGreaterThanOrEqualTo(0.9);
        }
    }

    private static void fill(LocalRecords records, int count) {
        byte[] value = new byte[200];
        for (int i = 0; i < count; i++) {
            records.send(i / 500 % 4, null, null, value);
        }
        records.producer().flush();
    }

    /** Rate beside the sick ones over the rate alone, of slices in turn. */
    private double ratio(Replicator replicator, String suffix) throws Exception {
        String healthy = HEALTHY + suffix;
        List<Long> alone = new ArrayList<>();
        List<Long> beside = new ArrayList<>();
        for (int i = 0; i < SLICES; i++) {
            stop(replicator, suffix, SICK);
            alone.add(steady(replicator, healthy));
            start(replicator, suffix, SICK);
            beside.add(steady(replicator, healthy));
        }
        double ratio = (double) median(alone) / median(beside);
        System.out.printf(
                "rate beside four sick ones: %.2f of %.0f records/s; alone %s ms, beside %s ms%n",
                ratio, SLICE * 1e9 / median(alone), millis(alone), millis(beside));
        return ratio;
    }

    /**
     * A slice after the change of routes has settled: the rebalance that a stop or start brings
     * belongs to neither side.
     */
    private static long steady(Replicator replicator, String id) {
        nanosOf(replicator, id, SLICE);
        nanosOf(replicator, id, SLICE);
        return nanosOf(replicator, id, SLICE);
    }

    /** Time in which so many more messages are delivered. */
    private static long nanosOf(Replicator replicator, String id, int count) {
        long from = replicator.status(id).messages();
        long begin = System.nanoTime();
        Awaitility.await("slice")
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> replicator.status(id).messages() >= from + count);
        // By the rate, since the last poll saw some more than asked for.
        return (System.nanoTime() - begin) * count / (replicator.status(id).messages() - from);
    }

    private static long median(List<Long> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }

    private static List<Long> millis(List<Long> nanos) {
        return nanos.stream().map(n -> n / 1_000_000).toList();
    }

    @Test
    @Tag("case-H13")
    @DisplayName("since its topic was deleted is not given a new one, and goes on when it is back")
    void deletedWhileRunning() throws Exception {
        String topic = "healthy-deleted";
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 1);
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic).certificate(certificate).replicate(topic);
        Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
        try (CapturedLog log = CapturedLog.start();
                LocalRecords records = new LocalRecords(sandbox, topic);
                Replicator replicator = Replicator.start(settings, folder)) {
            records.series(0, 0, 100);
            replicator.awaitMessages(topic, 100, LIMIT);
            group.awaitCommitted(topic, 100);
            sandbox.topics().delete(sandbox.topicName(topic));
            records.series(0, 100, 50);
            replicator.awaitState(topic, LinkState.WAITING, LIMIT);
            assertThat(replicator.status(topic).reason())
                    .contains(sandbox.topicName(topic))
                    .contains(sandbox.bootstrap(Role.producer));
            records.series(0, 150, 50);
            Awaitility.await("not made anew")
                    .during(Duration.ofSeconds(4))
                    .atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> !exists(sandbox.topicName(topic)));
            assertThat(group.committedTotal(topic)).isEqualTo(100);
            sandbox.topics().create(sandbox.topicName(topic), 1);
            replicator.awaitMessages(topic, 200, LIMIT);
            replicator.awaitState(topic, LinkState.RUNNING, LIMIT);
            assertThat(sandbox.readBack().all(Side.A, sandbox.topicName(topic)))
                    .extracting(Stored::text)
                    .containsExactlyElementsOf(
                            IntStream.range(100, 200).mapToObj(String::valueOf).toList());
            assertThat(log.lines())
                    .as("the cluster answers, and its client serves other topics")
                    .noneMatch(line -> line.text().contains("does not answer"))
                    .noneMatch(line -> line.isOurs() && line.text().contains("new client"));
        }
    }

    private static boolean exists(String topic) {
        return sandbox.topics().exists(Side.A, topic) || sandbox.topics().exists(Side.B, topic);
    }
}
