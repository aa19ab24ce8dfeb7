package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("case-U9")
@DisplayName("A quota of the brokers")
class QuotaIT {

    private static final Duration LIMIT = Duration.ofSeconds(180);
    private static final int MESSAGE = 10_000;

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    /** What was seen on the way. */
    private record Seen(Set<LinkState> states, List<String> reasons, long throttleMillis) {}

    /**
     * Replicates so many messages of 10 kB while Hermes takes so many bytes a second.
     *
     * @param node part of the client's id, so that the quota is of this test alone
     */
    private Seen replicate(String topic, int count, double bytesPerSecond) throws Exception {
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 1);
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic)
                        .set("camel.component.replication.node", topic)
                        .set("camel.component.replication.metricsInterval", "1000")
                        .replicate(topic);
        KeptWindows windows = new KeptWindows();
        Set<LinkState> states = EnumSet.noneOf(LinkState.class);
        List<String> reasons = new ArrayList<>();
        String client = "hermes-hermes-producer-" + topic;
        quota(client, bytesPerSecond);
        try (CapturedLog log = CapturedLog.start();
                LocalRecords records = new LocalRecords(sandbox, topic)) {
            Instant began;
            try (Replicator replicator =
                    Replicator.start(settings, folder, Map.of("windows", windows))) {
                replicator.awaitState(topic, LinkState.RUNNING, LIMIT);
                // Random, so that no codec makes it less.
                Random random = new Random(1);
                for (int i = 0; i < count; i++) {
                    byte[] value = new byte[MESSAGE];
                    random.nextBytes(value);
                    records.send(0, null, String.valueOf(i), value);
                }
                records.producer().flush();
                began = Instant.now();
                Awaitility.await("all of " + topic)
                        .atMost(LIMIT)
                        .pollInterval(Duration.ofMillis(100))
                        .until(
                                () -> {
                                    LinkStatus status = replicator.status(topic);
                                    if (states.add(status.state())) {
                                        reasons.add(status.reason());
                                    }
                                    return status.messages() >= count;
                                });
                Duration took = Duration.between(began, Instant.now());
                replicator.awaitState(topic, LinkState.RUNNING, LIMIT);
                assertThat(replicator.status(topic).errorSince()).isNull();
                System.out.printf(
                        "quota %.0f B/s: %d messages of %d bytes in %d ms, states %s, %s%n",
                        bytesPerSecond, count, MESSAGE, took.toMillis(), states, reasons);
            }
            assertThat(log.lines())
                    .filteredOn(line -> line.isOurs())
                    .noneMatch(line -> line.text().contains("does not answer"))
                    .noneMatch(line -> line.text().contains("sent again"));
        } finally {
            quota(client, null);
        }
        List<Stored> arrived = sandbox.readBack().both(sandbox.topicName(topic));
        assertThat(arrived)
                .as("all once, in order")
                .extracting(Stored::keyText)
                .containsExactlyElementsOf(
                        IntStream.range(0, count).mapToObj(String::valueOf).toList());
        long throttled =
                windows.of(topic).stream().mapToLong(window -> window.throttleMillis()).sum();
        return new Seen(states, reasons, throttled);
    }

    private void quota(String client, Double bytesPerSecond) {
        for (Side side : List.of(Side.A, Side.B)) {
            sandbox.topics().quota(side, client, "producer_byte_rate", bytesPerSecond);
        }
    }

    private void assertThrottled(Seen seen) {
        assertThat(seen.states())
                .contains(LinkState.THROTTLED)
                .doesNotContain(LinkState.STALLED, LinkState.FAILED);
        assertThat(seen.reasons())
                .anyMatch(
                        reason ->
                                reason.contains("producer (" + sandbox.bootstrap(Role.producer))
                                        && reason.contains("quota")
                                        && reason.contains(" % of the last 10 s"));
        assertThat(seen.throttleMillis()).isPositive();
    }

    @Test
    @DisplayName("slows down, says so, and every message arrives once")
    void slowsDown() throws Exception {
        assertThrottled(replicate("quota", 250, 100_000));
    }

    @Test
    @Tag("fault")
    @DisplayName("that asks to wait for longer than an outage takes to be seen is no outage")
    void longWaits() throws Exception {
        assertThrottled(replicate("quota-long", 150, 20_000));
    }

    @Test
    @Tag("fault")
    @DisplayName("of 100 kB/s lets 5 MB through, every message once")
    void fiveMegabytes() throws Exception {
        assertThrottled(replicate("quota-5mb", 500, 100_000));
    }
}
