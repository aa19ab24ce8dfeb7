package dev.streamconnect.camel.replication;

import static dev.streamconnect.camel.TestRecords.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.streamconnect.camel.CapturedLogs;
import dev.streamconnect.camel.RecordingEngine.RecordingDelivery;
import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.engine.LinkDefinition;
import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.engine.RecordBatch;
import java.util.List;
import org.apache.camel.ResolveEndpointFailedException;
import org.apache.camel.Route;
import org.apache.camel.builder.RouteBuilder;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BuiltRoutesTest extends ReplicationTestSupport {

    private final CapturedLogs logs = new CapturedLogs("", Level.INFO);

    @AfterEach
    void closeLogs() {
        logs.close();
    }

    @Override
    protected String topicReplications() {
        return toServiceNow("orders-to-sn", "orders", "")
                + "- { id: events, direction: fromServiceNow, topicName: events, serviceNowTopic: events, active: true }\n"
                + toServiceNow("mine", "mine", ", route: none")
                + toServiceNow("odd", "odd", ", route: no-such-template")
                + toServiceNow("own", "own", ", route: own-template")
                + toServiceNow("off", "off", "").replace("active: true", "active: false");
    }

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                routeTemplate("own-template")
                        .templateParameter("id")
                        .from("replication:{{id}}")
                        .setHeader("own", constant("yes"))
                        .to("replication:{{id}}");
            }
        };
    }

    @Test
    @DisplayName("each active record that wants one has its route, by its template")
    void builds() {
        assertThat(context.getRoutes())
                .extracting(Route::getId)
                .containsExactlyInAnyOrder("orders-to-sn", "events", "own");
        assertThat(logs.lines())
                .filteredOn(
                        line ->
                                line.startsWith(
                                        "topic replication odd: its route is not built, tried again every"
                                                + " 15 s: there is no route template 'no-such-template'"))
                .hasSize(1);
        assertThat(engine.links.get("orders-to-sn").definition.options().batch()).isTrue();
        assertThat(engine.links.get("own").definition.options().batch()).isFalse();
    }

    @Test
    @DisplayName("the shipped template moves the batch itself")
    void movesBatches() {
        RecordingDelivery delivery =
                engine.links.get("orders-to-sn").deliver(record(1, "k", "v"), record(2, "k", "w"));

        assertThat(delivery.completed).isTrue();
        assertThat(delivery.emitted).hasSize(1);
        assertThat((RecordBatch) delivery.emitted.get(0)).isSameAs(delivery.batch());
    }

    @Test
    @DisplayName("both directions: connections, topics and groups")
    void directions() {
        LinkDefinition to = engine.links.get("orders-to-sn").definition;
        assertThat(to.sources()).hasSize(1);
        assertThat(to.sources().get(0).role()).isEqualTo(ClientRole.CUSTOMER);
        assertThat(to.sources().get(0).groupId()).isEqualTo("acme-consumer-plant");
        assertThat(to.sourceTopic()).isEqualTo("orders");
        assertThat(to.destination().role()).isEqualTo(ClientRole.HERMES_PRODUCER);
        assertThat(to.destinationTopic()).isEqualTo("snc.acme.orders");

        LinkDefinition from = engine.links.get("events").definition;
        assertThat(from.sources())
                .extracting(ConnectionSettings::role)
                .containsExactly(ClientRole.HERMES_A, ClientRole.HERMES_B);
        assertThat(from.sources())
                .extracting(ConnectionSettings::groupId)
                .containsOnly("snc.acme.plant");
        assertThat(from.destination().role()).isEqualTo(ClientRole.CUSTOMER);
        assertThat(from.destination().groupId()).isNull();
        assertThat(from.destinationTopic()).isEqualTo("events");
    }

    @Test
    @DisplayName("reconciling again changes nothing")
    void reconciles() throws Exception {
        ReplicationComponent component =
                context.getComponent("replication", ReplicationComponent.class);
        var before = engine.links.get("own");

        component.reconcile();
        assertThat(engine.links.get("own")).isSameAs(before);
        assertThat(before.closed).isFalse();
    }

    @Test
    @DisplayName(
            "a user's own route on a record with a built route, and a second reader, are refused in one line")
    void oneReader() throws Exception {
        assertThatThrownBy(() -> addRoute("replication:orders-to-sn", "second"))
                .hasStackTraceContaining(
                        "topic replication 'orders-to-sn' gets its route from the template 'topic-replication', so route"
                                + " 'second' cannot read it too");
        addRoute("replication:mine", "first");
        assertThatThrownBy(() -> addRoute("replication:mine", "third"))
                .hasStackTraceContaining(
                        "topic replication 'mine' is read by route 'first' already, so route 'third' cannot read it too");
        context.getRouteController().stopRoute("first");
        context.removeRoute("first");
        addRoute("replication:mine", "fourth");
        assertThat(engine.links.get("mine").closed).isFalse();
    }

    @Test
    @DisplayName("unknown and inactive ids are said in one line, with the near ones")
    void unknownIds() {
        assertThatThrownBy(() -> context.getEndpoint("replication:order-to-sn").createProducer())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "there is no topic replication 'order-to-sn' in the records; did you mean orders-to-sn?");
        assertThatThrownBy(
                        () -> context.getEndpoint("replication:off").createConsumer(exchange -> {}))
                .hasMessageStartingWith("topic replication 'off' is not active");
        assertThatThrownBy(() -> context.getEndpoint("replication:*"))
                .hasStackTraceContaining("id: '*' is a pattern, which goes with an operation");
    }

    @Test
    @DisplayName("operation=status answers the matching states, as objects or JSON")
    void status() throws Exception {
        List<?> all = template.requestBody("replication:*?operation=status", null, List.class);
        assertThat(all).hasSize(5).allMatch(LinkStatus.class::isInstance);
        List<?> one =
                template.requestBody("replication:orders*?operation=status", null, List.class);
        assertThat(one).hasSize(1);

        JsonNode json =
                new ObjectMapper()
                        .readTree(
                                template.requestBody(
                                        "replication:events?operation=status&json=true",
                                        null,
                                        String.class));
        assertThat(json).hasSize(1);
        assertThat(json.get(0).get("id").asText()).isEqualTo("events");
        assertThat(json.get(0).get("state").asText()).isEqualTo("RUNNING");
        assertThat(json.get(0).get("errorSince").isNull()).isTrue();
    }

    @Test
    @DisplayName(
            "an active record that no route reads has a state, too, which says why, and a log line")
    void unread() throws Exception {
        LinkStatus mine = status("mine");
        assertThat(mine.state()).isEqualTo(LinkState.FAILED);
        assertThat(mine.reason())
                .isEqualTo(
                        "no route reads it: its record says 'route: none'; add a route that begins with replication:mine,"
                                + " or name a template in 'route'");
        assertThat(mine.errorSince()).isNotNull();
        assertThat(mine.source()).isEqualTo("mine @ plant");
        assertThat(status("mine").since()).isEqualTo(mine.since());
        assertThat(status("odd").state()).isEqualTo(LinkState.FAILED);
        assertThat(status("odd").reason())
                .startsWith(
                        "its route is not built: there is no route template 'no-such-template'");
        assertThat(logs.lines())
                .filteredOn(
                        line -> line.startsWith("topic replication mine is not copied: no route"))
                .hasSize(1);
        assertThat(logs.lines()).contains("3 of 4 routes are built from the replication records");

        addRoute("replication:mine", "first");
        assertThat(status("mine").state()).isEqualTo(LinkState.RUNNING);
    }

    @Test
    @DisplayName("a route that is there but not started is told by its id")
    void notStarted() throws Exception {
        context.addRoutes(
                new RouteBuilder() {
                    @Override
                    public void configure() {
                        from("replication:mine").routeId("asleep").autoStartup(false).to("mock:x");
                    }
                });
        assertThat(status("mine").state()).isEqualTo(LinkState.STOPPED);
        assertThat(status("mine").reason())
                .isEqualTo("its route 'asleep' is not started; start it");
    }

    @Test
    @DisplayName("the state of what does not exist is refused, with the near ids")
    void noSuchState() {
        assertThatThrownBy(() -> status("event"))
                .hasStackTraceContaining(
                        "replication:event?operation=status: no active topic replication matches; did you mean events?");
        assertThatThrownBy(() -> status("off"))
                .hasStackTraceContaining("known: events, mine, odd, orders-to-sn, own");
    }

    private LinkStatus status(String id) {
        return (LinkStatus)
                template.requestBody("replication:" + id + "?operation=status", null, List.class)
                        .get(0);
    }

    @Test
    @DisplayName(
            "operations that do not exist yet, and unknown options, are refused at the endpoint")
    void refusesOptions() {
        assertThatThrownBy(() -> context.getEndpoint("replication:*?operation=rewind"))
                .hasStackTraceContaining(
                        "operation: 'rewind' is not available in this version; available: status, metrics");
        assertThatThrownBy(() -> context.getEndpoint("replication:events?bach=true"))
                .isInstanceOf(ResolveEndpointFailedException.class)
                .hasMessageContaining("bach");
        assertThatThrownBy(
                        () ->
                                context.getEndpoint("replication:*?operation=status")
                                        .createConsumer(exchange -> {}))
                .hasMessageContaining("is used with 'to', not with 'from'");
    }

    private void addRoute(String from, String id) throws Exception {
        context.addRoutes(
                new RouteBuilder() {
                    @Override
                    public void configure() {
                        from(from).routeId(id).to("mock:x");
                    }
                });
    }
}
