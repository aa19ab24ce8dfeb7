package dev.streamconnect.sandbox.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A gateway port")
@Timeout(30)
class GatewayPortTest {

    private static final int QUIET_MILLIS = 200;

    private EchoServer a;
    private EchoServer b;
    private GatewayPort port;

    @BeforeEach
    void open() throws IOException {
        a = new EchoServer("a:");
        b = new EchoServer("b:");
        port = GatewayPort.bind(Role.PRODUCER, 0, freePort());
        port.start(a.target());
    }

    @AfterEach
    void close() throws IOException {
        port.close();
        a.close();
        b.close();
    }

    @Test
    @DisplayName("forwards to its target, and after a move to the other one")
    void retarget() throws IOException {
        try (Socket old = connect()) {
            assertThat(ask(old, "x")).isEqualTo("a:x");
            port.retarget(b.target());
            assertThat(ask(old, "y")).isEqualTo("a:y");
            try (Socket fresh = connect()) {
                assertThat(ask(fresh, "z")).isEqualTo("b:z");
            }
        }
    }

    @Test
    @DisplayName("is taken until it is closed")
    void busy() {
        assertThatThrownBy(() -> GatewayPort.bind(Role.LOCAL, 0, port.port()))
                .isInstanceOf(IOException.class);
    }

    @Test
    @DisplayName("ends connections by reset or by end of stream")
    void cut() throws IOException {
        try (Socket reset = connect()) {
            ask(reset, "x");
            assertThat(port.cut(Cut.RST)).isEqualTo(1);
            assertThatThrownBy(() -> reset.getInputStream().read())
                    .isInstanceOf(SocketException.class);
        }
        try (Socket ended = connect()) {
            ask(ended, "x");
            assertThat(port.cut(Cut.NONE)).isZero();
            assertThat(port.cut(Cut.FIN)).isEqualTo(1);
            assertThat(ended.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(port.flows()).isZero();
    }

    @Test
    @DisplayName("refuses connections while it is down, resets them in reset mode, and heals")
    void downAndReset() throws IOException {
        port.mode(PortMode.DOWN);
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);

        port.mode(PortMode.RESET);
        try (Socket socket = connect()) {
            assertThatThrownBy(() -> socket.getInputStream().read())
                    .isInstanceOf(SocketException.class);
        }

        port.mode(PortMode.FORWARD);
        try (Socket socket = connect()) {
            assertThat(ask(socket, "x")).isEqualTo("a:x");
        }
    }

    @Test
    @DisplayName("in a black hole loses bytes, and connections that lost some stay dead after it")
    void blackHole() throws IOException {
        try (Socket silent = connect();
                Socket talking = connect()) {
            ask(silent, "x");
            ask(talking, "x");
            port.mode(PortMode.BLACKHOLE);
            try (Socket born = connect()) {
                assertSilence(talking);
                assertSilence(born);
                port.mode(PortMode.FORWARD);
                assertThat(port.deadFlows()).isEqualTo(2);
                assertSilence(talking);
                assertSilence(born);
            }
            assertThat(ask(silent, "y")).isEqualTo("a:y");
        }
        await().untilAsserted(() -> assertThat(port.deadFlows()).isLessThanOrEqualTo(1));
    }

    @Test
    @DisplayName("can kill present connections only")
    void killFlows() throws IOException {
        try (Socket old = connect()) {
            ask(old, "x");
            assertThat(port.killFlows()).isEqualTo(1);
            assertSilence(old);
            try (Socket fresh = connect()) {
                assertThat(ask(fresh, "y")).isEqualTo("a:y");
            }
        }
    }

    @Test
    @DisplayName("delays bytes in each direction and never reorders them when the delay changes")
    void delay() throws IOException {
        try (Socket socket = connect()) {
            port.delay(150);
            long start = System.nanoTime();
            assertThat(ask(socket, "x")).isEqualTo("a:x");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(300));

            send(socket, "1");
            port.delay(0);
            send(socket, "2");
            assertThat(read(socket, 6)).isEqualTo("a:1a:2");
        }
    }

    @Test
    @DisplayName("resets a client whose broker is away")
    void brokerAway() throws IOException {
        a.close();
        try (Socket socket = connect()) {
            assertThatThrownBy(() -> socket.getInputStream().read())
                    .isInstanceOf(SocketException.class);
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port.port());
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static String ask(Socket socket, String text) throws IOException {
        send(socket, text);
        return read(socket, text.length() + 2);
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String read(Socket socket, int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), StandardCharsets.US_ASCII);
    }

    private static void assertSilence(Socket socket) throws IOException {
        send(socket, "?");
        socket.setSoTimeout(QUIET_MILLIS);
        InputStream in = socket.getInputStream();
        assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(0);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /** Answers each byte with a prefix and the byte. */
    private static final class EchoServer implements AutoCloseable {

        private final ServerSocket listening;
        private final byte[] prefix;

        EchoServer(String prefix) throws IOException {
            this.prefix = prefix.getBytes(StandardCharsets.US_ASCII);
            this.listening =
                    new ServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
            daemon(this::accept);
        }

        Target target() {
            return new Target(
                    new String(prefix, StandardCharsets.US_ASCII),
                    (InetSocketAddress) listening.getLocalSocketAddress());
        }

        private void accept() {
            try {
                while (true) {
                    Socket socket = listening.accept();
                    daemon(() -> echo(socket));
                }
            } catch (IOException e) {
                // closed
            }
        }

        private void echo(Socket socket) {
            try (socket) {
                for (int b = socket.getInputStream().read();
                        b >= 0;
                        b = socket.getInputStream().read()) {
                    socket.getOutputStream().write(new byte[] {prefix[0], prefix[1], (byte) b});
                }
            } catch (IOException e) {
                // the other end is gone
            }
        }

        private static void daemon(Runnable work) {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }
}
