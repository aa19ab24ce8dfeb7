package dev.streamconnect.cluster;

import static dev.streamconnect.cluster.BrokerPing.Answer.ANSWERED;
import static dev.streamconnect.cluster.BrokerPing.Answer.CONNECTED;
import static dev.streamconnect.cluster.BrokerPing.Answer.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A ping of the brokers of a connection")
class BrokerPingTest {

    private static ServerSocket port() throws IOException {
        return new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    }

    private static String address(ServerSocket port) {
        return "127.0.0.1:" + port.getLocalPort();
    }

    /** Answers each connection with one byte, or only closes it. */
    private static void serve(ServerSocket port, boolean answers) {
        Thread thread =
                new Thread(
                        () -> {
                            while (!port.isClosed()) {
                                try (Socket socket = port.accept()) {
                                    socket.getInputStream().read(new byte[64]);
                                    if (answers) {
                                        socket.getOutputStream().write(1);
                                    }
                                } catch (IOException e) {
                                    // the other end saw it
                                }
                            }
                        });
        thread.setDaemon(true);
        thread.start();
    }

    @Test
    @DisplayName("tells an answer from a connection without one and from none")
    void answers() throws Exception {
        String gone;
        try (ServerSocket closed = port()) {
            gone = address(closed);
        }
        try (ServerSocket silent = port();
                ServerSocket closing = port();
                ServerSocket answering = port()) {
            serve(closing, false);
            serve(answering, true);
            assertThat(new BrokerPing(gone).ask()).isEqualTo(NONE);
            assertThat(new BrokerPing("no-such-host.invalid:1").ask()).isEqualTo(NONE);
            assertThat(new BrokerPing(gone + "," + address(closing)).ask()).isEqualTo(CONNECTED);
            assertThat(new BrokerPing(address(silent)).ask()).isEqualTo(CONNECTED);
            assertThat(new BrokerPing(gone + "," + address(answering)).ask()).isEqualTo(ANSWERED);
        }
    }

    @Test
    @DisplayName("asks the next address first when one took all the time")
    void turns() throws Exception {
        try (ServerSocket silent = port();
                ServerSocket answering = port()) {
            serve(answering, true);
            BrokerPing ping = new BrokerPing(address(silent) + "," + address(answering));
            assertThat(ping.ask()).isEqualTo(CONNECTED);
            assertThat(ping.ask()).isEqualTo(ANSWERED);
        }
    }
}
