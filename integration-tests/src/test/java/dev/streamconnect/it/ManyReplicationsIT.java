package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.streamconnect.it.Sandbox.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * 500 topic replications over five connections, in a process with 512 MB of heap; 20 have traffic.
 * Rates are those of slices in turn, with three sick ones and without: no source, no right, slow.
 */
@Tag("fault")
@DisplayName("Five hundred topic replications on one node")
class ManyReplicationsIT {

    private static final int CONNECTIONS = 5;
    private static final int OF_A_CONNECTION = 100;
    private static final int BUSY = 20;
    private static final int ROUNDS = 3;
    private static final int SLICE = 5_000;
    private static final byte[] VALUE = new byte[200];
    private static final int THREADS = 60;
    private static final int LINES = 10;
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration CHANGE = Duration.ofSeconds(5);
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private static final String NO_SOURCE = "many-no-source";
    private static final String NO_RIGHT = "forbidden";
    private static final String SLOW = "many-slow";
    private static final Set<String> SICK = Set.of(NO_SOURCE, NO_RIGHT);

    private static final String SLOW_ROUTE =
            """
            - route:
                id: slow
                from:
                  uri: replication:many-slow
                  steps:
                    - delay:
                        constant: 200
                    - to: replication:many-slow
            """;

    /** One of the busy ones, so that its count tells a restart. */
    private static final String CHANGED = id(3, 10);

    private static Sandbox sandbox;

    @TempDir Path folder;

    @BeforeAll
    static void open() {
        sandbox = Sandbox.start(SandboxOptions.defaults());
    }

    @AfterAll
    static void close() {
        sandbox.close();
    }

    @Test
    @Tag("case-R7")
    @DisplayName("share clients and threads, keep apart, change and stop as one would")
    void many() throws Exception {
        createTopics();
        ClientCertificate certificate =
                sandbox.issue(
                        CertificateWish.named("many").acl("rw@" + sandbox.topicName("many-*")));
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, "many")
                        .certificate(certificate)
                        .records(records(Set.of()))
                        .set("camel.component.replication.metricsRoute", "false")
                        .routes(SLOW_ROUTE);
        long begun = System.nanoTime();
        try (ReplicatorProcess replicator = ReplicatorProcess.start(settings, folder, options())) {
            awaitAssigned(replicator, CONNECTIONS * OF_A_CONNECTION);
            Duration start = Duration.ofNanos(System.nanoTime() - begun);
            int threads = threads(replicator);
            slice(replicator, false);
            List<Double> ratios = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                double alone = slice(replicator, false);
                change(SICK);
                awaitStates(replicator, Map.of(NO_SOURCE, "WAITING", NO_RIGHT, "FAILED"));
                double beside = slice(replicator, true);
                ratios.add(beside / alone);
                change(Set.of());
                awaitGone(replicator);
            }
            double ratio = ratios.stream().sorted().toList().get(ROUNDS / 2);

            change(SICK);
            awaitStates(replicator, Map.of(NO_SOURCE, "WAITING", NO_RIGHT, "FAILED"));
            int linesBefore = lines(replicator);
            Awaitility.await("a quiet minute")
                    .during(Duration.ofSeconds(60))
                    .atMost(Duration.ofSeconds(65))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> lines(replicator) - linesBefore <= LINES);
            int linesOfAMinute = lines(replicator) - linesBefore;

            Map<String, Long> before = counts(replicator);
            int joinsBefore = joins();
            Set<String> more = new TreeSet<>(SICK);
            more.add("changed");
            long changedAt = System.nanoTime();
            change(more);
            Awaitility.await("the changed record")
                    .atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> counts(replicator).get(CHANGED) == 0);
            Duration change = Duration.ofNanos(System.nanoTime() - changedAt);
            awaitAssigned(replicator, CONNECTIONS * OF_A_CONNECTION);
            Map<String, Long> after = counts(replicator);
            List<String> restarted =
                    before.keySet().stream()
                            .filter(id -> !before.get(id).equals(after.get(id)))
                            .toList();
            int joins = joins() - joinsBefore;

            long stopAt = System.nanoTime();
            replicator.close();
            Duration stop = Duration.ofNanos(System.nanoTime() - stopAt);
            System.out.printf(
                    "many: start %.1f s, %d threads, ratio beside the sick %.2f of %s, %d lines a minute,"
                            + " change after %.1f s, restarted %s, %d joins for it, stop %.1f s%n",
                    start.toMillis() / 1e3,
                    threads,
                    ratio,
                    ratios,
                    linesOfAMinute,
                    change.toMillis() / 1e3,
                    restarted,
                    joins,
                    stop.toMillis() / 1e3);
            assertThat(start).isLessThan(START);
            assertThat(threads).isLessThanOrEqualTo(THREADS);
            assertThat(ratio).isGreaterThanOrEqualTo(0.9);
            assertThat(change).isLessThan(CHANGE);
            assertThat(restarted).containsExactly(CHANGED);
            assertThat(joins).isLessThanOrEqualTo(2);
            assertThat(stop).isLessThan(Duration.ofSeconds(20));
            assertThat(replicator.exitCode(LIMIT)).as(replicator.output()).isZero();
        }
    }

    // ---- what it is given

    private static String id(int connection, int number) {
        return "many-%d-%03d".formatted(connection, number);
    }

    private static List<String> busy() {
        return IntStream.range(0, BUSY)
                .mapToObj(i -> id(i % CONNECTIONS, i / CONNECTIONS * 10))
                .toList();
    }

    private static void createTopics() {
        List<String> names = new ArrayList<>(SICK);
        names.add(SLOW);
        for (int connection = 0; connection < CONNECTIONS; connection++) {
            for (int i = 0; i < OF_A_CONNECTION; i++) {
                names.add(id(connection, i));
            }
        }
        List<String> local = names.stream().filter(name -> !name.equals(NO_SOURCE)).toList();
        create(Side.LOCAL, local);
        List<String> full = names.stream().map(sandbox::topicName).toList();
        create(Side.A, full);
        create(Side.B, full);
    }

    private static void create(Side side, List<String> names) {
        sandbox.topics()
                .admin(
                        side,
                        admin ->
                                admin.createTopics(
                                                names.stream()
                                                        .map(n -> new NewTopic(n, 1, (short) 1))
                                                        .toList())
                                        .all());
    }

    /**
     * @param more of the sick ones, and {@code changed} for another start of a single healthy one
     */
    private static String records(Set<String> more) {
        StringBuilder yaml = new StringBuilder("version: 1\nconnections:\n");
        for (int connection = 0; connection < CONNECTIONS; connection++) {
            yaml.append("  - id: many-").append(connection).append("\n    bootstrapServers: ");
            yaml.append(sandbox.bootstrap(Sandbox.Role.local)).append('\n');
        }
        yaml.append("messageReplications:\n");
        for (int connection = 0; connection < CONNECTIONS; connection++) {
            yaml.append("  - name: many-").append(connection);
            yaml.append("\n    connection: many-").append(connection);
            yaml.append("\n    topicReplications:\n");
            for (int i = 0; i < OF_A_CONNECTION; i++) {
                boolean changed = more.contains("changed") && id(connection, i).equals(CHANGED);
                yaml.append(record(id(connection, i), changed ? "startFrom: latest" : ""));
            }
            if (connection == 0) {
                yaml.append(record(SLOW, "route: none"));
                for (String sick : SICK) {
                    yaml.append(record(sick, "active: " + more.contains(sick)));
                }
            }
        }
        return yaml.toString();
    }

    private static String record(String id, String more) {
        return "      - id: %1$s\n        direction: toServiceNow\n        topicName: %1$s\n        serviceNowTopic: %1$s\n"
                        .formatted(id)
                + (more.isEmpty() ? "" : "        " + more + "\n");
    }

    /** Replaces the records file at once, as an editor or a deployment does. */
    private void change(Set<String> more) throws IOException {
        Path next = folder.resolve("replications.next");
        Files.writeString(next, records(more));
        Files.move(
                next,
                folder.resolve("replications.yaml"),
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.ATOMIC_MOVE);
    }

    /** The log settings that are shipped, and each join of a group in a file of its own. */
    private List<String> options() throws IOException {
        Path shipped = Path.of("..", "samples", "app", "conf", "log4j2.properties");
        assertThat(shipped).exists();
        Path own = folder.resolve("joins-log4j2.properties");
        Files.writeString(
                own,
                """
                name = joins
                appender.joins.type = File
                appender.joins.name = joins
                appender.joins.fileName = %s
                appender.joins.layout.type = PatternLayout
                appender.joins.layout.pattern = %%m%%n
                logger.joins.name = org.apache.kafka.clients.consumer.internals.ConsumerCoordinator
                logger.joins.level = info
                logger.joins.additivity = false
                logger.joins.appenderRef.joins.ref = joins
                """
                        .formatted(folder.resolve("joins.log")));
        return List.of(
                "-Xmx512m", "-Dlog4j2.configurationFile=" + shipped.toAbsolutePath() + "," + own);
    }

    // ---- what it tells

    /**
     * Rate, in messages a second, at which a slice of all busy topics arrives.
     *
     * @param slow whether the slow one has traffic, too
     */
    private double slice(ReplicatorProcess replicator, boolean slow) {
        long from = messages(replicator);
        long begin = System.nanoTime();
        List<LocalRecords> topics = busy().stream().map(t -> new LocalRecords(sandbox, t)).toList();
        try (LocalRecords records = new LocalRecords(sandbox, SLOW)) {
            for (int i = 0; i < SLICE; i++) {
                topics.forEach(topic -> topic.send(0, null, "k", VALUE));
            }
            for (int i = 0; slow && i < 20; i++) {
                records.send(0, null, "k", VALUE);
            }
            topics.forEach(topic -> topic.producer().flush());
            Awaitility.await("a slice")
                    .atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> messages(replicator) >= from + (long) BUSY * SLICE);
        } finally {
            topics.forEach(LocalRecords::close);
        }
        return BUSY * SLICE * 1e9 / (System.nanoTime() - begin);
    }

    private static long messages(ReplicatorProcess replicator) {
        Set<String> busy = Set.copyOf(busy());
        long messages = 0;
        for (JsonNode each : replicator.status()) {
            messages += busy.contains(each.get("id").asText()) ? each.get("messages").asLong() : 0;
        }
        return messages;
    }

    private static void awaitAssigned(ReplicatorProcess replicator, int count) {
        Awaitility.await(count + " with their partitions")
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(200))
                .until(
                        () -> {
                            int assigned = 0;
                            for (JsonNode each : replicator.status()) {
                                assigned += each.get("assignedPartitions").asInt();
                            }
                            return assigned >= count;
                        });
    }

    private static void awaitStates(ReplicatorProcess replicator, Map<String, String> wanted) {
        Awaitility.await(wanted.toString())
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> states(replicator).entrySet().containsAll(wanted.entrySet()));
    }

    private static void awaitGone(ReplicatorProcess replicator) {
        Awaitility.await("the sick ones are gone")
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(200))
                .until(
                        () ->
                                states(replicator).entrySet().stream()
                                        .filter(each -> SICK.contains(each.getKey()))
                                        .allMatch(each -> each.getValue().equals("STOPPED")));
    }

    private static Map<String, String> states(ReplicatorProcess replicator) {
        Map<String, String> states = new HashMap<>();
        replicator.status().forEach(s -> states.put(s.get("id").asText(), s.get("state").asText()));
        return states;
    }

    /** Messages since the start of each healthy one: a restart begins at 0. */
    private static Map<String, Long> counts(ReplicatorProcess replicator) {
        Map<String, Long> counts = new HashMap<>();
        replicator
                .status()
                .forEach(s -> counts.put(s.get("id").asText(), s.get("messages").asLong()));
        counts.keySet().removeAll(SICK);
        counts.remove(SLOW);
        return counts;
    }

    private static int lines(ReplicatorProcess replicator) {
        return (int) replicator.output().lines().count();
    }

    private int joins() throws IOException {
        try (var lines = Files.lines(folder.resolve("joins.log"))) {
            return (int) lines.filter(line -> line.contains("Successfully joined group")).count();
        }
    }

    /** Threads of Java, without those of the JVM itself. */
    private static int threads(ReplicatorProcess replicator) {
        return (int) replicator.threads().lines().filter(l -> l.matches("\".*\" #\\d+ .*")).count();
    }
}
