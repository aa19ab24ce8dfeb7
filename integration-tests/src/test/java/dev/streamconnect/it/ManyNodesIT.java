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
import java.util.function.ToLongFunction;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes leave, join and are killed in turn while messages flow, the broker refuses some and
 * all nodes retry; around every second change it takes what it refused before, so that keys are
 * released then, too.
 */
@Tag("fault")
@DisplayName("Three nodes that share a database, while keys are held and nodes come and go")
class ManyNodesIT {

    private static final int NODES = 3;
    private static final int KILLS = 10;
    private static final int PARTITIONS = 6;
    private static final int KEYS = 1_000;
    private static final int LARGE_EVERY = 50;
    private static final int PER_SECOND = 300;
    private static final int BETWEEN_CHANGES = 2 * PER_SECOND;
    private static final int MAX_UNCOMMITTED = 500;
    private static final int LIMIT_BYTES = 5_000;
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private final Sandbox sandbox = Sandbox.shared();
    private final ExecutorService sender = Executors.newSingleThreadExecutor();
    private final AtomicBoolean flowing = new AtomicBoolean(true);

    @TempDir Path folder;

    @AfterEach
    void end() {
        flowing.set(false);
        sender.shutdown();
    }

    @Test
    @Tag("case-U1")
    @DisplayName("nothing is lost, and first deliveries of each key keep its order")
    void ordered() throws Exception {
        Audit audit = run("many-nodes", "key", KILLS);
        assertThat(audit.disorders()).isEmpty();
        // A row that was sent and not removed before the kill, and what was not committed.
        assertThat(audit.duplicates())
                .isLessThanOrEqualTo(KILLS * PARTITIONS * (MAX_UNCOMMITTED + 500));
    }

    @Test
    @DisplayName("without order per key nothing is lost either, and the order is")
    void unordered() throws Exception {
        assertThat(run("many-nodes-no-order", "none", 2).disorders()).isNotEmpty();
    }

    private Audit run(String topic, String ordering, int kills) throws Exception {
        String full = sandbox.topicName(topic);
        sandbox.topics().create(Side.LOCAL, topic, PARTITIONS, Map.of());
        sandbox.topics().create(full, PARTITIONS);
        // It can't read the topic's settings, so that only the broker knows the limit.
        ClientCertificate blind = sandbox.issue(CertificateWish.named(topic).acl("none"));
        sandbox.grantTopic(topic, full, "READ,WRITE,DESCRIBE");
        try (PostgreSql server = PostgreSql.started(folder.resolve("postgresql"));
                UndeliveredDatabase database = server.database();
                Traffic traffic =
                        new Traffic(sandbox, topic, KEYS).large(LARGE_EVERY, LIMIT_BYTES + 1_000);
                Nodes nodes = new Nodes(() -> settings(topic, ordering, blind, server), folder)) {
            UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);
            // What makes the order worth a look: without order per key nothing is held.
            ToLongFunction<OriginTotals> held =
                    ordering.equals("key") ? OriginTotals::behindKey : OriginTotals::waiting;
            String groupId = new ReplicatorSettings(sandbox, topic).groupId();
            Group group = new Group(sandbox, Side.LOCAL, groupId);
            refuseLarge(full, true);
            nodes.join(NODES).awaitShared(group);
            Future<?> sending = sender.submit(() -> flow(traffic));
            for (int change = 1; change <= 2 * kills; change++) {
                awaitRows(store, held);
                awaitSent(traffic, traffic.total() + BETWEEN_CHANGES);
                long rows = rows(store, held);
                boolean released = change % 4 < 2;
                refuseLarge(full, !released);
                if (change % 2 == 0) {
                    nodes.kill();
                } else {
                    nodes.leave();
                }
                nodes.join();
                System.out.printf(
                        "%s: change %d, %d sent, %d rows held%s%n",
                        topic, change, traffic.total(), rows, released ? ", released" : "");
                refuseLarge(full, true);
            }
            awaitRows(store, held);
            nodes.awaitShared(group);
            refuseLarge(full, false);
            flowing.set(false);
            sending.get();
            awaitEmpty(store);
            group.awaitCommitted(topic, traffic.total());
            Audit audit = Audit.of(traffic.sent(), sandbox.readBack().both(full));
            System.out.printf("%s: sent=%d %s%n", topic, traffic.total(), audit);
            assertThat(audit.lost()).isEmpty();
            return audit;
        }
    }

    private void flow(Traffic traffic) {
        while (flowing.get()) {
            traffic.send(PER_SECOND / 10, PER_SECOND);
        }
    }

    private ReplicatorSettings settings(
            String topic, String ordering, ClientCertificate certificate, PostgreSql server) {
        return new ReplicatorSettings(sandbox, topic)
                .replicate(topic)
                .certificate(certificate)
                .connectionProperty("session.timeout.ms", "6000")
                .connectionProperty("heartbeat.interval.ms", "1000")
                // The broker's limit is one of batches: below it they are not split.
                .set("camel.component.hermes.producerProperties[batch.size]", "4096")
                .set("camel.component.replication.ordering", ordering)
                .set("camel.component.replication.undeliveredUrl", server.url())
                .set("camel.component.replication.maxUncommitted", String.valueOf(MAX_UNCOMMITTED))
                .set("camel.component.replication.retryInterval", "300")
                .set("camel.component.replication.metricsRoute", "false")
                .set("camel.component.replication.undeliveredRetryInitial", "200")
                .set("camel.component.replication.undeliveredRetryMax", "1000")
                .set("camel.component.replication.undeliveredMaxAttempts", "0");
    }

    private void refuseLarge(String full, boolean refuse) {
        String limit = refuse ? String.valueOf(LIMIT_BYTES) : "1000000";
        for (Side side : List.of(Side.A, Side.B)) {
            sandbox.topics().configure(side, full, Map.of("max.message.bytes", limit));
        }
    }

    private static long rows(UndeliveredStore store, ToLongFunction<OriginTotals> kind) {
        return store.totals().stream().mapToLong(kind).sum();
    }

    /** Until messages of this kind are stored of every partition. */
    private static void awaitRows(UndeliveredStore store, ToLongFunction<OriginTotals> kind) {
        Awaitility.await("rows of every partition")
                .atMost(LIMIT)
                .until(
                        () ->
                                store.totals().stream()
                                                .filter(totals -> kind.applyAsLong(totals) > 0)
                                                .count()
                                        == PARTITIONS);
    }

    private static void awaitSent(Traffic traffic, int total) {
        Awaitility.await(total + " sent").atMost(LIMIT).until(() -> traffic.total() >= total);
    }

    private static void awaitEmpty(UndeliveredStore store) {
        Awaitility.await("everything retried")
                .atMost(LIMIT)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> store.totals().isEmpty());
    }
}
