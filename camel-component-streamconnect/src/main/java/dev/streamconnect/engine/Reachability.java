package dev.streamconnect.engine;

import dev.streamconnect.cluster.BrokerPing;
import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.HostPort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * Says in a few words what is wrong with an address, as far as a new connection tells; takes a few
 * seconds at most.
 */
final class Reachability {

    private static final int LIMIT_MILLIS = 1_000;

    private static final String NO_ANSWER = ": accepts connections but does not answer";
    private static final String NEW_ONLY =
            ": answers a new connection, but not those that are open";

    private Reachability() {}

    /** Looks at the first address of a connection. */
    static String explain(ConnectionSettings settings) {
        String why = explain(settings.bootstrapServers());
        if (why.endsWith(NEW_ONLY) && usesTls(settings)) {
            HostPort first = HostPort.parseList(settings.bootstrapServers()).get(0);
            if (BrokerPing.answersWithoutTls(first)) {
                return first
                        + ": the port does not speak TLS; take ssl out of the connection, or correct"
                        + " the port";
            }
        }
        // A broker that wants SASL answers the first question at most, and then ends the
        // connection.
        return (why.endsWith(NO_ANSWER) || why.endsWith(NEW_ONLY)) && !usesSasl(settings)
                ? why + "; if it wants a user or a token, give the connection sasl"
                : why;
    }

    private static boolean usesTls(ConnectionSettings settings) {
        return protocol(settings).endsWith("SSL");
    }

    private static String protocol(ConnectionSettings settings) {
        return String.valueOf(
                        settings.properties().get(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG))
                .strip();
    }

    private static boolean usesSasl(ConnectionSettings settings) {
        return settings.role() != ClientRole.CUSTOMER || protocol(settings).startsWith("SASL");
    }

    /** Looks at the first address of a bootstrap list. */
    static String explain(String bootstrapServers) {
        String first = bootstrapServers.split(",")[0].strip();
        int colon = first.lastIndexOf(':');
        if (colon < 0) {
            return CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG + " " + first + " has no port";
        }
        InetSocketAddress address =
                new InetSocketAddress(
                        first.substring(0, colon), Integer.parseInt(first.substring(colon + 1)));
        if (address.isUnresolved()) {
            return first + ": the host name is unknown";
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, LIMIT_MILLIS);
        } catch (SocketTimeoutException e) {
            return first + ": no answer to a connection";
        } catch (ConnectException e) {
            return first + ": connection refused";
        } catch (IOException e) {
            return first + ": " + e.getMessage();
        }
        return first
                + (new BrokerPing(first).ask() == BrokerPing.Answer.ANSWERED
                        ? NEW_ONLY
                        : NO_ANSWER);
    }
}
