package dev.streamconnect.camel.replication;

import static dev.streamconnect.camel.TestRecords.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.camel.CapturedLogs;
import java.util.Map;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.model.RouteDefinition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Messages that do not go to the destination of their own topic replication")
class OwnDestinationTest extends ReplicationTestSupport {

    private final CapturedLogs logs = new CapturedLogs();

    @AfterEach
    void closeLogs() {
        logs.close();
    }

    @Override
    protected String topicReplications() {
        return toServiceNow("a", "a", ", route: none") + toServiceNow("b", "b", ", route: none");
    }

    /** Steps after {@code from: replication:a}. */
    private interface Steps {
        void add(RouteDefinition route);
    }

    private void start(Steps steps) throws Exception {
        context.addRoutes(
                new RouteBuilder() {
                    @Override
                    public void configure() {
                        steps.add(from("replication:a").routeId("slip"));
                    }
                });
    }

    private long warnings(String start) {
        return logs.lines().stream().filter(line -> line.startsWith(start)).count();
    }

    @Test
    @DisplayName("a slip in the id is told when its route starts, and at the first message")
    void slip() throws Exception {
        start(route -> route.to("log:seen").to("replication:b"));
        assertThat(logs.lines())
                .contains(
                        "route slip reads topic replication a and sends nothing to its destination, but to that of b:"
                                + " each message counts as dropped on purpose; end the route with to: replication:a");
        engine.deliver("a", record(1, "k", "v"));
        engine.deliver("a", record(2, "k", "v"));
        assertThat(engine.sent).hasSize(2);
        assertThat(warnings("replication:b: a message of a came here: ")).isEqualTo(1);
    }

    @Test
    @DisplayName("a route without an end is told")
    void nowhere() throws Exception {
        start(route -> route.filter().simple("${header.x} != null").to("log:seen").end());
        assertThat(warnings("route slip reads topic replication a and sends nothing to its"))
                .isOne();
    }

    @Test
    @DisplayName("a second destination beside its own is told at the first message only")
    void fanOut() throws Exception {
        start(route -> route.multicast().to("replication:a", "replication:b"));
        assertThat(warnings("route slip")).isZero();
        engine.deliver("a", record(1, "k", "v"));
        assertThat(warnings("replication:b: a message of a came here: ")).isEqualTo(1);
    }

    @Test
    @DisplayName("nothing is told where another endpoint or a step out of sight may take it")
    void outOfSight() throws Exception {
        for (Steps steps :
                new Steps[] {
                    route -> route.to("hermes:x"),
                    route -> route.to("direct:else"),
                    route -> route.toD("replication:${header.to}"),
                    route -> route.process(exchange -> {}),
                    route ->
                            route.choice()
                                    .when()
                                    .simple("${header.x} == null")
                                    .to("replication:a")
                                    .end()
                }) {
            start(steps);
            context.getRouteController().stopRoute("slip");
            context.removeRoute("slip");
        }
        assertThat(warnings("route slip")).isZero();
    }

    @Test
    @DisplayName("nothing is told when a route of a template is started again")
    void startedAgain() throws Exception {
        context.addRoutes(
                new RouteBuilder() {
                    @Override
                    public void configure() {
                        routeTemplate("forward")
                                .templateParameter("id")
                                .from("replication:{{id}}")
                                .to("replication:{{id}}");
                    }
                });
        context.addRouteFromTemplate("slip", "forward", Map.of("id", "a"));
        context.getRouteController().stopRoute("slip");
        context.getRouteController().startRoute("slip");
        assertThat(warnings("route slip")).isZero();
    }
}
