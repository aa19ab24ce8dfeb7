package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.Sandbox.Cut;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pause of a fail-over by the clock of the destination's brokers, which stamp each record as it
 * comes: of the partition that waited longest, both sides together.
 */
@Tag("fault")
@DisplayName("The pause that a destination sees")
class FailOverPauseIT {

    /** Odd, so that the median is a round. */
    private static final int ROUNDS = 5;

    private static final int PARTITIONS = 4;
    private static final int PER_SECOND = 400;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Of the producer toward Hermes, by default. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);

    private static Sandbox sandbox;

    @TempDir Path folder;

    @BeforeAll
    static void open() {
        sandbox = Sandbox.start(SandboxOptions.defaults().brokersPerSide(2));
    }

    @AfterAll
    static void close() {
        sandbox.close();
    }

    @AfterEach
    void restore() {
        sandbox.restore();
    }

    /** Lets traffic flow while something happens. */
    private interface Fault {
        void happen(Traffic traffic);
    }

    /** The median of the rounds' pauses. */
    private Duration pause(String topic, int secondsAfter, Fault fault) throws Exception {
        String full = sandbox.topicName(topic);
        sandbox.topics().create(Side.LOCAL, topic, PARTITIONS, Map.of());
        sandbox.topics()
                .create(full, PARTITIONS, Map.of("message.timestamp.type", "LogAppendTime"));
        List<Long> begins = new ArrayList<>();
        try (Traffic traffic = new Traffic(sandbox, topic, 40);
                Replicator replicator =
                        Replicator.start(
                                new ReplicatorSettings(sandbox, topic).replicate(topic), folder)) {
            traffic.send(2 * PER_SECOND, PER_SECOND);
            replicator.awaitMessages(topic, traffic.total(), LIMIT);
            for (int round = 0; round < ROUNDS; round++) {
                traffic.send(PER_SECOND, PER_SECOND);
                begins.add(System.currentTimeMillis());
                fault.happen(traffic);
                traffic.send(secondsAfter * PER_SECOND, PER_SECOND);
                replicator.awaitMessages(topic, traffic.total(), LIMIT);
            }
            begins.add(System.currentTimeMillis());
            List<ReadBack.Stored> stored = sandbox.readBack().both(full);
            assertThat(Audit.of(traffic.sent(), stored).lost()).isEmpty();
            List<Duration> pauses = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                pauses.add(ReadBack.longestPause(stored, begins.get(round), begins.get(round + 1)));
            }
            List<Duration> sorted = pauses.stream().sorted().toList();
            Duration median = sorted.get(ROUNDS / 2);
            System.out.printf(
                    "%s: pause median %d ms, worst %d ms, of %s%n",
                    topic,
                    median.toMillis(),
                    sorted.get(ROUNDS - 1).toMillis(),
                    pauses.stream().map(Duration::toMillis).toList());
            return median;
        }
    }

    @Test
    @DisplayName("of a fail-over is below 2 s")
    void full() throws Exception {
        assertThat(pause("pause-full", 3, traffic -> sandbox.failOver(Cut.rst)))
                .isLessThan(Duration.ofSeconds(2));
    }

    @Test
    @DisplayName("of one whose second half comes 5 s after the first is below 8 s")
    void half() throws Exception {
        assertThat(
                        pause(
                                "pause-half",
                                4,
                                traffic -> {
                                    sandbox.halfFailOver(1);
                                    traffic.send(5 * PER_SECOND, PER_SECOND);
                                    sandbox.failOver(Cut.rst);
                                }))
                .isLessThan(Duration.ofSeconds(8));
    }

    @Test
    @DisplayName("of connections that die silently is below the request time-out and 2 s")
    void deadConnections() throws Exception {
        assertThat(pause("pause-dead", 12, traffic -> sandbox.killConnections(Role.producer)))
                .isLessThan(REQUEST_TIMEOUT.plusSeconds(2));
    }
}
