package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.EngineTestSupport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.camel.CamelContext;
import org.apache.camel.component.mock.MockEndpoint;
import org.junit.jupiter.api.io.TempDir;

/** A context with replication records. */
abstract class ReplicationTestSupport extends EngineTestSupport {

    @TempDir Path folder;

    /** The topic replications as YAML list items. */
    protected abstract String topicReplications();

    @Override
    protected void configure(CamelContext context) throws Exception {
        ReplicationComponent component =
                context.getComponent("replication", ReplicationComponent.class);
        component.setRecords("file:" + write(topicReplications()));
        component.setNode("n1");
        component.setMetricsRoute(metricsRoute());
    }

    /** Off, unless a test is about it: it starts a scheduler. */
    protected Boolean metricsRoute() {
        return false;
    }

    Path write(String topicReplications) throws IOException {
        return Files.writeString(
                folder.resolve("replications.yaml"),
                """
                version: 1
                connections:
                  - id: plant
                    bootstrapServers: localhost:9092
                messageReplications:
                  - name: plant
                    connection: plant
                    active: true
                    topicReplications:
                """
                        + topicReplications.indent(6));
    }

    /** One topic replication to ServiceNow. */
    static String toServiceNow(String id, String topic, String more) {
        return "- { id: %s, direction: toServiceNow, topicName: %s, serviceNowTopic: %s, active: true%s }%n"
                .formatted(id, topic, topic, more);
    }

    void assertMocks() throws InterruptedException {
        MockEndpoint.assertIsSatisfied(context());
    }
}
