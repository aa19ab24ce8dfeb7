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
        answer(port, 1);
    }

    private static void answer(ServerSocket port, int with) {
        Thread server =
                new Thread(
                        () -> {
                            while (!port.isClosed()) {
                                try (Socket socket = port.accept()) {
                                    socket.getInputStream().read();
                                    socket.getOutputStream().write(with);
                                } catch (IOException e) {
                                    // the test is over
                                }
                            }
                        });
        server.setDaemon(true);
        server.start();
    }

    @Test
    @DisplayName("tells a port without TLS that a connection with TLS leads to")
    void noTls() throws Exception {
        try (ServerSocket plain = port();
                ServerSocket tls = port()) {
            answer(plain, 0);
            answer(tls, 0x15);
            Map<String, Object> ssl = Map.of("security.protocol", "SSL");
            assertThat(Reachability.explain(plant(plain, ssl)))
                    .contains("the port does not speak TLS; take ssl out of the connection");
            assertThat(Reachability.explain(plant(plain, Map.of()))).doesNotContain("TLS");
            assertThat(Reachability.explain(plant(tls, ssl))).doesNotContain("speak TLS");
        }
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
