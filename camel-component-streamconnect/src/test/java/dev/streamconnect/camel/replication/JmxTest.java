package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.streamconnect.camel.console.Consoles;
import dev.streamconnect.camel.hermes.HermesComponent;
import dev.streamconnect.camel.hermes.HermesConfiguration;
import dev.streamconnect.engine.LinkState;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.StoredState;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.console.DevConsole;
import org.apache.camel.console.DevConsoleRegistry;
import org.apache.camel.impl.console.DefaultDevConsoleRegistry;
import org.apache.camel.test.junit5.TestExecutionConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("JMX")
class JmxTest extends UndeliveredTestSupport {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SECRET = "hush-hush";
    private static final String URI_SECRET = "hush-uri";

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    @Override
    public void configureTest(TestExecutionConfiguration test) {
        super.configureTest(test);
        test.withJMX(true);
    }

    @Override
    protected void configure(CamelContext context) throws Exception {
        super.configure(context);
        HermesConfiguration hermes =
                context.getComponent("hermes", HermesComponent.class).getConfiguration();
        hermes.getConsumerProperties().put("sasl.jaas.config", SECRET);
        hermes.getProducerProperties().put("ssl.key.password", SECRET);
        ReplicationComponent component =
                context.getComponent("replication", ReplicationComponent.class);
        component.setUndeliveredUser("u");
        component.setUndeliveredPassword(SECRET);
    }

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("replication:orders-to-sn").routeId("orders").to("mock:x");
                from("replication:events-to-sn").routeId("events").to("replication:events-to-sn");
                from("hermes:alarms?groupId=audit&keystorePassword=" + URI_SECRET)
                        .routeId("alarms")
                        .to("hermes:others?producer.ssl.key.password=" + URI_SECRET);
                from("direct:pause").to("replication:*?operation=pause");
            }
        };
    }

    private Set<ObjectName> names(String query) throws JMException {
        return new TreeSet<>(
                server.queryNames(
                        new ObjectName(
                                "org.apache.camel:context="
                                        + context.getManagementName()
                                        + ","
                                        + query),
                        null));
    }

    private ObjectName link(String id) throws JMException {
        Set<ObjectName> found = names("type=replications,name=" + ObjectName.quote(id));
        assertThat(found).as(id).hasSize(1);
        return found.iterator().next();
    }

    private ObjectName component() throws JMException {
        return names("type=components,name=\"replication\"").iterator().next();
    }

    private Object attribute(String id, String attribute) throws JMException {
        return server.getAttribute(link(id), attribute);
    }

    private JsonNode invoke(ObjectName bean, String operation, String... arguments)
            throws Exception {
        String[] types = new String[arguments.length];
        Arrays.fill(types, String.class.getName());
        return JSON.readTree((String) server.invoke(bean, operation, arguments, types));
    }

    private String refusal(ObjectName bean, String operation, String... arguments) {
        Throwable failure = catchThrowable(() -> invoke(bean, operation, arguments));
        assertThat(failure).as(operation + Arrays.toString(arguments)).isNotNull();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            assertThat(cause.getClass().getName()).as("known everywhere").startsWith("java");
            failure = cause;
        }
        assertThat(failure.getMessage()).hasSizeLessThan(400).doesNotContain("\n");
        return failure.getMessage();
    }

    @Test
    @DisplayName("has a bean for each topic replication and consumer, under its id")
    void attributes() throws Exception {
        assertThat(names("type=replications,*"))
                .extracting(name -> ObjectName.unquote(name.getKeyProperty("name")))
                .containsExactlyInAnyOrder(
                        "orders-to-sn", "events-to-sn", "snc.acme.alarms@snc.acme.audit");
        assertThat(attribute("orders-to-sn", "Id")).isEqualTo("orders-to-sn");
        assertThat(attribute("orders-to-sn", "State")).isEqualTo("RUNNING");
        assertThat(attribute("orders-to-sn", "Reason")).isEqualTo("");
        assertThat(attribute("orders-to-sn", "Since")).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(attribute("orders-to-sn", "ErrorSince")).isNull();
        assertThat(attribute("orders-to-sn", "Source")).isEqualTo("orders @ plant");
        assertThat(attribute("orders-to-sn", "Destination").toString())
                .startsWith("snc.acme.orders @");
        assertThat(attribute("orders-to-sn", "AssignedPartitions")).isEqualTo(1);
        assertThat(attribute("orders-to-sn", "Messages")).isEqualTo(5L);
        assertThat(attribute("orders-to-sn", "Bytes")).isEqualTo(50L);
        assertThat(attribute("orders-to-sn", "Lag")).isEqualTo(0L);
        assertThat(attribute("orders-to-sn", "Stored")).isEqualTo(4L);
        assertThat(attribute("orders-to-sn", "Retried")).isEqualTo(3L);
        assertThat(attribute("orders-to-sn", "Parked")).isEqualTo(2L);
        assertThat(attribute("orders-to-sn", "ThrottleMillis")).isEqualTo(1L);
        assertThat(attribute("orders-to-sn", "TotalPartitions")).isEqualTo(4);
        assertThat(attribute("orders-to-sn", "GapMessages")).isEqualTo(40L);
        assertThat(attribute("orders-to-sn", "PositionEvents")).isEqualTo(7L);
        assertThat((String[]) attribute("orders-to-sn", "Events"))
                .singleElement()
                .asString()
                .startsWith("1970-01-01T00:00:00Z GAP 40 message(s) of orders-2");
        assertThat(attribute("orders-to-sn", "Held")).isEqualTo(6L);
        assertThat(attribute("orders-to-sn", "OldestAgeMillis")).isEqualTo(7L);
        assertThat(attribute("orders-to-sn", "HoursToLoss")).isEqualTo(8.5);
        assertThat(attribute("orders-to-sn", "LastRetryRun")).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(attribute("orders-to-sn", "Reordered")).isEqualTo(7L);
        assertThat(attribute("orders-to-sn", "Repeated")).isEqualTo(8L);
        assertThat(attribute("orders-to-sn", "DrainLimitsHit")).isEqualTo(9L);
        assertThat(attribute("orders-to-sn", "Returned")).isEqualTo(10L);
        assertThat(attribute("orders-to-sn", "Paused")).isEqualTo(false);
    }

    @Test
    @DisplayName("shows all states at the component")
    void status() throws Exception {
        JsonNode states = JSON.readTree((String) server.getAttribute(component(), "States"));
        assertThat(states.findValuesAsText("id"))
                .containsExactly(
                        "events-to-sn",
                        "not-running",
                        "orders-to-sn",
                        "snc.acme.alarms@snc.acme.audit");
        assertThat(invoke(component(), "status", "ord*").findValuesAsText("id"))
                .containsExactly("orders-to-sn");
        assertThat(invoke(component(), "metrics", "*")).isEmpty();
        JsonNode plant =
                JSON.readTree((String) server.getAttribute(component(), "MessageReplications"))
                        .get(0);
        assertThat(plant.get("name").asText()).isEqualTo("plant");
        assertThat(plant.get("active").asInt()).isEqualTo(3);
        assertThat(refusal(component(), "status", "order-to-sn"))
                .contains("did you mean orders-to-sn?");
    }

    @Test
    @DisplayName("pauses and resumes")
    void pause() throws Exception {
        assertThat(invoke(link("orders-to-sn"), "pause"))
                .isEqualTo(JSON.readTree("{\"changed\":[\"orders-to-sn\"],\"unchanged\":[]}"));
        assertThat(attribute("orders-to-sn", "State")).isEqualTo("PAUSED");
        assertThat(attribute("orders-to-sn", "Paused")).isEqualTo(true);
        assertThat(attribute("events-to-sn", "State")).isEqualTo("RUNNING");
        assertThat(invoke(component(), "resume", "*"))
                .isEqualTo(
                        JSON.readTree(
                                "{\"changed\":[\"orders-to-sn\"],\"unchanged\":[\"events-to-sn\"]}"));
        String consumer = "snc.acme.alarms@snc.acme.audit";
        assertThat(invoke(link(consumer), "pause").get("changed")).hasSize(1);
        assertThat(invoke(link(consumer), "resume").get("changed")).hasSize(1);
        assertThat(refusal(component(), "pause", "not-running"))
                .isEqualTo("'not-running' is not open on this node; start its route");
    }

    @Test
    @DisplayName("says of each operation what its parameters are, which JMX calls p1, p2, p3")
    void parameters() throws Exception {
        Set<String> own =
                Set.of(
                        "status", "metrics", "pause", "resume", "retry", "park", "discard",
                        "replay");
        for (ObjectName bean : List.of(component(), link("orders-to-sn"))) {
            for (MBeanOperationInfo operation : server.getMBeanInfo(bean).getOperations()) {
                for (MBeanParameterInfo parameter : operation.getSignature()) {
                    if (own.contains(operation.getName())) {
                        assertThat(operation.getDescription()).contains(parameter.getName() + ": ");
                    }
                }
            }
        }
    }

    @Test
    @DisplayName("retries, parks and discards as the endpoint does")
    void rows() throws Exception {
        store.store(rows.of("orders-to-sn", Reason.AUTHORIZATION, 5));
        store.store(rows.of("orders-to-sn", Reason.SIZE, 3));
        store.store(rows.of("events-to-sn", Reason.SIZE, 2));
        ObjectName orders = link("orders-to-sn");
        assertThat(invoke(orders, "retry"))
                .isEqualTo(
                        JSON.readTree("{\"madeDue\":0,\"delivered\":3,\"failed\":2,\"parked\":1}"));
        assertThat(invoke(orders, "retry", "reason=authorization").get("madeDue").asInt())
                .isEqualTo(5);
        assertThat(invoke(orders, "park", "reason=SIZE&state=WAITING"))
                .isEqualTo(JSON.readTree("{\"parked\":3}"));
        assertThat(all()).filteredOn(row -> row.state() == StoredState.PARKED).hasSize(3);
        assertThat(invoke(component(), "discard", "*", "state=PARKED"))
                .isEqualTo(JSON.readTree("{\"discarded\":3}"));
        assertThat(invoke(orders, "park").get("parked").asInt()).isEqualTo(5);
        assertThat(invoke(orders, "discard").get("discarded").asInt()).isEqualTo(5);
        assertThat(all()).allMatch(row -> row.message().origin().link().equals("events-to-sn"));
        assertThat(invoke(component(), "discard", "events-to-sn").get("discarded").asInt())
                .isEqualTo(2);
    }

    @Test
    @DisplayName("replays, and takes of each operation only its own selectors")
    void replay() throws Exception {
        ObjectName orders = link("orders-to-sn");
        assertThat(invoke(orders, "replay", "earliest").get(0).get("outcome").asText())
                .isEqualTo("MOVED");
        invoke(orders, "replay", "17", "partition=3&side=A");
        invoke(component(), "replay", "orders-to-sn", "2026-01-31T08:00:00Z");
        assertThat(engine.links.get("orders-to-sn").replays)
                .containsExactly(
                        "Earliest[] null null",
                        "Offset[offset=17] 3 A",
                        "At[time=2026-01-31T08:00:00Z] null null");
        assertThat(refusal(component(), "replay", "*", "earliest"))
                .endsWith("needs the id of one topic replication, not a pattern");
        assertThat(refusal(orders, "replay", ""))
                .isEqualTo("replayFrom: is empty; give a value or leave it out");
        store.store(rows.of("orders-to-sn", Reason.SIZE, 2));
        assertThat(refusal(orders, "discard", "partition=3"))
                .startsWith("selectors: there is no 'partition'; use from, reason");
        assertThat(all()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"*", "orders*", "o.*"})
    @DisplayName("discards and parks nothing of a pattern without a selector")
    void needsSelector(String pattern) throws Exception {
        store.store(rows.of("orders-to-sn", Reason.SIZE, 2));
        for (String operation : List.of("discard", "park")) {
            assertThat(refusal(component(), operation, pattern))
                    .isEqualTo(
                            "operation="
                                    + operation
                                    + " of '"
                                    + pattern
                                    + "' needs a selector: reason, state, from, to or rows");
            assertThat(refusal(component(), operation, pattern, ""))
                    .isEqualTo("selectors: is empty; give a value or leave it out");
            assertThat(refusal(component(), operation, pattern, "rows="))
                    .isEqualTo("rows: is empty; give a value or leave it out");
        }
        assertThat(refusal(link("orders-to-sn"), "discard", (String) null))
                .isEqualTo("selectors: is empty; give a value or leave it out");
        assertThat(refusal(component(), "discard", "*", "resaon=SIZE"))
                .isEqualTo("selectors: there is no 'resaon'; did you mean reason?");
        assertThat(refusal(component(), "retry", "", "reason=SIZE")).startsWith("id: is empty");
        assertThat(refusal(component(), "retry", "order-to-sn", "reason=SIZE"))
                .contains("did you mean orders-to-sn?");
        assertThat(all()).hasSize(2).allMatch(row -> row.state() == StoredState.WAITING);
    }

    @Test
    @DisplayName("shows a stopped topic replication as such, and one that starts again anew")
    void restart() throws Exception {
        context.getRouteController().stopRoute("orders");
        assertThat(names("type=replications,*")).hasSize(3);
        context.getRouteController().startRoute("orders");
        invoke(link("orders-to-sn"), "pause");
        assertThat(engine.links.get("orders-to-sn").status().state()).isEqualTo(LinkState.PAUSED);
        assertThat(attribute("orders-to-sn", "State")).isEqualTo("PAUSED");
        context.getRouteController().stopRoute("orders");
        context.removeRoute("orders");
        assertThat(names("type=replications,*")).hasSize(2);
        context.stop();
        assertThat(names("type=replications,*")).isEmpty();
    }

    @Test
    @DisplayName("holds no secret and no payload, whatever bean and attribute of Camel one reads")
    void secrets() throws Exception {
        store.store(rows.of("orders-to-sn", Reason.SIZE, 2));
        template.sendBody("direct:pause", null);
        List<String> unread = new ArrayList<>();
        int read = 0;
        for (ObjectName bean : server.queryNames(new ObjectName("org.apache.camel:*"), null)) {
            assertThat(bean.toString()).doesNotContain(SECRET).doesNotContain(URI_SECRET);
            for (MBeanAttributeInfo attribute : server.getMBeanInfo(bean).getAttributes()) {
                try {
                    String value = String.valueOf(server.getAttribute(bean, attribute.getName()));
                    assertThat(value)
                            .as(bean + " " + attribute.getName())
                            .doesNotContain(SECRET)
                            .doesNotContain(URI_SECRET)
                            .doesNotContain(UndeliveredRows.SECRET);
                    read++;
                } catch (JMException | RuntimeException e) {
                    unread.add(bean + " " + attribute.getName() + ": " + e);
                }
            }
        }
        assertThat(read).isGreaterThan(200);
        assertThat(unread).isEmpty();
    }

    @Test
    @DisplayName(
            "dev consoles, ours and those of Camel, show no secret of an option and no payload")
    void consoleSecrets() {
        store.store(rows.of("orders-to-sn", Reason.SIZE, 2));
        DefaultDevConsoleRegistry consoles = new DefaultDevConsoleRegistry(context);
        context.getCamelContextExtension().addContextPlugin(DevConsoleRegistry.class, consoles);
        Consoles.register(context);
        consoles.loadDevConsoles(true);
        assertThat(consoles.getConsoleIDs()).contains("streamconnect", "endpoint", "route");
        consoles.stream()
                // Its answer is a file of the whole heap.
                .filter(console -> !console.getId().equals("heap-dump"))
                .forEach(
                        console -> {
                            for (DevConsole.MediaType type : DevConsole.MediaType.values()) {
                                assertThat(String.valueOf(console.call(type)))
                                        .as(console.getId() + " " + type)
                                        .doesNotContain(SECRET)
                                        .doesNotContain(UndeliveredRows.SECRET);
                            }
                        });
        // Camel's console of endpoints shows URIs as they are written; ours does not.
        DevConsole ours = (DevConsole) consoles.getConsole("streamconnect").orElseThrow();
        for (DevConsole.MediaType type : DevConsole.MediaType.values()) {
            assertThat(String.valueOf(ours.call(type)))
                    .contains("orders-to-sn", "snc.acme.alarms@snc.acme.audit")
                    .doesNotContain(URI_SECRET);
        }
    }

    @Test
    @DisplayName("describes its operations")
    void operations() throws Exception {
        assertThat(server.getMBeanInfo(link("orders-to-sn")).getOperations())
                .extracting(MBeanOperationInfo::getName)
                .contains("pause", "resume", "retry", "park", "discard");
    }
}
