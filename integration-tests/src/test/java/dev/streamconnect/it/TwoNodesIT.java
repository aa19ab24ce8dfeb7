package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("fault")
@DisplayName("Two nodes with a database each")
class TwoNodesIT {

    private static final int PARTITIONS = 4;

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    @Test
    @DisplayName("say that they do not share one")
    void notShared() throws Exception {
        String topic = "two-alone";
        sandbox.topics().create(Side.LOCAL, topic, PARTITIONS, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), PARTITIONS);
        try (CapturedLog log = CapturedLog.start();
                Replicator node = Replicator.start(alone(topic, 1), folder.resolve("alone-1"));
                ReplicatorProcess other =
                        ReplicatorProcess.start(alone(topic, 2), folder.resolve("alone-2"))) {
            // The other has to be there at two looks, a minute apart.
            Awaitility.await("notice")
                    .atMost(Duration.ofSeconds(240))
                    .until(() -> !node.status(topic).notice().isEmpty());
            assertThat(node.status(topic).notice())
                    .contains("acme-consumer-two-alone", "node-2", "of this node alone");
            other.kill();
            Awaitility.await("none")
                    .atMost(Duration.ofSeconds(240))
                    .until(() -> node.status(topic).notice().isEmpty());
            assertThat(log.lines())
                    .filteredOn(line -> line.text().contains("of this node alone"))
                    .hasSize(1);
        }
    }

    private ReplicatorSettings alone(String topic, int node) {
        return new ReplicatorSettings(sandbox, topic)
                .replicate(topic)
                .connectionProperty("session.timeout.ms", "6000")
                .set("camel.component.replication.node", "node-" + node)
                .set(
                        "camel.component.replication.undeliveredUrl",
                        folder.resolve("undelivered-" + node).toString());
    }
}
