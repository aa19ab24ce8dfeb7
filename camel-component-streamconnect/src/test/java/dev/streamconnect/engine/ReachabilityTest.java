package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is wrong with an address")
class ReachabilityTest {

    private static final Map<String, Object> SASL = Map.of("security.protocol", "SASL_PLAINTEXT");

    private static ServerSocket port() throws IOException {
        return new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    private static String explain(ServerSocket port) {
        return Reachability.explain("127.0.0.1:" + port.getLocalPort() + ",127.0.0.1:1");
    }

    private static ConnectionSettings plant(ServerSocket port, Map<String, Object> properties) {
        return new ConnectionSettings(
                "plant", ClientRole.CUSTOMER, "127.0.0.1:" + port.getLocalPort(), null, properties);
    }

    /** Answers each connection with a byte. */
    private static void answer(ServerSocket port) {
        Thread server =
                new Thread(
                        () -> {
                            while (!port.isClosed()) {
                                try (Socket socket = port.accept()) {
                                    socket.getInputStream().read();
                                    socket.getOutputStream().write(1);
                                } catch (IOException e) {
                                    // the test is over
                                }
                            }
                        });
        server.setDaemon(true);
        server.start();
    }

    @Test
    @DisplayName(
            "tells a refusal, silence, and a new connection that is answered where old ones are not")
    void explains() throws Exception {
        ServerSocket closed = port();
        closed.close();
        assertThat(explain(closed)).endsWith(": connection refused");
        try (ServerSocket silent = port();
                ServerSocket answering = port()) {
            assertThat(explain(silent)).endsWith(": accepts connections but does not answer");
            answer(answering);
            assertThat(explain(answering))
                    .endsWith(": answers a new connection, but not those that are open");
            for (ServerSocket port : List.of(silent, answering)) {
                assertThat(Reachability.explain(plant(port, Map.of())))
                        .endsWith("; if it wants a user or a token, give the connection sasl");
                assertThat(Reachability.explain(plant(port, SASL))).doesNotContain("sasl");
            }
        }
        assertThat(Reachability.explain("no-such-host.invalid:1"))
                .isEqualTo("no-such-host.invalid:1: the host name is unknown");
    }
}
