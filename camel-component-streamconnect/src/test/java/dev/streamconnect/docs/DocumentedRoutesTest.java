package dev.streamconnect.docs;

import static dev.streamconnect.camel.TestRecords.bytes;
import static dev.streamconnect.camel.TestRecords.record;
import static dev.streamconnect.camel.TestRecords.shown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.camel.CapturedLogs;
import dev.streamconnect.camel.EngineTestSupport;
import dev.streamconnect.camel.RecordingEngine.RecordingDelivery;
import dev.streamconnect.camel.RecordingEngine.RecordingLink;
import dev.streamconnect.camel.RecordingEngine.Sent;
import dev.streamconnect.camel.hermes.HermesComponent;
import dev.streamconnect.camel.replication.ReplicationComponent;
import dev.streamconnect.docs.Documents.Text;
import dev.streamconnect.engine.RecordBatch;
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.model.ModelCamelContext;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Timers, Quartz and Kafka are stubs, so that a test fires them; deliveries and sends are made by
 * hand.
 */
@DisplayName("The routes of the pages, routes/ and samples/")
class DocumentedRoutesTest extends EngineTestSupport {

    private static final List<String> IDS =
            List.of("orders-to-sn", "alarms-to-sn", "customers-to-sn");

    @TempDir private Path folder;

    @Override
    protected void configure(CamelContext context) throws Exception {
        context.getPropertiesComponent().addOverrideProperty("run.folder", folder.toString());
        context.getComponent("hermes", HermesComponent.class)
                .getConfiguration()
                .setDomain("no-such-domain.invalid");
        ReplicationComponent component =
                context.getComponent("replication", ReplicationComponent.class);
        component.setRecords(
                "file:" + Files.writeString(folder.resolve("records.yaml"), records()));
        component.setBuildRoutes(false);
    }

    private static String records() {
        StringBuilder text =
                new StringBuilder(
                        """
                        version: 1
                        connections:
                          - { id: plant, bootstrapServers: "no-such-host.invalid:9092" }
                        messageReplications:
                          - name: plant
                            connection: plant
                            topicReplications:
                        """);
        for (String id : IDS) {
            text.append(
                    "      - { id: %s, direction: toServiceNow, topicName: %s, serviceNowTopic: %s, route: none }%n"
                            .formatted(id, id, id));
        }
        return text.toString();
    }

    @Test
    @DisplayName("are the same in YAML and in XML")
    void twins() throws Exception {
        Map<String, String> xml = new TreeMap<>();
        for (Text text : RouteTexts.in("xml")) {
            RouteTexts.models(text).values().forEach(model -> xml.put(model, text.place()));
        }
        Map<String, String> yaml = new TreeMap<>();
        for (Text text : RouteTexts.in("yaml")) {
            RouteTexts.models(text).values().forEach(model -> yaml.put(model, text.place()));
        }
        assertThat(yaml).hasSizeGreaterThan(15);
        yaml.forEach(
                (model, place) ->
                        assertThat(xml).as("twin in samples/xml of " + place).containsKey(model));
        xml.forEach(
                (model, place) ->
                        assertThat(yaml).as("twin in YAML of " + place).containsKey(model));
    }

    static Stream<Text> routes() throws Exception {
        return Stream.concat(RouteTexts.in("yaml").stream(), RouteTexts.in("xml").stream());
    }

    @ParameterizedTest
    @MethodSource("routes")
    @DisplayName("do what they say")
    void run(Text text) throws Exception {
        RouteTexts.load(context, stubbed(text));
        for (String id : RouteTexts.models(text).keySet()) {
            try (CapturedLogs logs = new CapturedLogs("", Level.INFO)) {
                run(id, logs);
            }
        }
    }

    private static Text stubbed(Text text) {
        return new Text(
                text.place(),
                text.language(),
                text.content().replaceAll("\\b(timer|quartz|kafka):(?=\\w)", "stub:$1-"));
    }

    private void run(String id, CapturedLogs logs) throws Exception {
        switch (id) {
            case "alarms" -> passes("alarms-to-sn", "a critical alarm", "an alarm");
            case "orders" -> passes("orders-to-sn", "an urgent order", "an order");
            case "masked" -> masked();
            case "audit" -> {
                link("audit").deliver(record(1, "k", "a text"));
                logged(logs, "side A: a text");
            }
            case "incidents" -> {
                link("dispatch").deliver(record(1, "k", "an incident", "site", "hall-3"));
                await().untilAsserted(() -> logged(logs, "dispatched at 3:42"));
                assertThat(sent().topic()).isEqualTo("snc.acme.dispatched");
                assertThat(sent().outgoing().key()).isEqualTo(bytes("hall-3"));
            }
            case "by-kamelets" -> {
                link("dispatch").deliver(record(1, "k", "an incident"));
                assertThat(sent().topic()).isEqualTo("snc.acme.dispatched");
                assertThat(sent().outgoing().key()).isEqualTo(bytes("k"));
            }
            case "heartbeat" -> heartbeat(logs);
            case "orders-in" -> {
                template.requestBodyAndHeader(
                        "stub:kafka-orders", bytes("an order"), "site", "hall-3");
                assertThat(sent().topic()).isEqualTo("snc.acme.orders");
                assertThat(sent().outgoing().value()).isEqualTo(bytes("an order"));
            }
            case "states" -> {
                fire("stub:timer-states");
                logged(logs, "\"id\":\"orders-to-sn\"");
            }
            case "refused" -> {
                withStore(() -> fire("stub:timer-refused"));
                logged(logs, "undelivered: []");
                logged(logs, "windows: []");
            }
            case "status" -> {
                fire("stub:timer-status");
                assertThat(folder.resolve("status.json")).content().contains("orders-to-sn");
            }
            case "undelivered" -> {
                withStore(() -> fire("stub:timer-undelivered"));
                assertThat(folder.resolve("undelivered.json")).content().isEqualTo("[]");
            }
            case "preflight" ->
                    assertThat(template.requestBody("direct:preflight", null, String.class))
                            .contains("\"green\":false");
            case "preflight-at-start" -> {
                fire("stub:timer-preflight");
                logged(logs, "\"green\":false");
            }
            case "resend" -> withStore(this::resend);
            case "last-hour" ->
                    assertThat(template.requestBody("direct:last-hour", null, String.class))
                            .isEqualTo("[]");
            case "metrics-to-topic" -> {
                fire("stub:quartz-metrics-to-topic");
                assertThat(consumer.receiveBody("stub:kafka-metrics", 10_000, String.class))
                        .isEqualTo("[]");
            }
            case "topic-replication" -> {
                fromTemplate(id, Map.of("id", "orders-to-sn"));
                RecordingDelivery delivery =
                        engine.links.get("orders-to-sn").deliver(record(1, "k", "v"));
                assertThat(delivery.completed).isTrue();
                assertThat(delivery.emitted).hasOnlyElementsOfType(RecordBatch.class).hasSize(1);
            }
            case "replication-metrics" -> {
                fromTemplate(id, Map.of());
                assertThat(
                                fire("stub:quartz-streamconnect/replication-metrics")
                                        .getMessage()
                                        .getBody())
                        .isInstanceOf(List.class);
            }
            case "undelivered-retry" -> {
                fromTemplate(id, Map.of());
                withStore(() -> fire("stub:quartz-streamconnect/undelivered-retry"));
                assertThat(engine.retries).isEqualTo(1);
            }
            default -> throw new AssertionError("nothing says what the route " + id + " does");
        }
    }

    private void passes(String id, String passing, String other) {
        RecordingLink link = engine.links.get(id);
        RecordingDelivery passed = link.deliver(record(1, "k", passing, "severity", "critical"));
        assertThat(passed.completed).isTrue();
        assertThat(new String(passed.only().value(), StandardCharsets.UTF_8))
                .isEqualToIgnoringCase(passing);
        assertThat(passed.only().key()).isEqualTo(bytes("k"));
        RecordingDelivery dropped = link.deliver(record(2, "k", other, "severity", "low"));
        assertThat(dropped.completed).isTrue();
        assertThat(dropped.emitted).isEmpty();
    }

    private void masked() {
        RecordingDelivery delivery =
                engine.links
                        .get("customers-to-sn")
                        .deliver(record(1, "k", "card 4711", "session", "x", "site", "hall-3"));
        assertThat(delivery.only().value()).isEqualTo(bytes("card ****"));
        assertThat(shown(delivery.only().headers())).containsExactly("site=hall-3");
    }

    private void heartbeat(CapturedLogs logs) {
        fire("stub:timer-heartbeat");
        assertThat(sent().topic()).isEqualTo("snc.acme.heartbeats");
        assertThat(sent().outgoing().value()).isEqualTo(bytes("alive"));
        engine.answer = () -> CompletableFuture.failedFuture(new TimeoutException("gone"));
        fire("stub:timer-heartbeat");
        logged(logs, "no heartbeat sent: gone");
    }

    private void resend() {
        Exchange resent =
                template.request(
                        "direct:resend",
                        exchange -> exchange.getMessage().setHeader("reason", "AUTHORIZATION"));
        assertThat(resent.getException()).isNull();
        assertThat(resent.getMessage().getHeader("CamelReplicationReason"))
                .isEqualTo("AUTHORIZATION");
        assertThat(resent.getMessage().getBody(String.class)).contains("\"madeDue\":0");
    }

    private Exchange fire(String uri) {
        Exchange fired = template.request(uri, exchange -> {});
        assertThat(fired.getException()).isNull();
        return fired;
    }

    private void fromTemplate(String template, Map<String, Object> parameters) throws Exception {
        ((ModelCamelContext) context).addRouteFromTemplate("built", template, parameters);
    }

    private void withStore(Runnable action) {
        try (UndeliveredDatabase database =
                UndeliveredDatabase.embedded(folder.resolve("undelivered"))) {
            engine.store = database.undeliveredStore(StoreLimits.DEFAULT);
            action.run();
        }
    }

    private RecordingLink link(String group) {
        return engine.links.entrySet().stream()
                .filter(link -> link.getKey().endsWith("@snc.acme." + group))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    private Sent sent() {
        return engine.sent.get(engine.sent.size() - 1);
    }

    private static void logged(CapturedLogs logs, String text) {
        assertThat(logs.lines()).anySatisfy(line -> assertThat(line).contains(text));
    }
}
