package dev.streamconnect.camel.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.camel.EngineFactory;
import dev.streamconnect.camel.RecordingEngine;
import dev.streamconnect.cluster.CertificateLife;
import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.MissingRight;
import dev.streamconnect.cluster.OptionalRight;
import dev.streamconnect.engine.CertificateStatus;
import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.engine.PositionEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.camel.console.DevConsole;
import org.apache.camel.console.DevConsoleRegistry;
import org.apache.camel.health.HealthCheck;
import org.apache.camel.health.HealthCheckRegistry;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.impl.console.DefaultDevConsoleRegistry;
import org.apache.camel.impl.health.DefaultHealthCheckRegistry;
import org.apache.camel.util.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ConsolesTest {

    /** An earlier state had it already. */
    private static final Instant ERROR_SINCE = Instant.EPOCH.minusSeconds(60);

    private final DefaultCamelContext context = new DefaultCamelContext();
    private final RecordingEngine engine = new RecordingEngine();
    private static final Instant UNTIL = Instant.parse("2026-02-01T00:00:00Z");

    private final HealthCheckRegistry checks = new DefaultHealthCheckRegistry(context);
    private final DevConsoleRegistry consoles = new DefaultDevConsoleRegistry(context);

    @BeforeEach
    void start() {
        context.getRegistry()
                .bind("engine", EngineFactory.class, (EngineFactory) settings -> engine);
        context.getCamelContextExtension().addContextPlugin(HealthCheckRegistry.class, checks);
        context.getCamelContextExtension().addContextPlugin(DevConsoleRegistry.class, consoles);
        context.start();
        Consoles.register(context);
        Consoles.register(context);
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private void state(LinkState state, String reason) {
        engine.states =
                List.of(
                        new LinkStatus(
                                "orders-to-sn",
                                state,
                                reason,
                                Instant.EPOCH,
                                state.isProblem() ? ERROR_SINCE : null,
                                "orders @ plant",
                                "snc.acme.orders @ hermes",
                                1,
                                4,
                                5,
                                50,
                                0,
                                7,
                                8,
                                9,
                                10,
                                "another node",
                                List.of(
                                        MissingRight.of(
                                                new ConnectionSettings(
                                                        "hermes",
                                                        ClientRole.HERMES_PRODUCER,
                                                        "localhost:4000",
                                                        null,
                                                        Map.of("security.protocol", "SSL")),
                                                OptionalRight.DESTINATION_SETTINGS,
                                                "snc.acme.orders")),
                                List.of(
                                        new PositionEvent(
                                                PositionEvent.Kind.GAP,
                                                "orders",
                                                null,
                                                2,
                                                20,
                                                60,
                                                40,
                                                Instant.EPOCH,
                                                false))));
    }

    private HealthCheck.Result health() {
        return checks.getCheck(LinksHealthCheck.ID).orElseThrow().call();
    }

    @Test
    @Tag("case-O25")
    @DisplayName("readiness is down while a topic replication does not work, and says why")
    void readiness() {
        assertThat(health().getState()).isEqualTo(HealthCheck.State.UP);
        state(LinkState.RUNNING, "");
        assertThat(health().getState()).isEqualTo(HealthCheck.State.UP);
        assertThat(health().getDetails()).containsEntry("orders-to-sn", "RUNNING");

        state(LinkState.STALLED, "plant (localhost:9092) does not answer");
        HealthCheck.Result down = health();
        assertThat(down.getState()).isEqualTo(HealthCheck.State.DOWN);
        assertThat(down.getMessage().orElseThrow())
                .contains("orders-to-sn is STALLED since 1970-01-01T00:00:00Z: ")
                .contains("does not answer");
        assertThat(down.getDetails())
                .containsEntry("orders-to-sn", "STALLED")
                .containsEntry("orders-to-sn.reason", "plant (localhost:9092) does not answer");
        assertThat(checks.getCheck(LinksHealthCheck.ID).orElseThrow().isLiveness()).isFalse();

        state(LinkState.IDLE, "");
        assertThat(health().getState()).as("idle is well").isEqualTo(HealthCheck.State.UP);
    }

    @Test
    @Tag("case-S3")
    @DisplayName("readiness stays up while a certificate ends, and says when and what to do")
    void certificate() {
        engine.certificates =
                List.of(
                        new CertificateStatus(
                                "hermes",
                                "side A",
                                new CertificateLife("CN=c", "1F", Instant.EPOCH, UNTIL),
                                "it ends, have a new one issued"));
        HealthCheck.Result health = health();
        assertThat(health.getState()).isEqualTo(HealthCheck.State.UP);
        assertThat(health.getMessage()).hasValue("hermes: it ends, have a new one issued");
        assertThat(health.getDetails())
                .containsEntry("certificate.hermes.side.A", "until " + UNTIL);
        DevConsole console = (DevConsole) consoles.getConsole(LinksDevConsole.ID).orElseThrow();
        assertThat(((JsonObject) console.call(DevConsole.MediaType.JSON)).toJson())
                .contains("\"subject\":\"CN=c\"", "\"serial\":\"1F\"");
    }

    @Test
    @DisplayName("readiness stays up while a part does not work, and says so")
    void notWhole() {
        for (LinkState state :
                List.of(
                        LinkState.DEGRADED,
                        LinkState.THROTTLED,
                        LinkState.BLOCKED_BY_TRANSACTION,
                        LinkState.WAITING)) {
            state(state, "side B is away");
            assertThat(health().getState()).as("%s", state).isEqualTo(HealthCheck.State.UP);
            assertThat(health().getMessage().orElseThrow())
                    .contains("orders-to-sn is " + state, "side B is away");
        }
    }

    @Test
    @DisplayName("the dev console shows the states as text and as JSON")
    void console() {
        state(LinkState.RUNNING, "");
        DevConsole console = (DevConsole) consoles.getConsole(LinksDevConsole.ID).orElseThrow();
        assertThat(console.call(DevConsole.MediaType.TEXT).toString())
                .contains("orders-to-sn: RUNNING", "notice: another node")
                .contains("GAP 40 message(s) of orders-2, offsets 20 to 59")
                .contains(
                        "optional right: DescribeConfigs on topic snc.acme.orders is missing at"
                                + " hermes producer (localhost:4000): messages are not checked",
                        "have a certificate issued with DescribeConfigs on topic snc.acme.orders");
        assertThat(((JsonObject) console.call(DevConsole.MediaType.JSON)).toJson())
                .contains("\"id\":\"orders-to-sn\"")
                .contains("\"state\":\"RUNNING\"")
                .contains("\"notice\":\"another node\"")
                .contains("\"right\":\"DescribeConfigs\"", "topic snc.acme.orders")
                .contains("\"from\":20,\"to\":60");
    }
}
