package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.ReplayedPartition;
import dev.streamconnect.engine.ReplayedPartition.Outcome;
import dev.streamconnect.engine.SweepCounts;
import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Side;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.UndeliveredStore;
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("operation=replay")
class ReplayIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int COUNT = 200;

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    @SuppressWarnings("unchecked")
    private static List<ReplayedPartition> replay(Replicator replicator, String id, String from) {
        return replicator
                .main()
                .getCamelContext()
                .createProducerTemplate()
                .requestBody(
                        "replication:" + id + "?operation=replay&replayFrom=" + from,
                        null,
                        List.class);
    }

    private static void operate(Replicator replicator, String id, String operation) {
        replicator
                .main()
                .getCamelContext()
                .createProducerTemplate()
                .requestBody("replication:" + id + "?operation=" + operation, null, Object.class);
    }

    private List<String> delivered(String topic, int partition) {
        return sandbox.readBack().all(Side.A, sandbox.topicName(topic)).stream()
                .filter(record -> record.partition() == partition)
                .map(Stored::text)
                .map(text -> text.length() > 20 ? text.substring(0, 3) : text)
                .toList();
    }

    private void awaitDelivered(String topic, int partition, List<String> texts) {
        Awaitility.await("delivered of " + topic + "-" + partition)
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(delivered(topic, partition)).isEqualTo(texts));
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(String::valueOf).toList();
    }

    private static List<String> twice(List<String> texts) {
        List<String> all = new ArrayList<>(texts);
        all.addAll(texts);
        return all;
    }

    @Test
    @Tag("case-O23")
    @DisplayName("a destination that was made anew gets a full copy, in order")
    void recreatedDestination() throws Exception {
        String topic = "replay-anew";
        sandbox.topics().create(Side.LOCAL, topic, 2, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 2);
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, topic).replicate(topic);
        Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
        try (LocalRecords records = new LocalRecords(sandbox, topic);
                Replicator replicator = Replicator.start(settings, folder)) {
            records.series(0, 0, COUNT).series(1, 0, COUNT);
            replicator.awaitMessages(topic, 2 * COUNT, LIMIT);
            group.awaitCommitted(topic, 2 * COUNT);
            sandbox.topics().delete(sandbox.topicName(topic));
            sandbox.topics().create(sandbox.topicName(topic), 2);

            assertThat(replay(replicator, topic, "earliest"))
                    .containsExactly(
                            new ReplayedPartition(null, 0, Outcome.MOVED, COUNT, 0, ""),
                            new ReplayedPartition(null, 1, Outcome.MOVED, COUNT, 0, ""));
            awaitDelivered(topic, 0, numbers(0, COUNT));
            awaitDelivered(topic, 1, numbers(0, COUNT));
            group.awaitCommitted(topic, 2 * COUNT);
            String future = Instant.now().plusSeconds(3600).toString();
            assertThat(replay(replicator, topic, future))
                    .extracting(ReplayedPartition::outcome)
                    .containsOnly(Outcome.UNCHANGED);
            assertThat(replay(replicator, topic, COUNT - 5 + "&partition=1"))
                    .containsExactly(
                            new ReplayedPartition(null, 1, Outcome.MOVED, COUNT, COUNT - 5, ""));
            List<String> more = new ArrayList<>(numbers(0, COUNT));
            more.addAll(numbers(COUNT - 5, COUNT));
            awaitDelivered(topic, 1, more);
            assertThat(delivered(topic, 0)).hasSize(COUNT);
        }
    }

    @Test
    @Tag("case-O23")
    @DisplayName("the group has the new position: it survives a stop before anything is read anew")
    void survives() throws Exception {
        String topic = "replay-stop";
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 1);
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, topic).replicate(topic);
        Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
        try (LocalRecords records = new LocalRecords(sandbox, topic)) {
            records.series(0, 0, COUNT);
            try (Replicator replicator = Replicator.start(settings, folder)) {
                replicator.awaitMessages(topic, COUNT, LIMIT);
                operate(replicator, topic, "pause");
                assertThat(replay(replicator, topic, "earliest").get(0).outcome())
                        .isEqualTo(Outcome.MOVED);
                assertThat(group.committedTotal(topic)).isZero();
            }
            assertThat(group.committedTotal(topic)).as("after the stop").isZero();
            try (Replicator replicator = Replicator.start(settings, folder)) {
                awaitDelivered(topic, 0, twice(numbers(0, COUNT)));
                group.awaitCommitted(topic, COUNT);
                assertThat(replicator.status(topic).errorSince()).isNull();
            }
        }
    }

    @Test
    @Tag("case-O23")
    @DisplayName("from a time, message by message, while messages come: one step back, then on")
    void underLoad() throws Exception {
        String topic = "replay-load";
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 1);
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic)
                        .replicate(topic, "route: none")
                        .routes(
                                """
                                - route:
                                    from:
                                      uri: replication:%s
                                      steps:
                                        - setHeader:
                                            name: seen
                                            constant: "yes"
                                        - to: replication:%s
                                """
                                        .formatted(topic, topic));
        Instant first = Instant.now().minusSeconds(7200);
        int all = 5_000;
        try (LocalRecords records = new LocalRecords(sandbox, topic, Map.of("linger.ms", 0));
                Replicator replicator = Replicator.start(settings, folder)) {
            Thread sender =
                    new Thread(
                            () -> {
                                for (int i = 0; i < all; i++) {
                                    send(records, first, i);
                                }
                            });
            sender.start();
            replicator.awaitMessages(topic, 1_000, LIMIT);
            ReplayedPartition moved =
                    replay(replicator, topic, first.plusSeconds(50).toString()).get(0);
            assertThat(moved.outcome()).isEqualTo(Outcome.MOVED);
            assertThat(moved.to()).isEqualTo(50);
            sender.join();
            List<String> expected = new ArrayList<>(numbers(0, (int) moved.from()));
            expected.addAll(numbers(50, all));
            replicator.awaitMessages(topic, expected.size(), LIMIT);
            awaitDelivered(topic, 0, expected);
        }
    }

    private static void send(LocalRecords records, Instant first, int number) {
        records.put(
                0,
                first.plusSeconds(number).toEpochMilli(),
                "k" + number % 7,
                String.valueOf(number).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName("rows of the undelivered store stay, and what is repeated keeps the order per key")
    void undelivered() throws Exception {
        String topic = "replay-rows";
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 1, Map.of("max.message.bytes", "100000"));
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic)
                        .replicate(topic)
                        .set("camel.component.replication.undeliveredRetryInitial", "1")
                        .set("camel.component.replication.retryRoute", "false");
        try (UndeliveredDatabase database =
                        UndeliveredDatabase.embedded(folder.resolve("undelivered"));
                UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);
                LocalRecords records = new LocalRecords(sandbox, topic);
                Replicator replicator =
                        Replicator.start(settings, folder, Map.of("store", store))) {
            byte[] large = ("k-2" + "x".repeat(200_000)).getBytes(StandardCharsets.UTF_8);
            records.put(0, "k", "k-1").put(0, "j", "j-1").put(0, null, "k", large);
            records.put(0, "k", "k-3").put(0, "j", "j-2");
            awaitDelivered(topic, 0, List.of("k-1", "j-1", "j-2"));
            awaitRows(store, 2);

            assertThat(replay(replicator, topic, "earliest"))
                    .containsExactly(new ReplayedPartition(null, 0, Outcome.MOVED, 5, 0, ""));
            awaitDelivered(topic, 0, List.of("k-1", "j-1", "j-2", "j-1", "j-2"));
            awaitRows(store, 3);
            for (Side side : List.of(Side.A, Side.B)) {
                sandbox.topics()
                        .configure(
                                side,
                                sandbox.topicName(topic),
                                Map.of("max.message.bytes", "1000000"));
            }
            Awaitility.await("the retry")
                    .atMost(Duration.ofSeconds(120))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(
                            () -> {
                                replicator
                                        .main()
                                        .getCamelContext()
                                        .createProducerTemplate()
                                        .requestBody(
                                                "replication:*?operation=retry",
                                                null,
                                                SweepCounts.class);
                                return store.list(RowSelector.ALL, 0, 10).isEmpty();
                            });
            List<String> ks =
                    delivered(topic, 0).stream().filter(text -> text.startsWith("k")).toList();
            assertThat(ks).containsExactly("k-1", "k-1", "k-2", "k-3");
        }
    }

    private static void awaitRows(UndeliveredStore store, int count) {
        Awaitility.await("rows")
                .atMost(LIMIT)
                .until(() -> store.list(RowSelector.ALL, 0, 10).size() == count);
    }
}
