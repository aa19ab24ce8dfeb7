package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.Sandbox.Side;
import dev.streamconnect.spi.OriginTotals;
import dev.streamconnect.spi.UndeliveredStore;
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes come and are killed in turn while messages flow and keys are held behind stored rows; in
 * each round the destination takes what it refused before, so that keys are released around the
 * rebalances, too.
 */
@Tag("fault")
@DisplayName("Two nodes that share a database, while keys are held")
class TwoNodesIT {

    private static final int ROUNDS = 3;
    private static final int PARTITIONS = 4;
    private static final int KEYS = 200;
    private static final int MAX_UNCOMMITTED = 500;
    private static final int LIMIT_BYTES = 5_000;
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final Sandbox sandbox = Sandbox.shared();
    private final AtomicBoolean flowing = new AtomicBoolean(true);

    @TempDir Path folder;

    @Test
    @Tag("case-U1")
    @DisplayName(
            "one joins, the other is killed: nothing is lost, first deliveries keep the order of each key")
    void joinAndKill() throws Exception {
        String topic = "two-nodes";
        String full = sandbox.topicName(topic);
        sandbox.topics().create(Side.LOCAL, topic, PARTITIONS, Map.of());
        sandbox.topics().create(full, PARTITIONS);
        // It can't read the topic's settings, so that only the broker knows the limit.
        ClientCertificate blind = sandbox.issue(CertificateWish.named(topic).acl("none"));
        sandbox.grantTopic(topic, full, "READ,WRITE,DESCRIBE");
        ExecutorService sender = Executors.newSingleThreadExecutor();
        try (PostgreSql server = PostgreSql.started(folder.resolve("postgresql"));
                UndeliveredDatabase database = server.database();
                Traffic traffic =
                        new Traffic(sandbox, topic, KEYS).large(25, LIMIT_BYTES + 1_000)) {
            UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);
            refuseLarge(full, true);
            ReplicatorProcess present = start(0, server, blind, topic);
            Future<?> sending = sender.submit(() -> flow(traffic));
            try {
                for (int round = 1; round <= ROUNDS; round++) {
                    awaitRows(store, round);
                    ReplicatorProcess joining = start(round, server, blind, topic);
                    awaitMembers(topic, 2);
                    long behind = behindKey(store);
                    refuseLarge(full, round % 2 == 0);
                    present.kill();
                    present = joining;
                    awaitMembers(topic, 1);
                    System.out.printf(
                            "%s: round %d, %d messages sent, %d rows behind a key at the kill%n",
                            topic, round, traffic.total(), behind);
                    refuseLarge(full, true);
                }
                awaitRows(store, ROUNDS + 1);
                refuseLarge(full, false);
                flowing.set(false);
                sending.get();
                awaitEverything(topic, full, traffic, store);
            } finally {
                flowing.set(false);
                present.close();
            }
            Audit audit = Audit.of(traffic.sent(), sandbox.readBack().both(full));
            // Of a row that was sent and not removed before the kill, and of what was not
            // committed.
            int bound = ROUNDS * PARTITIONS * (MAX_UNCOMMITTED + 500);
            System.out.printf("%s: %s bound=%d%n", topic, audit, bound);
            assertThat(audit.lost()).isEmpty();
            assertThat(audit.disorders()).isEmpty();
            assertThat(audit.duplicates()).isLessThanOrEqualTo(bound);
            assertThat(store.totals()).isEmpty();
        } finally {
            sender.shutdownNow();
        }
    }

    @Test
    @DisplayName("that do not share one say so")
    void notShared() throws Exception {
        String topic = "two-alone";
        sandbox.topics().create(Side.LOCAL, topic, PARTITIONS, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), PARTITIONS);
        try (CapturedLog log = CapturedLog.start();
                Replicator node = Replicator.start(alone(topic, 1), folder.resolve("alone-1"));
                ReplicatorProcess other =
                        ReplicatorProcess.start(alone(topic, 2), folder.resolve("alone-2"))) {
            // The other has to be there at two looks, a minute apart.
            Awaitility.await("notice")
                    .atMost(Duration.ofSeconds(240))
                    .until(() -> !node.status(topic).notice().isEmpty());
            assertThat(node.status(topic).notice())
                    .contains("acme-consumer-two-alone", "node-2", "of this node alone");
            other.kill();
            Awaitility.await("none")
                    .atMost(Duration.ofSeconds(240))
                    .until(() -> node.status(topic).notice().isEmpty());
            assertThat(log.lines())
                    .filteredOn(line -> line.text().contains("of this node alone"))
                    .hasSize(1);
        }
    }

    private ReplicatorSettings alone(String topic, int node) {
        return new ReplicatorSettings(sandbox, topic)
                .replicate(topic)
                .connectionProperty("session.timeout.ms", "6000")
                .set("camel.component.replication.node", "node-" + node)
                .set(
                        "camel.component.replication.undeliveredUrl",
                        folder.resolve("undelivered-" + node).toString());
    }

    private void flow(Traffic traffic) {
        while (flowing.get()) {
            traffic.send(1, 300);
        }
    }

    private ReplicatorProcess start(
            int round, PostgreSql server, ClientCertificate certificate, String topic) {
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic)
                        .replicate(topic)
                        .certificate(certificate)
                        .connectionProperty("session.timeout.ms", "6000")
                        .connectionProperty("heartbeat.interval.ms", "1000")
                        // The broker's limit is one of batches: below it they are not split.
                        .set("camel.component.hermes.producerProperties[batch.size]", "4096")
                        .set("camel.component.replication.node", "node-" + round)
                        .set("camel.component.replication.undeliveredUrl", server.url())
                        .set(
                                "camel.component.replication.maxUncommitted",
                                String.valueOf(MAX_UNCOMMITTED))
                        .set("camel.component.replication.retryInterval", "300")
                        .set("camel.component.replication.metricsRoute", "false")
                        .set("camel.component.replication.undeliveredRetryInitial", "200")
                        .set("camel.component.replication.undeliveredRetryMax", "1000")
                        .set("camel.component.replication.undeliveredMaxAttempts", "0");
        return ReplicatorProcess.start(settings, folder.resolve("node-" + round));
    }

    private void refuseLarge(String full, boolean refuse) {
        String limit = refuse ? String.valueOf(LIMIT_BYTES) : "1000000";
        for (Side side : List.of(Side.A, Side.B)) {
            sandbox.topics().configure(side, full, Map.of("max.message.bytes", limit));
        }
    }

    private static long behindKey(UndeliveredStore store) {
        return store.totals().stream().mapToLong(OriginTotals::behindKey).sum();
    }

    /** Until messages wait behind stored ones of their key, in every partition. */
    private static void awaitRows(UndeliveredStore store, int round) {
        Awaitility.await("held keys in round " + round)
                .atMost(LIMIT)
                .until(
                        () ->
                                store.totals().stream()
                                                .filter(totals -> totals.behindKey() > 0)
                                                .count()
                                        == PARTITIONS);
    }

    /** Until so many members read the partitions, each some. */
    private void awaitMembers(String topic, int count) {
        Group group =
                new Group(sandbox, Side.LOCAL, new ReplicatorSettings(sandbox, topic).groupId());
        Awaitility.await(count + " members")
                .atMost(LIMIT)
                .untilAsserted(
                        () -> {
                            Map<String, List<String>> members = group.members();
                            assertThat(members).hasSize(count);
                            assertThat(members.values())
                                    .allMatch(own -> own.size() == PARTITIONS / count);
                        });
    }

    private void awaitEverything(
            String topic, String full, Traffic traffic, UndeliveredStore store) {
        Awaitility.await("everything arrives")
                .atMost(Duration.ofSeconds(120))
                .pollInterval(Duration.ofSeconds(1))
                .until(
                        () ->
                                store.totals().isEmpty()
                                        && Audit.of(traffic.sent(), sandbox.readBack().both(full))
                                                .lost()
                                                .isEmpty());
        new Group(sandbox, Side.LOCAL, new ReplicatorSettings(sandbox, topic).groupId())
                .awaitCommitted(topic, traffic.total());
    }
}
