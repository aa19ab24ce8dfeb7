package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName(
        "A message that the destination refuses, while no store takes it, stops its partition:")
class RefusedMessageIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int REFUSED = 200_000;

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    private void topics(String topic, Map<String, String> destination) {
        sandbox.topics().create(Side.LOCAL, topic, 2, Map.of("retention.ms", "-1"));
        sandbox.topics().create(sandbox.topicName(topic), 2, destination);
    }

    private void configure(String topic, String name, String value) {
        for (Side side : List.of(Side.A, Side.B)) {
            sandbox.topics().configure(side, sandbox.topicName(topic), Map.of(name, value));
        }
    }

    private List<Stored> delivered(String topic, int partition) {
        return sandbox.readBack().all(Side.A, sandbox.topicName(topic)).stream()
                .filter(record -> record.partition() == partition)
                .toList();
    }

    private void awaitDelivered(String topic, int partition, int count) {
        Awaitility.await("delivered of " + topic + "-" + partition)
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(delivered(topic, partition)).hasSize(count));
    }

    private static String[] numbers(int count) {
        return IntStream.range(0, count).mapToObj(String::valueOf).toArray(String[]::new);
    }

    /** FAILED, with the offset of the refused message; nothing of its partition goes past it. */
    private LinkStatus stoppedAt(Replicator replicator, String topic, long offset) {
        replicator.awaitState(topic, LinkState.FAILED, LIMIT);
        LinkStatus failed = replicator.status(topic);
        assertThat(failed.reason())
                .contains("offset " + offset + " of " + topic + "-0")
                .contains(sandbox.topicName(topic));
        assertThat(failed.errorSince()).isNotNull();
        return failed;
    }

    private void othersGoOn(LocalRecords records, String topic) {
        records.series(1, 10, 10);
        awaitDelivered(topic, 1, 20);
        assertThat(delivered(topic, 1)).extracting(Stored::text).containsExactly(numbers(20));
    }

    @Test
    @Tag("case-F19")
    @DisplayName("over the topic's limit, between small ones; flows when the limit is raised")
    void tooLarge() throws Exception {
        String topic = "refused-large";
        topics(topic, Map.of("max.message.bytes", "100000"));
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, topic).replicate(topic);
        try (LocalRecords records = new LocalRecords(sandbox, topic);
                Replicator replicator = Replicator.start(settings, folder)) {
            records.series(0, 0, 2).put(0, null, "k", new byte[REFUSED]).series(0, 3, 2);
            records.series(1, 0, 10);
            LinkStatus failed = stoppedAt(replicator, topic, 2);
            assertThat(failed.reason())
                    .contains(REFUSED + 1 + " bytes")
                    .contains("limit of 100000 bytes");
            othersGoOn(records, topic);
            assertThat(delivered(topic, 0)).extracting(Stored::text).containsExactly("0", "1");
            new Group(sandbox, Side.LOCAL, settings.groupId()).awaitCommitted(topic, 2 + 20);

            configure(topic, "max.message.bytes", "1000000");
            awaitDelivered(topic, 0, 5);
            assertThat(delivered(topic, 0))
                    .extracting(r -> r.value().length)
                    .containsExactly(1, 1, REFUSED, 1, 1);
            replicator.awaitState(topic, LinkState.RUNNING, LIMIT);
            assertThat(replicator.status(topic).errorSince()).isNull();
        }
    }

    @Test
    @Tag("case-F19")
    @DisplayName("over our own limit; flows after a restart with a larger one")
    void overOwnLimit() throws Exception {
        String topic = "refused-own";
        topics(topic, Map.of());
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic)
                        .replicate(topic)
                        .set("camel.component.hermes.maxMessageBytes", "100000");
        try (LocalRecords records = new LocalRecords(sandbox, topic)) {
            records.series(0, 0, 2).put(0, null, "k", new byte[REFUSED]).series(0, 3, 2);
            records.series(1, 0, 10);
            try (Replicator replicator = Replicator.start(settings, folder)) {
                stoppedAt(replicator, topic, 2);
                othersGoOn(records, topic);
                assertThat(delivered(topic, 0)).hasSize(2);
            }
            settings.set("camel.component.hermes.maxMessageBytes", "2000000");
            try (Replicator replicator = Replicator.start(settings, folder)) {
                awaitDelivered(topic, 0, 5);
                assertThat(delivered(topic, 0))
                        .extracting(r -> r.value().length)
                        .containsExactly(1, 1, REFUSED, 1, 1);
                assertThat(delivered(topic, 1)).hasSize(20);
                replicator.awaitState(topic, LinkState.RUNNING, LIMIT);
            }
        }
    }

    @Test
    @DisplayName("without a key, into a compacted topic")
    void nullKey() throws Exception {
        String topic = "refused-key";
        topics(topic, Map.of("cleanup.policy", "compact"));
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, topic).replicate(topic);
        try (LocalRecords records = new LocalRecords(sandbox, topic);
                Replicator replicator = Replicator.start(settings, folder)) {
            records.series(0, 0, 1).put(0, null, "1").series(0, 2, 1);
            records.series(1, 0, 10);
            assertThat(stoppedAt(replicator, topic, 1).reason())
                    .contains("without a key")
                    .contains("compacted");
            othersGoOn(records, topic);
            assertThat(delivered(topic, 0)).extracting(Stored::text).containsExactly("0");
            configure(topic, "cleanup.policy", "delete");
            awaitDelivered(topic, 0, 3);
        }
    }

    @Test
    @Tag("case-F11")
    @DisplayName("older than the topic's retention; flows with its timestamp when kept for ever")
    void tooOld() throws Exception {
        String topic = "refused-old";
        long old = 1_000_000_000_000L;
        topics(topic, Map.of("retention.ms", String.valueOf(Duration.ofHours(36).toMillis())));
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, topic).replicate(topic);
        try (LocalRecords records = new LocalRecords(sandbox, topic);
                Replicator replicator = Replicator.start(settings, folder)) {
            records.series(0, 0, 1).put(0, old, "k", "1".getBytes()).series(0, 2, 1);
            records.series(1, 0, 10);
            assertThat(stoppedAt(replicator, topic, 1).reason())
                    .contains(String.valueOf(old))
                    .contains("retention of 129600000 ms");
            othersGoOn(records, topic);
            assertThat(delivered(topic, 0)).hasSize(1);
            configure(topic, "retention.ms", "-1");
            awaitDelivered(topic, 0, 3);
            assertThat(delivered(topic, 0).get(1).timestamp()).isEqualTo(old);
        }
    }
}
