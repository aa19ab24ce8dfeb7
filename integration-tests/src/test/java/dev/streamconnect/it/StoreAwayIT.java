package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.LinkState;
import dev.streamconnect.it.CapturedLog.Line;
import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Side;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("fault")
@DisplayName("While the database of undelivered messages is stopped")
class StoreAwayIT {

    private static final Duration AWAY =
            Duration.ofSeconds(Integer.getInteger("fault.storeSeconds", 60));
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int REFUSING = 0;
    private static final int GOOD = 1;
    private static final String LARGE = "x".repeat(200_000);

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    /** What each partition was sent, by offset. */
    private final Map<Integer, List<String>> sent =
            Map.of(REFUSING, new java.util.ArrayList<>(), GOOD, new java.util.ArrayList<>());

    @Test
    @Tag("case-U1")
    @DisplayName(
            "a partition that needs it waits with a reason and commits nothing; others go on; all arrive afterwards")
    void awayForAMinute() throws Exception {
        String topic = "store-away";
        String other = "store-away-other";
        for (String each : List.of(topic, other)) {
            sandbox.topics().create(Side.LOCAL, each, 2, Map.of());
            sandbox.topics()
                    .create(sandbox.topicName(each), 2, Map.of("max.message.bytes", "100000"));
        }
        try (PostgreSql server = PostgreSql.started(folder.resolve("postgresql"));
                LocalRecords records = new LocalRecords(sandbox, topic);
                LocalRecords others = new LocalRecords(sandbox, other)) {
            ReplicatorSettings settings =
                    new ReplicatorSettings(sandbox, topic)
                            .replicate(topic)
                            .replicate(other)
                            .set("camel.component.replication.undeliveredUrl", server.url())
                            .set("camel.component.replication.retryInterval", "5000")
                            .set("camel.component.replication.metricsRoute", "false")
                            .set("camel.component.replication.undeliveredRetryInitial", "1000")
                            .set("camel.component.replication.undeliveredRetryMax", "5000");
            Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
            try (CapturedLog log = CapturedLog.start(List.of("org.apache.camel"));
                    Replicator replicator =
                            Replicator.start(settings, folder.resolve("replicator"))) {
                put(records, REFUSING, "a", "a-1");
                put(records, GOOD, "g", "g-0");
                replicator.awaitMessages(topic, 2, LIMIT);
                group.awaitCommitted(topic, 2);

                server.stop();
                log.clear();
                Instant began = Instant.now();
                put(records, REFUSING, "a", "a-2");
                put(records, REFUSING, "b", "b-1" + LARGE);
                put(records, REFUSING, "a", "a-3");
                put(records, REFUSING, "b", "b-2");
                replicator.awaitState(topic, LinkState.STALLED, LIMIT);
                assertThat(replicator.status(topic).reason())
                        .contains(topic + "-" + REFUSING)
                        .contains("waits for the undelivered store");
                int round = 0;
                while (Duration.between(began, Instant.now()).compareTo(AWAY) < 0) {
                    round++;
                    String text = "g-" + round;
                    put(records, GOOD, "g", text);
                    others.put(0, "o", text);
                    Awaitility.await(text + " goes on")
                            .atMost(LIMIT)
                            .until(() -> values(topic).contains(text));
                    assertCommittedIsDelivered(group, topic);
                    // Not STALLED any more: other messages of it move.
                    replicator.awaitState(topic, LinkState.DEGRADED, LIMIT);
                    assertThat(replicator.status(topic).reason())
                            .contains("waits for the undelivered store");
                    assertThat(replicator.status(other).state()).isEqualTo(LinkState.RUNNING);
                }
                assertThat(values(topic)).doesNotContain("a-3", "b-2");
                assertThat(group.committed(topic)).containsEntry(REFUSING, 2L);
                List<Line> lines = log.lines().stream().filter(Line::isWarning).toList();
                System.out.printf(
                        "%s: %d rounds while it was away %d s, lines: %s%n",
                        topic, round, AWAY.toSeconds(), lines);

                assertThat(lines)
                        .as("two states, the retry, perhaps the metrics: each said once")
                        .allMatch(Line::isOurs)
                        .extracting(Line::text)
                        .hasSizeBetween(2, 4)
                        .doesNotHaveDuplicates();

                server.startAgain();
                Instant back = Instant.now();
                Awaitility.await("the store is used again")
                        .atMost(LIMIT)
                        .until(() -> !replicator.status(topic).reason().contains("waits for"));
                Duration recovery = Duration.between(back, Instant.now());
                group.awaitCommitted(topic, sent.get(REFUSING).size() + sent.get(GOOD).size());
                assertThat(values(topic)).contains("a-3").doesNotContain("b-2");
                List<StoredMessage> rows = rows(server);
                assertThat(rows).extracting(row -> row.message().offset()).containsExactly(2L, 4L);
                for (Side side : List.of(Side.A, Side.B)) {
                    sandbox.topics()
                            .configure(
                                    side,
                                    sandbox.topicName(topic),
                                    Map.of("max.message.bytes", "1000000"));
                }
                Awaitility.await("rows delivered")
                        .atMost(Duration.ofSeconds(120))
                        .until(() -> rows(server).isEmpty());
                List<String> refusing = valuesOf(topic, REFUSING);
                System.out.printf("%s: recovery %d ms, %s%n", topic, recovery.toMillis(), refusing);
                assertThat(refusing)
                        .containsExactly("a-1", "a-2", "a-3", "b-1" + LARGE.length(), "b-2");
                assertThat(valuesOf(topic, GOOD)).containsExactlyElementsOf(sent.get(GOOD));
                assertThat(values(other)).hasSize(round);
            }
        }
    }

    private void put(LocalRecords records, int partition, String key, String value) {
        records.put(partition, key, value);
        sent.get(partition).add(shortened(value));
    }

    /** Law 1: all below a committed offset is at the destination; nothing can be stored now. */
    private void assertCommittedIsDelivered(Group group, String topic) {
        Map<Integer, Long> committed = group.committed(topic);
        Set<String> delivered = new HashSet<>(values(topic));
        committed.forEach(
                (partition, offset) ->
                        assertThat(delivered)
                                .as("committed %s", committed)
                                .containsAll(sent.get(partition).subList(0, offset.intValue())));
    }

    private List<String> values(String topic) {
        return stored(topic).stream().map(record -> shortened(record.text())).toList();
    }

    private List<String> valuesOf(String topic, int partition) {
        return stored(topic).stream()
                .filter(record -> record.partition() == partition)
                .map(record -> shortened(record.text()))
                .toList();
    }

    private List<Stored> stored(String topic) {
        return sandbox.readBack().all(Side.A, sandbox.topicName(topic));
    }

    private static String shortened(String text) {
        return text.length() < LARGE.length()
                ? text
                : text.substring(0, 3) + (text.getBytes(StandardCharsets.UTF_8).length - 3);
    }

    private static List<StoredMessage> rows(PostgreSql server) {
        try (UndeliveredDatabase database = server.database()) {
            return database.undeliveredStore(StoreLimits.DEFAULT).list(RowSelector.ALL, 0, 100);
        }
    }
}
