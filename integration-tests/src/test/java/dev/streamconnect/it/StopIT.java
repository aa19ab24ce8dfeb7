package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Only what the destination has is committed:")
class StopIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    @AfterEach
    void heal() {
        sandbox.heal();
    }

    private ReplicatorSettings settings(String topic, int partitions) {
        sandbox.topics().create(Side.LOCAL, topic, partitions, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), partitions);
        return new ReplicatorSettings(sandbox, topic).set("camel.main.shutdownTimeout", "3");
    }

    private List<String> delivered(String topic) {
        return sandbox.readBack().all(Side.A, sandbox.topicName(topic)).stream()
                .map(Stored::text)
                .toList();
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(String::valueOf).toList();
    }

    private void stopAfter(String topic, int passed) throws Exception {
        ReplicatorSettings settings =
                settings(topic, 1)
                        .replicate(topic, "route: none")
                        .routes(Gate.route(topic, "gate"));
        Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
        try (LocalRecords records = new LocalRecords(sandbox, topic)) {
            records.series(0, 0, 10);
            Gate gate = new Gate(passed);
            try (Replicator replicator = Replicator.start(settings, folder, Map.of("gate", gate))) {
                Awaitility.await("held").atMost(LIMIT).until(gate::holds);
                replicator.awaitMessages(topic, passed, LIMIT);
                group.awaitCommitted(topic, passed);
            }
            // What was held goes on after the stop and must not count any more.
            gate.openFor(10);
            assertThat(group.committedTotal(topic)).isEqualTo(passed);
            assertThat(delivered(topic)).isEqualTo(numbers(passed));
            try (Replicator replicator =
                    Replicator.start(settings, folder, Map.of("gate", new Gate(10)))) {
                replicator.awaitMessages(topic, 10 - passed, LIMIT);
                group.awaitCommitted(topic, 10);
            }
            assertThat(delivered(topic)).isEqualTo(numbers(10));
        }
    }

    @Test
    @Tag("case-O14")
    @Tag("case-O19")
    @DisplayName("a stop after 3 of 10 in a slow route; the next start delivers the other 7")
    void threeOfTen() throws Exception {
        stopAfter("stop-3", 3);
    }

    @Test
    @Tag("case-O16")
    @DisplayName("a route that completes nothing commits nothing; the next start delivers all")
    void nothing() throws Exception {
        stopAfter("stop-0", 0);
    }

    @Test
    @Tag("case-O15")
    @Tag("case-O17")
    @DisplayName("a trickle arrives once each, and the group's offset gets on by itself")
    void trickle() throws Exception {
        String topic = "trickle";
        ReplicatorSettings settings = settings(topic, 1).replicate(topic);
        Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
        try (Traffic traffic = new Traffic(sandbox, topic, 1);
                Replicator replicator = Replicator.start(settings, folder)) {
            traffic.send(100, 50);
            replicator.awaitMessages(topic, 100, LIMIT);
            group.awaitCommitted(topic, 100);
            assertThat(delivered(topic)).isEqualTo(numbers(100));
        }
    }

    @Test
    @Tag("case-O21")
    @DisplayName("a route slower than the poll interval keeps its place in the group")
    void slowRoute() throws Exception {
        String topic = "slow-route";
        ReplicatorSettings settings =
                settings(topic, 1)
                        .connectionProperty("max.poll.interval.ms", 6_000)
                        .connectionProperty("session.timeout.ms", 6_000)
                        .replicate(topic, "route: none")
                        .routes(Gate.route(topic, "gate"));
        Gate gate = new Gate(3);
        keepsItsPlace(settings, topic, Map.of("gate", gate), () -> {}, () -> gate.openFor(1_000));
    }

    @Test
    @Tag("case-O21")
    @DisplayName("a destination slower than the poll interval keeps its place in the group")
    void slowDestination() throws Exception {
        String topic = "slow-destination";
        ReplicatorSettings settings =
                settings(topic, 1)
                        .connectionProperty("max.poll.interval.ms", 6_000)
                        .connectionProperty("session.timeout.ms", 6_000)
                        .replicate(topic);
        keepsItsPlace(
                settings,
                topic,
                Map.of(),
                () -> sandbox.down(Role.producer),
                () -> sandbox.heal(Role.producer));
    }

    private void keepsItsPlace(
            ReplicatorSettings settings,
            String topic,
            Map<String, Object> beans,
            Runnable hold,
            Runnable open)
            throws Exception {
        Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
        try (CapturedLog log = CapturedLog.start();
                LocalRecords records = new LocalRecords(sandbox, topic);
                Replicator replicator = Replicator.start(settings, folder, beans)) {
            records.series(0, 0, 3);
            replicator.awaitMessages(topic, 3, LIMIT);
            Map<String, List<String>> members = group.members();
            log.clear();
            hold.run();
            for (int i = 3; i < 500; i++) {
                records.send(0, null, "k", String.valueOf(i).getBytes());
            }
            Awaitility.await("longer than the poll interval")
                    .during(Duration.ofSeconds(9))
                    .atMost(Duration.ofSeconds(20))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> group.members().equals(members));
            assertThat(delivered(topic)).as("held meanwhile").isEqualTo(numbers(3));
            open.run();
            replicator.awaitMessages(topic, 500, LIMIT);
            group.awaitCommitted(topic, 500);
            assertThat(group.members()).isEqualTo(members);
            assertThat(log.joins()).as("rebalances").isZero();
            assertThat(delivered(topic)).isEqualTo(numbers(500));
        }
    }

    private void rollingRestart(String topic, int rounds) throws Exception {
        ReplicatorSettings settings = settings(topic, 6).replicate(topic);
        Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
        List<Replicator> nodes = new ArrayList<>();
        try (Traffic traffic = new Traffic(sandbox, topic, 60)) {
            nodes.add(node(settings, 0));
            nodes.add(node(settings, 1));
            Awaitility.await("both read")
                    .atMost(LIMIT)
                    .until(
                            () ->
                                    group.members().values().stream()
                                                    .filter(partitions -> partitions.size() == 3)
                                                    .count()
                                            == 2);
            CompletableFuture<Traffic> sending =
                    CompletableFuture.supplyAsync(() -> traffic.send(rounds * 4_000, 1_000));
            for (int round = 0; round < rounds; round++) {
                nodes.remove(0).close();
                nodes.add(node(settings, round % 2));
            }
            sending.get(LIMIT.toSeconds() + rounds * 10L, TimeUnit.SECONDS);
            group.awaitCommitted(topic, traffic.total());
            Audit audit =
                    Audit.of(traffic.sent(), sandbox.readBack().both(sandbox.topicName(topic)));
            System.out.println(topic + " x" + rounds + ": " + audit);
            assertThat(audit.lost()).isEmpty();
            assertThat(audit.disorders()).isEmpty();
            // An orderly stop settles and commits; only a hand-over that takes too long repeats.
            assertThat(audit.duplicates()).isLessThanOrEqualTo(rounds * 100);
        } finally {
            nodes.forEach(Replicator::close);
        }
    }

    private Replicator node(ReplicatorSettings settings, int number) throws Exception {
        settings.set("camel.main.name", "node-" + number)
                .set("camel.component.replication.node", "node-" + number);
        return Replicator.start(settings, folder.resolve("node-" + number));
    }

    @Test
    @Tag("case-O13")
    @DisplayName("two nodes, restarted in turn under traffic, lose nothing and keep the order")
    void rollingRestart() throws Exception {
        rollingRestart("rolling", 2);
    }

    @Test
    @Tag("fault")
    @Tag("case-O13")
    @DisplayName("two nodes, restarted ten times in turn under traffic")
    void rollingRestartOften() throws Exception {
        rollingRestart("rolling-often", 10);
    }

    @Test
    @Tag("case-O13")
    @DisplayName("a node that stops gives its partitions up at once, whatever its session")
    void leavesTheGroup() throws Exception {
        String topic = "leaves";
        ReplicatorSettings settings =
                settings(topic, 6)
                        .connectionProperty("session.timeout.ms", "600000")
                        .replicate(topic);
        Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
        List<Replicator> nodes = new ArrayList<>();
        try (Traffic traffic = new Traffic(sandbox, topic, 60)) {
            nodes.add(node(settings, 0));
            nodes.add(node(settings, 1));
            Awaitility.await("both read").atMost(LIMIT).until(() -> group.members().size() == 2);
            nodes.remove(0).close();
            traffic.send(600, 2_000);
            group.awaitCommitted(topic, 600);
            assertThat(group.members()).hasSize(1);
        } finally {
            nodes.forEach(Replicator::close);
        }
    }
}
