package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Offsets without a message, of transactions and compaction,")
class TransactionsIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    private static void transaction(LocalRecords records, boolean commit, int... values) {
        records.producer().beginTransaction();
        for (int value : values) {
            records.send(0, null, "k", bytes(value));
        }
        records.producer().flush();
        if (commit) {
            records.producer().commitTransaction();
        } else {
            records.producer().abortTransaction();
        }
    }

    private static byte[] bytes(int value) {
        return String.valueOf(value).getBytes(StandardCharsets.UTF_8);
    }

    private List<String> delivered(String topic) {
        return sandbox.readBack().all(Side.A, sandbox.topicName(topic)).stream()
                .map(Stored::text)
                .toList();
    }

    private long end(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        return sandbox.topics()
                .admin(
                        Side.LOCAL,
                        admin ->
                                admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                                        .partitionResult(partition))
                .offset();
    }

    /** Waits for lag 0; gives all lags seen on the way. */
    private static List<Long> untilNoLag(Replicator replicator, String topic) {
        List<Long> lags = Collections.synchronizedList(new ArrayList<>());
        Awaitility.await("lag of " + topic)
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> {
                            long lag = replicator.status(topic).lag();
                            lags.add(lag);
                            return lag == 0;
                        });
        return lags;
    }

    @Test
    @Tag("case-O6")
    @Tag("case-O7")
    @DisplayName("aborted messages stay where they are, and markers are no lag")
    void transactions() throws Exception {
        String topic = "transactions";
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 1);
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, topic).replicate(topic);
        Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
        try (LocalRecords transactional =
                        new LocalRecords(sandbox, topic, Map.of("transactional.id", topic));
                LocalRecords plain = new LocalRecords(sandbox, topic);
                Replicator replicator = Replicator.start(settings, folder)) {
            transactional.producer().initTransactions();
            transaction(transactional, true, 1, 2);
            transaction(transactional, false, 3, 4);
            plain.put(0, "k", "5");
            replicator.awaitMessages(topic, 3, LIMIT);
            assertThat(untilNoLag(replicator, topic)).allMatch(lag -> lag >= -1);
            assertThat(delivered(topic)).containsExactly("1", "2", "5");

            transaction(transactional, true, IntStream.range(100, 200).toArray());
            replicator.awaitMessages(topic, 103, LIMIT);
            assertThat(untilNoLag(replicator, topic)).allMatch(lag -> lag >= 0);
            // Markers included: the next start reads nothing again.
            group.awaitCommitted(topic, end(topic));
            assertThat(delivered(topic)).hasSize(103).doesNotContain("3", "4");
            assertThat(replicator.status(topic).state()).isEqualTo(LinkState.RUNNING);
        }
    }

    @Test
    @DisplayName("of a transaction that stays open are a state with place and time, and go on")
    void staysOpen() throws Exception {
        String topic = "open-transaction";
        sandbox.topics().create(Side.LOCAL, topic, 2, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 2);
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic)
                        .set("camel.component.replication.stalledAfter", "2000")
                        .set("camel.component.replication.idleAfter", "1000")
                        .replicate(topic);
        try (LocalRecords transactional =
                        new LocalRecords(
                                sandbox,
                                topic,
                                Map.of(
                                        "transactional.id",
                                        topic,
                                        "transaction.timeout.ms",
                                        "600000"));
                LocalRecords plain = new LocalRecords(sandbox, topic);
                Replicator replicator = Replicator.start(settings, folder)) {
            plain.put(0, "k", "1").put(1, "k", "2");
            replicator.awaitMessages(topic, 2, LIMIT);
            replicator.awaitState(topic, LinkState.IDLE, LIMIT);
            transactional.producer().initTransactions();
            transactional.producer().beginTransaction();
            transactional.send(0, null, "k", bytes(3));
            transactional.producer().flush();
            plain.put(0, "k", "4");
            Instant opened = Instant.now();
            replicator.awaitState(topic, LinkState.BLOCKED_BY_TRANSACTION, LIMIT);
            System.out.printf(
                    "an open transaction is seen after %d ms%n",
                    Duration.between(opened, Instant.now()).toMillis());
            LinkStatus blocked = replicator.status(topic);
            assertThat(blocked.reason())
                    .contains(
                            topic + "-0",
                            "2 offset(s) from 1 on",
                            "since " + opened.toString().substring(0, 11));
            assertThat(blocked.errorSince()).isBetween(opened.minusSeconds(5), Instant.now());
            assertThat(blocked.lag()).as("what may not be read is no lag").isZero();
            plain.put(1, "k", "5");
            replicator.awaitMessages(topic, 3, LIMIT);
            assertThat(replicator.status(topic).state())
                    .as("the other partition goes on")
                    .isEqualTo(LinkState.BLOCKED_BY_TRANSACTION);
            transactional.producer().abortTransaction();
            replicator.awaitMessages(topic, 4, LIMIT);
            Awaitility.await("over")
                    .atMost(LIMIT)
                    .until(() -> replicator.status(topic).errorSince() == null);
            assertThat(delivered(topic)).containsExactlyInAnyOrder("1", "2", "4", "5");
        }
    }

    @Test
    @Tag("case-O9")
    @DisplayName("holes of a compacted topic are no gap")
    void compacted() throws Exception {
        String topic = "compacted";
        sandbox.topics()
                .create(
                        Side.LOCAL,
                        topic,
                        1,
                        Map.of(
                                "cleanup.policy",
                                "compact",
                                "segment.ms",
                                "200",
                                "min.cleanable.dirty.ratio",
                                "0.01",
                                "max.compaction.lag.ms",
                                "500"));
        sandbox.topics().create(sandbox.topicName(topic), 1);
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, topic).replicate(topic);
        try (LocalRecords records = new LocalRecords(sandbox, topic);
                CapturedLog log = CapturedLog.start()) {
            for (int i = 0; i < 100; i++) {
                records.put(0, "k" + i % 10, String.valueOf(i));
            }
            List<Stored> left = new ArrayList<>();
            Awaitility.await("compaction")
                    .atMost(Duration.ofSeconds(90))
                    .untilAsserted(
                            () -> {
                                records.put(0, "roll", "-");
                                left.clear();
                                left.addAll(sandbox.readBack().all(Side.LOCAL, topic));
                                assertThat(left.get(0).offset()).isPositive();
                                assertThat(left.get(left.size() - 1).offset() + 1)
                                        .isGreaterThan(left.size());
                            });
            try (Replicator replicator = Replicator.start(settings, folder)) {
                untilNoLag(replicator, topic);
                new Group(sandbox, Side.LOCAL, settings.groupId())
                        .awaitCommitted(topic, end(topic));
                // Compaction goes on meanwhile, so fewer of the key "roll" may be left.
                assertThat(delivered(topic)).contains("90", "91", "99");
                assertThat(replicator.status(topic).errorSince()).isNull();
            }
            assertThat(log.ourWarnings()).isEmpty();
        }
    }
}
