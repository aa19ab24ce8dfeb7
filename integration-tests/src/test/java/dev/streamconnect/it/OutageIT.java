package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.LinkState;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName(
        "While a cluster is away, everything waits at its source and flows by itself afterwards:")
class OutageIT {

    private static final Duration SHORT = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofSeconds(60);

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

    private Outage.Result localBroker(String topic, Duration length) throws Exception {
        return new Outage(
                        sandbox,
                        topic,
                        () -> sandbox.stopBroker(Side.LOCAL, 0),
                        () -> sandbox.startBroker(Side.LOCAL, 0),
                        length,
                        true)
                .run(folder, sandbox.bootstrap(Role.local));
    }

    private Outage.Result port(String topic, Role role, Duration length) throws Exception {
        return new Outage(
                        sandbox,
                        topic,
                        () -> sandbox.down(role),
                        () -> sandbox.heal(role),
                        length,
                        false)
                .run(folder, sandbox.bootstrap(role));
    }

    private Outage.Result bothSides(String topic, Duration length) throws Exception {
        return new Outage(
                        sandbox,
                        topic,
                        () -> {
                            sandbox.stopBroker(Side.A, 0);
                            sandbox.stopBroker(Side.B, 0);
                        },
                        () -> {
                            sandbox.startBroker(Side.A, 0);
                            sandbox.startBroker(Side.B, 0);
                        },
                        length,
                        false)
                .run(folder, sandbox.bootstrap(Role.producer));
    }

    @Test
    @Tag("case-S13")
    @DisplayName("the source's broker is stopped; its consumer keeps its place in the group")
    void sourceBroker() throws Exception {
        assertThat(localBroker("source-broker", SHORT).joins()).as("rebalances").isLessThan(2);
    }

    @Test
    @Tag("case-S13")
    @DisplayName("the producer ports refuse connections; the source's group does not rebalance")
    void producerPorts() throws Exception {
        assertThat(port("producer-ports", Role.producer, SHORT).joins()).as("rebalances").isZero();
    }

    @Test
    @Tag("case-R10")
    @DisplayName(
            "a node that died and is back waits for its group, says so, and calls it no outage")
    void groupWaitsForTheDead() throws Exception {
        String topic = "dead-node";
        sandbox.topics().create(Side.LOCAL, topic, 4, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 4);
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic)
                        .connectionProperty("session.timeout.ms", "40000")
                        .replicate(topic);
        try (CapturedLog log = CapturedLog.start();
                Traffic traffic = new Traffic(sandbox, topic, 40)) {
            traffic.send(500, 2_000);
            try (Replicator dies = Replicator.start(settings, folder)) {
                dies.awaitMessages(topic, 500, Duration.ofSeconds(60));
                // It can't take its leave.
                sandbox.down(Role.local);
            }
            sandbox.heal(Role.local);
            log.clear();
            try (Replicator replicator = Replicator.start(settings, folder)) {
                traffic.send(500, 2_000);
                replicator.awaitState(topic, LinkState.STALLED, Duration.ofSeconds(30));
                assertThat(replicator.status(topic).reason()).contains(settings.groupId());
                replicator.awaitMessages(topic, 500, Duration.ofSeconds(90));
                replicator.awaitState(topic, LinkState.RUNNING, Duration.ofSeconds(30));
            }
            assertThat(log.lines())
                    .noneMatch(line -> line.text().contains("does not answer"))
                    .noneMatch(line -> line.isOurs() && line.text().contains("new consumer"));
            Audit audit =
                    Audit.of(traffic.sent(), sandbox.readBack().both(sandbox.topicName(topic)));
            assertThat(audit.lost()).isEmpty();
            assertThat(audit.duplicates()).isLessThanOrEqualTo(500);
        }
    }

    @Test
    @Tag("fault")
    @Tag("case-S13")
    @DisplayName("the source's broker is stopped for a minute")
    void sourceBrokerForAMinute() throws Exception {
        assertThat(localBroker("source-broker-60", LONG).joins()).isLessThanOrEqualTo(2);
    }

    @Test
    @Tag("fault")
    @Tag("case-S13")
    @DisplayName("the source's port refuses connections for a minute, longer than the group waits")
    void sourcePortForAMinute() throws Exception {
        assertThat(port("source-port-60", Role.local, LONG).joins()).isLessThanOrEqualTo(2);
    }

    @Test
    @Tag("fault")
    @Tag("case-S13")
    @DisplayName("the producer ports refuse connections for a minute")
    void producerPortsForAMinute() throws Exception {
        assertThat(port("producer-ports-60", Role.producer, LONG).joins()).isZero();
    }

    @Test
    @Tag("fault")
    @Tag("case-S13")
    @Tag("case-O20")
    @DisplayName("the brokers of both sides are stopped for a minute")
    void bothSidesForAMinute() throws Exception {
        assertThat(bothSides("both-sides-60", LONG).joins()).isZero();
    }
}
