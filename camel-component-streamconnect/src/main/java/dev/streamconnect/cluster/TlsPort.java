package dev.streamconnect.cluster;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * Finds out that a port speaks TLS before a client without TLS is let loose on it. Asks as every
 * Kafka client does first, for the versions of the API; takes two seconds at most.
 */
final class TlsPort {

    private static final int LIMIT_MILLIS = 1_000;
    private static final int ALERT = 0x15;
    private static final int MAJOR_VERSION = 3;

    private TlsPort() {}

    /**
     * Looks at the first address of a connection without TLS; does nothing for one with it.
     *
     * @throws TlsPortException if the port speaks TLS; nothing is thrown where it cannot be told
     */
    static void refuse(ConnectionSettings settings) {
        if (!isPlain(settings.properties())) {
            return;
        }
        HostPort first = HostPort.parseList(settings.bootstrapServers()).get(0);
        if (answersInTls(first)) {
            throw new TlsPortException(settings, first);
        }
    }

    private static boolean isPlain(Map<String, Object> properties) {
        Object protocol = properties.get(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG);
        return protocol == null || String.valueOf(protocol).strip().endsWith("PLAINTEXT");
    }

    private static boolean answersInTls(HostPort port) {
        InetSocketAddress address = new InetSocketAddress(port.host(), port.port());
        if (address.isUnresolved()) {
            return false;
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, LIMIT_MILLIS);
            DataInputStream answer = BrokerPing.question(socket);
            // As a length this would be 352 MB, which no broker answers.
            return answer.readUnsignedByte() == ALERT && answer.readUnsignedByte() == MAJOR_VERSION;
        } catch (IOException e) {
            return false;
        }
    }
}
