package dev.streamconnect.quickstart;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Names a message of the traffic; travels in a header, since key and value may be null.
 *
 * @param flow position in {@link Flow#ALL}
 * @param sequence number of the message in its flow, from 0
 */
record MessageId(int flow, int sequence) {

    static final String HEADER = "quickstart-id";

    byte[] bytes() {
        return ByteBuffer.allocate(2 * Integer.BYTES).putInt(flow).putInt(sequence).array();
    }

    /** The id among the headers; null if there is none that this traffic made. */
    static MessageId of(Headers headers) {
        Header header = headers.lastHeader(HEADER);
        if (header == null
                || header.value() == null
                || header.value().length != 2 * Integer.BYTES) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.wrap(header.value());
        return new MessageId(bytes.getInt(), bytes.getInt());
    }
}
