package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TopicProbeTest {

    @Test
    @DisplayName(
            "a cluster that cannot be reached is told with its address and what is wrong there")
    void unreachable() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        ConnectionSettings settings =
                new ConnectionSettings(
                        "plant", ClientRole.CUSTOMER, "127.0.0.1:" + port, "g", Map.of());
        try (TopicProbe probe =
                new TopicProbe(settings, "probe", Duration.ofSeconds(1), Fixtures.openGate())) {
            Map<String, TopicProbe.Result> results =
                    probe.describe(List.of("a", "b"), AclOperation.READ, false);
            assertThat(results).containsOnlyKeys("a", "b");
            assertThat(results.get("a").failure())
                    .isEqualTo(
                            new FailureVerdict.Transient(
                                    "plant (127.0.0.1:"
                                            + port
                                            + ") does not answer: 127.0.0.1:"
                                            + port
                                            + ": connection refused"));
        }
    }
}
