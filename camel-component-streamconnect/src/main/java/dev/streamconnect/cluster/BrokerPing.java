package dev.streamconnect.cluster;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks the addresses of a connection whether somebody answers there, without a Kafka client, which
 * logs each attempt. The question is the one that every Kafka client begins with, for the versions
 * of the API; a port that speaks TLS answers it with an alert, which is an answer, too.
 *
 * <p>One thread at a time.
 */
public final class BrokerPing {

    /** What the best of the addresses did. */
    public enum Answer {
        /** No connection at all. */
        NONE,
        /** A connection, and not a byte from it. */
        CONNECTED,
        /** Somebody is there. */
        ANSWERED
    }

    private static final int LIMIT_MILLIS = 1_000;
    private static final short API_VERSIONS = 18;

    private final List<HostPort> addresses;
    private int next;

    /**
     * @param bootstrapServers list of {@code host:port}
     * @throws IllegalArgumentException if that is no such list
     */
    public BrokerPing(String bootstrapServers) {
        this.addresses = HostPort.parseList(bootstrapServers);
    }

    /**
     * Asks one address after another, beginning behind the last one asked, until one answers or a
     * second is over. Takes three seconds at most: one connection and one answer can begin late.
     */
    public Answer ask() {
        Answer best = Answer.NONE;
        long end = System.nanoTime() + Duration.ofMillis(LIMIT_MILLIS).toNanos();
        for (int i = 0; i < addresses.size() && System.nanoTime() - end < 0; i++) {
            HostPort address = addresses.get(next);
            next = (next + 1) % addresses.size();
            Answer answer = ask(address);
            if (answer == Answer.ANSWERED) {
                return answer;
            }
            best = answer == Answer.CONNECTED ? answer : best;
        }
        return best;
    }

    private static Answer ask(HostPort address) {
        Answer best = Answer.NONE;
        for (InetSocketAddress resolved : resolve(address)) {
            try (Socket socket = new Socket()) {
                socket.connect(resolved, LIMIT_MILLIS);
                best = Answer.CONNECTED;
                question(socket).readUnsignedByte();
                return Answer.ANSWERED;
            } catch (IOException e) {
                // that is the answer of this address
            }
        }
        return best;
    }

    /**
     * Whether a broker answers there without TLS. A port that speaks TLS sends an alert, which no
     * length of an answer begins with. Takes two seconds at most.
     */
    public static boolean answersWithoutTls(HostPort address) {
        InetSocketAddress first = new InetSocketAddress(address.host(), address.port());
        if (first.isUnresolved()) {
            return false;
        }
        try (Socket socket = new Socket()) {
            socket.connect(first, LIMIT_MILLIS);
            return question(socket).readUnsignedByte() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static List<InetSocketAddress> resolve(HostPort address) {
        List<InetSocketAddress> resolved = new ArrayList<>();
        try {
            for (InetAddress one : InetAddress.getAllByName(address.host())) {
                resolved.add(new InetSocketAddress(one, address.port()));
            }
        } catch (UnknownHostException e) {
            // nobody is there
        }
        return resolved;
    }

    /** Asks over an open socket; what comes back is to be read. */
    static DataInputStream question(Socket socket) throws IOException {
        byte[] client = "streamconnect-probe".getBytes(StandardCharsets.US_ASCII);
        int length = Short.BYTES * 3 + Integer.BYTES + client.length;
        socket.setSoTimeout(LIMIT_MILLIS);
        socket.getOutputStream()
                .write(
                        ByteBuffer.allocate(Integer.BYTES + length)
                                .putInt(length)
                                .putShort(API_VERSIONS)
                                .putShort((short) 0)
                                .putInt(0)
                                .putShort((short) client.length)
                                .put(client)
                                .array());
        return new DataInputStream(socket.getInputStream());
    }
}
