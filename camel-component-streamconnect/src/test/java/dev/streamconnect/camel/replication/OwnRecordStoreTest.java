package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.camel.EngineTestSupport;
import dev.streamconnect.camel.RecordsStatus;
import dev.streamconnect.record.RecordsReader;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.spi.RecordStore;
import dev.streamconnect.spi.RecordsVersion;
import java.time.Duration;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A record store of the user's own")
class OwnRecordStoreTest extends EngineTestSupport {

    private volatile RecordsVersion now = version("v1", "a");
    private volatile RuntimeException failure;

    private static RecordsVersion version(String id, String topic) {
        ReplicationRecords records =
                RecordsReader.plain()
                        .parse(
                                """
                                version: 1
                                connections:
                                  - { id: plant, bootstrapServers: "localhost:9092" }
                                messageReplications:
                                  - { name: plant, connection: plant, topicReplications: [
                                      { id: one, direction: toServiceNow, topicName: %1$s, serviceNowTopic: %1$s }] }
                                """
                                        .formatted(topic),
                                "test");
        return new RecordsVersion(id, null, records);
    }

    private final class TableStore implements RecordStore {

        @Override
        public String name() {
            return "a table";
        }

        @Override
        public Optional<RecordsVersion> newer(String known) {
            if (failure != null) {
                throw failure;
            }
            return Optional.of(now).filter(version -> !version.id().equals(known));
        }
    }

    @Override
    protected void configure(CamelContext context) throws Exception {
        ReplicationComponent component =
                context.getComponent("replication", ReplicationComponent.class);
        component.setRecordStore(new TableStore());
        component.setMetricsRoute(false);
        component.setRecordsInterval(20);
    }

    private RecordsStatus status() {
        return context.getComponent("replication", ReplicationComponent.class).recordsStatus();
    }

    private static void soon(java.util.concurrent.Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(30)).until(condition);
    }

    @Test
    @DisplayName("its versions come into effect by themselves; what it throws is a warning")
    void polls() {
        assertThat(status().source()).isEqualTo("a table");
        assertThat(engine.links.get("one").definition.sourceTopic()).isEqualTo("a");

        now = version("v2", "b");
        soon(() -> status().version().equals("v2"));
        soon(() -> engine.links.get("one").definition.sourceTopic().equals("b"));

        failure = new IllegalStateException("the table is away");
        soon(() -> "the table is away".equals(status().warning()));
        failure = null;
        soon(() -> status().warning() == null);

        // Its rules are checked here.
        now = version("v3", "snc.other.a");
        soon(() -> status().warning() != null);
        assertThat(status().warning()).startsWith("a table: instance-mismatch: ");
        assertThat(status().version()).isEqualTo("v2");
    }

    @Test
    @DisplayName("it and the option records are one too many")
    void both() throws Exception {
        try (DefaultCamelContext other = new DefaultCamelContext()) {
            ReplicationComponent component =
                    other.getComponent("replication", ReplicationComponent.class);
            component.setRecordStore(new TableStore());
            component.setRecords("file:replications.yaml");
            assertThatThrownBy(other::start)
                    .hasStackTraceContaining("records: there is a recordStore, too");
        }
    }
}
