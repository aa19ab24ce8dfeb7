package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("case-P3")
@DisplayName("A connection that swallows every byte")
class SilenceIT {

    private static final Duration SHORT = Duration.ofSeconds(12);
    private static final Duration LONG = Duration.ofSeconds(60);

    /** After the heal of a hole: a connection attempt runs into its limit, the next one works. */
    private static final Duration RECOVERY = Duration.ofSeconds(10);

    /** Dead flows are given up after request.timeout.ms, 10 s. */
    private static final Duration GIVEN_UP = Duration.ofSeconds(20);

    private static Sandbox sandbox;

    @TempDir Path folder;

    @BeforeAll
    static void open() {
        sandbox = Sandbox.start(SandboxOptions.defaults());
    }

    @AfterAll
    static void close() {
        sandbox.close();
    }

    @AfterEach
    void restore() {
        sandbox.restore();
    }

    private void hole(String topic, Role role, Duration length) throws Exception {
        Outage.Result result =
                new Outage(
                                sandbox,
                                topic,
                                () -> sandbox.blackHole(role),
                                () -> sandbox.heal(role),
                                length,
                                false)
                        .run(folder, sandbox.bootstrap(role));
        assertThat(result.recovery()).isLessThan(RECOVERY);
    }

    private void deadFlows(String topic, Role role) throws Exception {
        sandbox.topics().create(Side.LOCAL, topic, 4, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 4);
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, topic).replicate(topic);
        try (Traffic traffic = new Traffic(sandbox, topic, 40);
                Replicator replicator = Replicator.start(settings, folder)) {
            traffic.send(500, 2_000);
            replicator.awaitMessages(topic, 500, Duration.ofSeconds(60));
            traffic.send(500, 2_000);
            Instant dead = Instant.now();
            sandbox.killConnections(role);
            traffic.send(500, 2_000);
            replicator.awaitMessages(topic, traffic.total(), Duration.ofSeconds(90));
            Duration recovery = Duration.between(dead, Instant.now());
            Audit audit =
                    Audit.of(traffic.sent(), sandbox.readBack().both(sandbox.topicName(topic)));
            System.out.printf("%s: %s, recovery %d ms%n", topic, audit, recovery.toMillis());
            assertThat(audit.lost()).isEmpty();
            assertThat(audit.disorders()).isEmpty();
            assertThat(audit.duplicates()).isLessThanOrEqualTo(1_000);
            assertThat(recovery).isLessThan(GIVEN_UP);
        }
    }

    @Test
    @DisplayName("on the producer ports is seen, and all is delivered within 10 s of the heal")
    void producerHole() throws Exception {
        hole("producer-hole", Role.producer, SHORT);
    }

    @Test
    @DisplayName("on the source's port is seen, and all is delivered within 10 s of the heal")
    void sourceHole() throws Exception {
        hole("source-hole", Role.local, SHORT);
    }

    @Test
    @DisplayName("while new ones work: the producer gives it up after its request timeout")
    void deadProducerFlows() throws Exception {
        deadFlows("dead-producer-flows", Role.producer);
    }

    @Test
    @DisplayName("while new ones work: the source's consumer gives it up after its request timeout")
    void deadSourceFlows() throws Exception {
        deadFlows("dead-source-flows", Role.local);
    }

    @Test
    @Tag("fault")
    @DisplayName("for a minute on the producer ports: delivered within 10 s of the heal")
    void producerHoleForAMinute() throws Exception {
        hole("producer-hole-60", Role.producer, LONG);
    }

    @Test
    @Tag("fault")
    @DisplayName("for a minute on the source's port: delivered within 10 s of the heal")
    void sourceHoleForAMinute() throws Exception {
        hole("source-hole-60", Role.local, LONG);
    }

    @Test
    @Tag("fault")
    @DisplayName("for half a minute on the source's port, less than the group waits: the same")
    void sourceHoleForHalfAMinute() throws Exception {
        hole("source-hole-30", Role.local, Duration.ofSeconds(30));
    }
}
