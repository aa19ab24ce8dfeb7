package dev.streamconnect.engine;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The header by which a message tells the topics that it was copied from, one header a copy, so
 * that it is never copied back to one of them. A topic of Hermes is told by its full name, which is
 * that of both sides; a customer's by the cluster's id and its name, whatever the connection is
 * called.
 *
 * <p>Of one link. Thread-safe.
 */
final class OriginHeader {

    private final String name;
    private final Place source;
    private final Place destination;

    /** A topic at one end of the link. */
    private static final class Place {
        private final ConnectionSettings connection;
        private final String topic;

        /** Null while unknown. */
        private volatile byte[] told;

        Place(ConnectionSettings connection, String topic) {
            this.connection = connection;
            this.topic = topic;
            if (connection.role() != ClientRole.CUSTOMER) {
                told = topic.getBytes(StandardCharsets.UTF_8);
            }
        }

        void isAt(String clusterId) {
            if (connection.role() == ClientRole.CUSTOMER
                    && clusterId != null
                    && !clusterId.isEmpty()) {
                told = (clusterId + "/" + topic).getBytes(StandardCharsets.UTF_8);
            }
        }
    }

    private OriginHeader(LinkDefinition link) {
        this.name = link.options().originHeader();
        this.source = new Place(link.sources().get(0), link.sourceTopic());
        this.destination = new Place(link.destination(), link.destinationTopic());
    }

    /** Null where the link has none. */
    static OriginHeader of(LinkDefinition link) {
        return link.options().originHeader() == null || link.destination() == null
                ? null
                : new OriginHeader(link);
    }

    /** A cluster tells who it is; null and empty say nothing. */
    void sourceIsAt(String clusterId) {
        source.isAt(clusterId);
    }

    /** As {@link #sourceIsAt}. */
    void destinationIsAt(String clusterId) {
        destination.isAt(clusterId);
    }

    /** True when both ends are known: before that nothing may be read. */
    boolean isKnown() {
        return source.told != null && destination.told != null;
    }

    /** Those that were not at the destination before. */
    List<ConsumerRecord<byte[], byte[]>> withoutReturning(
            List<ConsumerRecord<byte[], byte[]>> records) {
        List<ConsumerRecord<byte[], byte[]>> left = null;
        for (int i = 0; i < records.size(); i++) {
            boolean returns = returns(records.get(i).headers());
            if (returns && left == null) {
                left = new ArrayList<>(records.subList(0, i));
            } else if (!returns && left != null) {
                left.add(records.get(i));
            }
        }
        return left == null ? records : left;
    }

    private boolean returns(Headers headers) {
        for (Header header : headers.headers(name)) {
            if (Arrays.equals(header.value(), destination.told)) {
                return true;
            }
        }
        return false;
    }

    /** Bytes that it adds to a record, at most. */
    int bytes() {
        return name.getBytes(StandardCharsets.UTF_8).length
                + source.told.length
                + RecordSize.HEADER_OVERHEAD;
    }

    /** A copy of a message's headers with the source added as the last one. */
    Headers added(Iterable<Header> headers) {
        return new RecordHeaders(headers).add(name, source.told);
    }
}
