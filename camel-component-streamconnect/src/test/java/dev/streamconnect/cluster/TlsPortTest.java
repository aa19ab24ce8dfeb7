package dev.streamconnect.cluster;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A connection without TLS")
class TlsPortTest {

    private static final String PASSWORD = "only-for-this-test";

    @TempDir Path folder;

    @Test
    @DisplayName("is refused at a port that speaks TLS, before a client is built")
    void tls() throws Exception {
        Path store =
                TestStores.keystore(
                        folder.resolve("k.p12"), "PKCS12", PASSWORD, PASSWORD, "CN=localhost");
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(store)) {
            keys.load(stream, PASSWORD.toCharArray());
        }
        KeyManagerFactory managers =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        try (ServerSocket port =
                context.getServerSocketFactory()
                        .createServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            serve(port);
            ConnectionSettings plain = settings(port, Map.of());
            String told = "127.0.0.1:" + port.getLocalPort() + " speaks TLS";
            assertThatThrownBy(() -> KafkaClients.admin(plain, "a"))
                    .isInstanceOf(TlsPortException.class)
                    .hasMessageStartingWith("plant (")
                    .hasMessageContaining(told)
                    .hasMessageContaining("configure ssl in the connection");
            assertThatThrownBy(() -> KafkaClients.producer(plain, "p", cluster -> {}))
                    .isInstanceOf(TlsPortException.class);
            ConnectionSettings sasl = settings(port, Map.of("security.protocol", "SASL_PLAINTEXT"));
            assertThatThrownBy(() -> TlsPort.refuse(sasl)).isInstanceOf(TlsPortException.class);
            assertThatCode(() -> TlsPort.refuse(settings(port, Map.of("security.protocol", "SSL"))))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    @DisplayName("is let through where the port answers otherwise, or not, or is not there")
    void other() throws Exception {
        ConnectionSettings gone;
        try (ServerSocket port = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            serve(port);
            gone = settings(port, Map.of());
            assertThatCode(() -> TlsPort.refuse(gone)).doesNotThrowAnyException();
        }
        assertThatCode(() -> TlsPort.refuse(gone)).doesNotThrowAnyException();
    }

    private static ConnectionSettings settings(ServerSocket port, Map<String, Object> properties) {
        return new ConnectionSettings(
                "plant", ClientRole.CUSTOMER, "127.0.0.1:" + port.getLocalPort(), null, properties);
    }

    /** Reads what comes and closes: a TLS port says its alert first, the other one echoes it. */
    private static void serve(ServerSocket port) {
        Thread thread =
                new Thread(
                        () -> {
                            while (!port.isClosed()) {
                                try (Socket socket = port.accept()) {
                                    byte[] read = new byte[64];
                                    int length = socket.getInputStream().read(read);
                                    socket.getOutputStream().write(read, 0, Math.max(0, length));
                                } catch (java.io.IOException e) {
                                    // the other end saw it
                                }
                            }
                        });
        thread.setDaemon(true);
        thread.start();
    }
}
