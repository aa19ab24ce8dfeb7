package dev.streamconnect.preflight;

import dev.streamconnect.cluster.HostPort;
import java.io.IOException;
import java.net.Socket;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.Node;

/**
 * What a cluster tells clients of itself. Asked over the connection to a bootstrap address: a Kafka
 * client goes on to the advertised addresses at once, and where none of them can be reached it only
 * says that it waited.
 *
 * @param clusterId may be null
 * @param addresses of the brokers, unmodifiable
 */
record ClusterMetadata(String clusterId, List<AdvertisedAddress> addresses) {

    private static final int REQUEST = 3;
    private static final int VERSION = 2;
    private static final byte[] NO_TOPICS = new byte[Integer.BYTES];

    /** Asks as {@link Question#ask} does. */
    static ClusterMetadata ask(Socket socket) throws IOException {
        ByteBuffer answer = Question.ask(socket, REQUEST, VERSION, NO_TOPICS);
        try {
            int count = answer.getInt();
            List<AdvertisedAddress> addresses = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int broker = answer.getInt();
                HostPort address = new HostPort(text(answer), answer.getInt());
                text(answer);
                addresses.add(new AdvertisedAddress(broker, address));
            }
            return new ClusterMetadata(text(answer), List.copyOf(addresses));
        } catch (BufferUnderflowException e) {
            throw new Question.NoBrokerException(false);
        }
    }

    static ClusterMetadata of(String clusterId, Collection<Node> nodes) {
        return new ClusterMetadata(
                clusterId,
                nodes.stream()
                        .map(
                                node ->
                                        new AdvertisedAddress(
                                                node.id(), new HostPort(node.host(), node.port())))
                        .toList());
    }

    private static String text(ByteBuffer answer) {
        int length = answer.getShort();
        if (length < 0) {
            return null;
        }
        if (length > answer.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        answer.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
