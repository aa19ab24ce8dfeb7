package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.health.HealthCheck;
import org.apache.camel.health.HealthCheckRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each state is measured from its cause: the moment before the call that brings it about. {@code
 * idleAfter} and {@code stalledAfter} are two seconds, so that what is measured is how soon the
 * engine sees a cause, with time to spare on a slow machine.
 */
@DisplayName("Within ten seconds of its cause")
class StatesIT {

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Duration TOLD_WITHIN = Duration.ofSeconds(10);

    /** Probes that wait for their limit come before. */
    private static final Duration OUTAGE_WITHIN = Duration.ofSeconds(20);

    private static final String PRINCIPAL = "states";
    private static final String GATE = "gate";

    private static final String IDLE = "states-idle";
    private static final String STALLED = "states-stalled";
    private static final String WAITING = "states-waiting";
    private static final String FAILED = "states-failed";
    private static final String DEGRADED = "states-degraded";
    private static final String PAUSED = "states-paused";
    private static final List<String> TO_SERVICENOW =
            List.of(IDLE, STALLED, WAITING, FAILED, PAUSED);

    private final Gate gate = new Gate(1);
    private Sandbox sandbox;
    private Replicator replicator;

    @TempDir Path folder;

    @BeforeEach
    void start() throws Exception {
        sandbox = Sandbox.start(SandboxOptions.defaults());
        ClientCertificate certificate =
                sandbox.issue(CertificateWish.named(PRINCIPAL).acl(rights()));
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, "states")
                        .certificate(certificate)
                        .set("camel.component.replication.idleAfter", "2000")
                        .set("camel.component.replication.stalledAfter", "2000")
                        .routes(Gate.route(STALLED, GATE));
        for (String topic : TO_SERVICENOW) {
            sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
            sandbox.topics().create(sandbox.topicName(topic), 1);
            if (topic.equals(STALLED)) {
                settings.replicate(topic, "route: none");
            } else {
                settings.replicate(topic);
            }
        }
        sandbox.topics().create(Side.LOCAL, DEGRADED, 1, Map.of());
        sandbox.topics().create(sandbox.topicName(DEGRADED), 1);
        settings.replicateFrom(DEGRADED);
        replicator = Replicator.start(settings, folder, Map.of(GATE, gate));
        for (String topic : TO_SERVICENOW) {
            send(topic);
            replicator.awaitMessages(topic, 1, LIMIT);
        }
        Awaitility.await("both sides are read")
                .atMost(LIMIT)
                .until(() -> replicator.status(DEGRADED).assignedPartitions() == 2);
    }

    @AfterEach
    void stop() {
        gate.openFor(100);
        if (replicator != null) {
            replicator.close();
        }
        sandbox.close();
    }

    /** Of each topic by its name, so that one can be taken away. */
    private String rights() {
        return Stream.concat(TO_SERVICENOW.stream(), Stream.of(DEGRADED))
                .map(topic -> "rw@" + sandbox.topicName(topic))
                .collect(Collectors.joining(";"));
    }

    private void send(String topic) {
        try (LocalRecords records = new LocalRecords(sandbox, topic)) {
            records.put(0, "k", "v");
        }
    }

    /** How long after its cause a state is seen; the cause begins now. */
    private LinkStatus told(String id, LinkState state, Runnable cause) {
        return told(id, state, "", TOLD_WITHIN, cause);
    }

    /** The same of a state with a word in its reason. */
    private LinkStatus told(
            String id, LinkState state, String word, Duration within, Runnable cause) {
        Instant began = Instant.now();
        cause.run();
        Awaitility.await(id + " is " + state)
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> {
                            LinkStatus now = replicator.status(id);
                            return now.state() == state && now.reason().contains(word);
                        });
        Duration took = Duration.between(began, Instant.now());
        LinkStatus status = replicator.status(id);
        System.out.printf("%s after %d ms: %s%n", state, took.toMillis(), status.reason());
        assertThat(took).as("%s", status).isLessThanOrEqualTo(within);
        return status;
    }

    private void operation(String id, String operation) {
        replicator
                .main()
                .getCamelContext()
                .createProducerTemplate()
                .requestBody("replication:" + id + "?operation=" + operation, (Object) null);
    }

    private Map<String, LinkState> all() {
        Map<String, LinkState> all = new TreeMap<>();
        TO_SERVICENOW.forEach(id -> all.put(id, replicator.status(id).state()));
        all.put(DEGRADED, replicator.status(DEGRADED).state());
        return all;
    }

    @Test
    @Tag("case-R10")
    @Tag("case-S2")
    @Tag("case-S1")
    @DisplayName("each state shows, side by side with the others, and ends by itself when mended")
    void toldApart() {
        assertThat(told(PAUSED, LinkState.PAUSED, () -> operation(PAUSED, "pause")).errorSince())
                .isNull();

        LinkStatus stalled = told(STALLED, LinkState.STALLED, () -> send(STALLED));
        assertThat(stalled.reason()).contains("messages wait at the source");
        assertThat(stalled.lag()).isEqualTo(1);

        assertThat(told(IDLE, LinkState.IDLE, () -> {}).lag()).isZero();
        send(IDLE);
        replicator.awaitMessages(IDLE, 2, LIMIT);
        assertThat(replicator.status(IDLE).state()).isEqualTo(LinkState.RUNNING);
        // From the last message on.
        assertThat(told(IDLE, LinkState.IDLE, () -> {}).errorSince()).isNull();

        LinkStatus waiting =
                told(
                        WAITING,
                        LinkState.WAITING,
                        () -> {
                            sandbox.topics().delete(sandbox.topicName(WAITING));
                            send(WAITING);
                        });
        assertThat(waiting.reason()).contains(sandbox.topicName(WAITING));

        LinkStatus failed =
                told(
                        FAILED,
                        LinkState.FAILED,
                        () -> {
                            sandbox.revokeTopic(PRINCIPAL, sandbox.topicName(FAILED));
                            send(FAILED);
                        });
        assertThat(failed.reason()).contains(sandbox.topicName(FAILED));
        assertThat(failed.errorSince()).isNotNull();

        LinkStatus degraded =
                told(DEGRADED, LinkState.DEGRADED, () -> sandbox.down(Role.consumerB));
        assertThat(degraded.reason())
                .contains(sandbox.bootstrap(Role.consumerB), "the other side runs");
        assertThat(degraded.errorSince()).isNotNull();

        assertThat(all())
                .as("all at one time")
                .containsEntry(PAUSED, LinkState.PAUSED)
                .containsEntry(STALLED, LinkState.STALLED)
                .containsEntry(IDLE, LinkState.IDLE)
                .containsEntry(WAITING, LinkState.WAITING)
                .containsEntry(FAILED, LinkState.FAILED)
                .containsEntry(DEGRADED, LinkState.DEGRADED);

        mend();
        for (String id : all().keySet()) {
            Awaitility.await(id + " is well")
                    .atMost(LIMIT)
                    .until(() -> replicator.status(id).errorSince() == null);
        }
        for (String id : List.of(STALLED, WAITING, FAILED)) {
            replicator.awaitMessages(id, 2, LIMIT);
        }
    }

    private void mend() {
        operation(PAUSED, "resume");
        gate.openFor(1);
        sandbox.topics().create(sandbox.topicName(WAITING), 1);
        sandbox.grantTopic(PRINCIPAL, sandbox.topicName(FAILED), "WRITE,DESCRIBE,DESCRIBE_CONFIGS");
        sandbox.heal(Role.consumerB);
    }

    private void awaitHealth(HealthCheck.State state) {
        HealthCheck check =
                HealthCheckRegistry.get(replicator.main().getCamelContext())
                        .getCheck("streamconnect")
                        .orElseThrow();
        Awaitility.await("health is " + state)
                .atMost(LIMIT)
                .until(() -> check.call().getState() == state);
    }

    @Test
    @Tag("case-O25")
    @DisplayName(
            "or twenty an outage of the source, of the destination and of a side shows with its host")
    void outages() {
        told(
                IDLE,
                LinkState.STALLED,
                sandbox.bootstrap(Role.producer),
                OUTAGE_WITHIN,
                () -> {
                    sandbox.down(Role.producer);
                    send(IDLE);
                });
        sandbox.heal(Role.producer);
        replicator.awaitMessages(IDLE, 2, LIMIT);
        awaitHealth(HealthCheck.State.UP);
        told(
                IDLE,
                LinkState.STALLED,
                sandbox.bootstrap(Role.local),
                OUTAGE_WITHIN,
                () -> sandbox.down(Role.local));
        awaitHealth(HealthCheck.State.DOWN);
        sandbox.heal(Role.local);
        Awaitility.await("healed")
                .atMost(LIMIT)
                .until(() -> replicator.status(IDLE).errorSince() == null);
        told(
                DEGRADED,
                LinkState.DEGRADED,
                sandbox.bootstrap(Role.consumerA),
                OUTAGE_WITHIN,
                () -> sandbox.blackHole(Role.consumerA));
    }
}
