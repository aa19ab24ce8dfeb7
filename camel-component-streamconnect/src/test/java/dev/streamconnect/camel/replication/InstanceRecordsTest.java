package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.camel.EngineFactory;
import dev.streamconnect.camel.RecordingEngine;
import dev.streamconnect.camel.hermes.HermesComponent;
import dev.streamconnect.camel.hermes.HermesConfiguration;
import dev.streamconnect.servicenow.TableApiServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Records of an instance in a context")
class InstanceRecordsTest extends LiveRecordsTestSupport {

    private static final String TOPICS = "sys_kafka_topic_replication";
    private static final String STATUS = "sys_sc_channel_replication_status";

    private TableApiServer server;

    @Override
    protected String topicReplications() {
        return "";
    }

    @Override
    protected void configure(CamelContext context) throws Exception {
        super.configure(context);
        server = new TableApiServer().plant().topic("a").topic("b");
        server.table(STATUS);
        server.table("sys_sc_message_replication_status");
        configure(context.getComponent("replication", ReplicationComponent.class));
    }

    private void configure(ReplicationComponent component) {
        component.setRecords("servicenow:" + server.url());
        component.setServiceNowUser(TableApiServer.USER);
        component.setServiceNowPassword(TableApiServer.PASSWORD);
        component.setServiceNowCache(folder.resolve("cache.json").toString());
        component.setServiceNowInterval(1);
        component.setServiceNowTimeout(20_000);
        component.setServiceNowWriteBack(ServiceNowWriteBack.STATUS);
        component.setRecordsInterval(0);
        component.setMetricsRoute(false);
    }

    @AfterEach
    void closeServer() {
        server.close();
    }

    private void lookUntil(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> {
                            component().watch().look();
                            return condition.call();
                        });
    }

    private void away() {
        server.fault =
                exchange -> {
                    TableApiServer.error(exchange, 503, "away");
                    return true;
                };
    }

    @Test
    @DisplayName("rows that change restart their routes alone; rows with a fault change nothing")
    void live() {
        assertThat(openLinks()).containsExactly("a", "b");
        assertThat(records().source()).isEqualTo(server.url().toString());
        assertThat(records().store()).startsWith("live, read from the instance at ");

        server.table(TOPICS).get("b").put("topic_name", "other");
        server.topic("c");
        lookUntil(() -> openLinks().contains("c"));
        assertThat(engine.opened).containsExactlyInAnyOrder("b", "c");
        assertThat(link("b").definition.sourceTopic()).isEqualTo("other");

        engine.opened.clear();
        server.table(TOPICS).get("a").put("direction", "sideways");
        lookUntil(() -> records().warning() != null);
        assertThat(records().warning())
                .startsWith(
                        server.url().uri().getAuthority()
                                + "/"
                                + TOPICS
                                + "/a/direction: wrong-value");
        assertNothingOpened();
        server.table(TOPICS).get("a").put("direction", "to_servicenow");
        server.table(TOPICS).get("c").put("active", "false");
        lookUntil(() -> !openLinks().contains("c"));
        assertThat(records().warning()).isNull();
    }

    @Test
    @DisplayName("an outage is one line when it begins and one when it ends, and stops nothing")
    void outage() {
        away();
        lookUntil(() -> records().warning() != null);
        for (int i = 0; i < 10; i++) {
            component().watch().look();
        }
        server.fault =
                exchange -> {
                    TableApiServer.send(exchange, 500, "text/html", new byte[] {'x'});
                    return true;
                };
        for (int i = 0; i < 10; i++) {
            component().watch().look();
        }
        assertThat(refusals()).hasSize(1).first().asString().contains("status 503");
        assertThat(records().store()).startsWith("not live, last read from the instance at ");
        assertThat(openLinks()).containsExactly("a", "b");
        server.fault = exchange -> false;
        lookUntil(() -> records().warning() == null);
        assertThat(logs.lines())
                .filteredOn(line -> line.contains("again, which is in effect"))
                .hasSize(1);
        assertNothingOpened();
    }

    @Test
    @DisplayName("a start without the instance replicates by the cache, and says so")
    void startWithoutInstance() throws Exception {
        String version = records().version();
        away();
        logs.lines().clear();
        RecordingEngine own = new RecordingEngine();
        try (DefaultCamelContext other = new DefaultCamelContext()) {
            other.getRegistry().bind("engine", EngineFactory.class, (EngineFactory) all -> own);
            HermesConfiguration hermes =
                    other.getComponent("hermes", HermesComponent.class).getConfiguration();
            hermes.setInstance("acme");
            hermes.getProducerProperties().put("security.protocol", "PLAINTEXT");
            hermes.getConsumerProperties().put("security.protocol", "PLAINTEXT");
            ReplicationComponent component =
                    other.getComponent("replication", ReplicationComponent.class);
            configure(component);
            other.start();
            assertThat(own.links).containsOnlyKeys("a", "b");
            assertThat(component.recordsStatus().version()).isEqualTo(version);
            assertThat(component.recordsStatus().store()).startsWith("from the cache ");
            assertThat(logs.lines())
                    .filteredOn(line -> line.contains("this start uses version " + version))
                    .hasSize(1);
        }
    }

    @Test
    @DisplayName("states are written back for each record of the instance")
    void writeBack() {
        await().atMost(Duration.ofSeconds(60)).until(() -> server.table(STATUS).size() == 2);
        List<Map<String, String>> rows = List.copyOf(server.table(STATUS).values());
        assertThat(rows)
                .extracting(row -> row.get("channel_replication"))
                .containsExactlyInAnyOrder("a", "b");
        assertThat(rows).allSatisfy(row -> assertThat(row).containsEntry("node", "n1"));
        await().atMost(Duration.ofSeconds(60))
                .until(() -> !server.table("sys_sc_message_replication_status").isEmpty());
        assertThat(records().store()).contains("; reports: 0 metrics records wait, 0 dropped");
    }

    @Test
    @DisplayName("without a user, or with write-back of records of a file, there is no start")
    void options() throws Exception {
        try (DefaultCamelContext other = new DefaultCamelContext()) {
            ReplicationComponent component =
                    other.getComponent("replication", ReplicationComponent.class);
            component.setRecords("servicenow:" + server.url());
            assertThatThrownBy(other::start)
                    .hasStackTraceContaining("serviceNowUser: is missing; give user and password");
        }
        try (DefaultCamelContext other = new DefaultCamelContext()) {
            ReplicationComponent component =
                    other.getComponent("replication", ReplicationComponent.class);
            component.setRecords("file:x.yaml");
            component.setServiceNowWriteBack(ServiceNowWriteBack.ALL);
            assertThatThrownBy(other::start)
                    .hasStackTraceContaining("serviceNowWriteBack: the records are not those of");
        }
    }
}
