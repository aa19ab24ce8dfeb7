package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("fault")
@DisplayName("Of three nodes under traffic")
class NodeLossIT {

    private static final int NODES = 3;
    private static final int PARTITIONS = 6;
    private static final int PER_SECOND = 600;
    private static final Duration SESSION = Duration.ofSeconds(6);

    /** For the rebalance: a heartbeat of each node, twice, on a machine that is busy. */
    private static final Duration SLACK = Duration.ofSeconds(5);

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Sandbox sandbox = Sandbox.shared();
    private final ExecutorService sender = Executors.newSingleThreadExecutor();
    private final AtomicBoolean flowing = new AtomicBoolean(true);

    @TempDir Path folder;

    @AfterEach
    void end() {
        flowing.set(false);
        sender.shutdown();
    }

    /** What happens to the nodes while traffic flows. */
    private interface Change {
        void happen(Nodes nodes, Group group, Traffic traffic);
    }

    private List<ReadBack.Stored> run(String topic, int duplicates, Change change)
            throws Exception {
        String full = sandbox.topicName(topic);
        sandbox.topics().create(Side.LOCAL, topic, PARTITIONS, Map.of());
        sandbox.topics()
                .create(full, PARTITIONS, Map.of("message.timestamp.type", "LogAppendTime"));
        ReplicatorSettings settings = settings(topic);
        Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
        try (Traffic traffic = new Traffic(sandbox, topic, 60);
                Nodes nodes = new Nodes(() -> settings(topic), folder)) {
            nodes.join(NODES).awaitShared(group);
            Future<?> sending =
                    sender.submit(
                            () -> {
                                while (flowing.get()) {
                                    traffic.send(PER_SECOND / 10, PER_SECOND);
                                }
                            });
            awaitSent(traffic, traffic.total() + 2 * PER_SECOND);
            change.happen(nodes, group, traffic);
            flowing.set(false);
            sending.get();
            group.awaitCommitted(topic, traffic.total());
            List<ReadBack.Stored> stored = sandbox.readBack().both(full);
            Audit audit = Audit.of(traffic.sent(), stored);
            System.out.printf(
                    "%s: sent=%d %s bound=%d%n", topic, traffic.total(), audit, duplicates);
            assertThat(audit.lost()).isEmpty();
            assertThat(audit.disorders()).isEmpty();
            assertThat(audit.duplicates()).isLessThanOrEqualTo(duplicates);
            return stored;
        }
    }

    private ReplicatorSettings settings(String topic) {
        return new ReplicatorSettings(sandbox, topic)
                .replicate(topic)
                .connectionProperty("session.timeout.ms", SESSION.toMillis())
                .connectionProperty("heartbeat.interval.ms", "1000")
                .set("camel.component.replication.maxUncommitted", "500");
    }

    private static void awaitSent(Traffic traffic, int total) {
        Awaitility.await(total + " sent").atMost(LIMIT).until(() -> traffic.total() >= total);
    }

    @Test
    @Tag("case-O11")
    @DisplayName("one is killed: its partitions are read again when its session has ended")
    void killed() throws Exception {
        long[] times = new long[2];
        List<ReadBack.Stored> stored =
                run(
                        "node-killed",
                        PARTITIONS * 500,
                        (nodes, group, traffic) -> {
                            times[0] = System.currentTimeMillis();
                            nodes.kill();
                            nodes.awaitShared(group);
                            awaitSent(traffic, traffic.total() + 5 * PER_SECOND);
                            times[1] = System.currentTimeMillis();
                        });
        Duration pause = ReadBack.longestPause(stored, times[0], times[1]);
        System.out.printf("node-killed: a partition waited %d ms%n", pause.toMillis());
        assertThat(pause).isLessThan(SESSION.plus(SLACK));
    }

    @Test
    @Tag("case-O13")
    @DisplayName("all are restarted, one after another: nothing is lost")
    void restarted() throws Exception {
        run(
                "nodes-restarted",
                // An orderly stop settles and commits; only a hand-over that takes long repeats.
                NODES * 100,
                (nodes, group, traffic) -> {
                    for (int node = 0; node < NODES; node++) {
                        nodes.leave();
                        awaitSent(traffic, traffic.total() + PER_SECOND);
                        nodes.join();
                        nodes.awaitShared(group);
                    }
                });
    }
}
