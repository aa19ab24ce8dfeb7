package dev.streamconnect.preflight;

import dev.streamconnect.cluster.HostPort;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** A port on this machine that answers as it is told, until it is closed. */
final class LocalPort implements AutoCloseable {

    /** What a port does with a connection. */
    interface Behaviour {
        void serve(Socket socket) throws IOException;
    }

    private final ServerSocket server;
    private final Behaviour behaviour;
    private final AtomicInteger questions = new AtomicInteger();

    private LocalPort(ServerSocket server, Behaviour behaviour) {
        this.server = server;
        this.behaviour = behaviour;
        Thread thread = new Thread(this::accept, "local-port");
        thread.setDaemon(true);
        thread.start();
    }

    static LocalPort plain(Behaviour behaviour) throws IOException {
        return new LocalPort(new ServerSocket(0, 20, InetAddress.getLoopbackAddress()), behaviour);
    }

    /**
     * @param protocol the only one that it speaks
     */
    static LocalPort tls(
            SSLContext context, boolean wantsCertificate, String protocol, Behaviour behaviour)
            throws IOException {
        SSLServerSocket server =
                (SSLServerSocket)
                        context.getServerSocketFactory()
                                .createServerSocket(0, 20, InetAddress.getLoopbackAddress());
        server.setNeedClientAuth(wantsCertificate);
        server.setEnabledProtocols(new String[] {protocol});
        return new LocalPort(server, behaviour);
    }

    /** Keeps the connection open and says nothing. */
    static Behaviour silent() {
        return socket -> socket.getInputStream().readAllBytes();
    }

    /** Reads something and answers this text. */
    static Behaviour text(String answer) {
        return socket -> {
            socket.getInputStream().read(new byte[256]);
            socket.getOutputStream().write(answer.getBytes());
        };
    }

    /** Reads something and closes. */
    static Behaviour closing() {
        return socket -> socket.getInputStream().read(new byte[256]);
    }

    /**
     * A broker that says which requests it understands.
     *
     * @param ranges first and last version by the request's number
     */
    static Behaviour broker(Map<Integer, int[]> ranges) {
        return versions(
                ranges,
                (in, socket) -> {
                    // No answer of a broker: a Kafka client would have to ask.
                    socket.getOutputStream().write(new byte[Integer.BYTES]);
                    in.read();
                });
    }

    /** A broker that ends the connection at the second question, for want of a user. */
    static Behaviour wantsUser() {
        return versions(Map.of(0, new int[] {0, 11}, 1, new int[] {0, 17}), (in, socket) -> {});
    }

    private interface Second {
        void answer(DataInputStream in, Socket socket) throws IOException;
    }

    /** Answers the first question and reads the second. */
    private static Behaviour versions(Map<Integer, int[]> ranges, Second second) {
        return socket -> {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int length = in.readInt();
            if (length > 100_000) {
                // A handshake of TLS, for example.
                return;
            }
            byte[] request = in.readNBytes(length);
            ByteBuffer answer = ByteBuffer.allocate(4 + 4 + 2 + 4 + 6 * ranges.size());
            answer.putInt(answer.capacity() - 4);
            answer.putInt(ByteBuffer.wrap(request).getInt(4));
            answer.putShort((short) 0).putInt(ranges.size());
            ranges.forEach(
                    (key, range) ->
                            answer.putShort(key.shortValue())
                                    .putShort((short) range[0])
                                    .putShort((short) range[1]));
            socket.getOutputStream().write(answer.array());
            socket.getOutputStream().flush();
            in.readNBytes(in.readInt());
            second.answer(in, socket);
        };
    }

    /** A broker of 3.9 that also tells one address of its cluster. */
    static Behaviour broker(String clusterId, int broker, String host, int port) {
        return socket -> {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] request = in.readNBytes(in.readInt());
            ByteBuffer versions = ByteBuffer.allocate(64);
            versions.putInt(4 + 2 + 4 + 6).putInt(ByteBuffer.wrap(request).getInt(4));
            versions.putShort((short) 0).putInt(1);
            versions.putShort((short) 1).putShort((short) 0).putShort((short) 17);
            socket.getOutputStream().write(versions.array(), 0, versions.position());
            request = in.readNBytes(in.readInt());
            ByteBuffer answer = ByteBuffer.allocate(256).putInt(0);
            answer.putInt(ByteBuffer.wrap(request).getInt(4)).putInt(1).putInt(broker);
            text(answer, host).putInt(port).putShort((short) -1);
            text(answer, clusterId).putInt(broker).putInt(0);
            answer.putInt(0, answer.position() - 4);
            socket.getOutputStream().write(answer.array(), 0, answer.position());
            in.read();
        };
    }

    private static ByteBuffer text(ByteBuffer answer, String text) {
        return answer.putShort((short) text.length()).put(text.getBytes());
    }

    /** A broker of 3.9. */
    static Behaviour broker() {
        return broker(Map.of(0, new int[] {0, 11}, 1, new int[] {0, 17}, 18, new int[] {0, 4}));
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> serve(socket), "local-port-connection");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                // closed
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            behaviour.serve(socket);
            questions.incrementAndGet();
        } catch (IOException e) {
            // the other end saw it
        }
    }

    /** Connections over which something was asked and answered. */
    int questions() {
        return questions.get();
    }

    HostPort address(String host) {
        return new HostPort(host, server.getLocalPort());
    }

    HostPort address() {
        return address("localhost");
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
