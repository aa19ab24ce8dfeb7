package dev.streamconnect.engine;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Size of a message as limits and metrics count it: key, value, header names and header values,
 * uncompressed, in bytes.
 */
final class RecordSize {

    /**
     * Attributes, and the most for the differences of timestamp and offset to the batch's first.
     */
    private static final int RECORD_FIXED = 1 + 10 + 5;

    /** What {@link #overhead} is at least. */
    static final int LEAST_OVERHEAD = RECORD_FIXED + 4;

    /** Upper bound of what Kafka's format adds to each header, and one more to its record. */
    static final int HEADER_OVERHEAD = 12;

    private RecordSize() {}

    static int of(byte[] key, byte[] value, Headers headers) {
        return of(key, value, headers.toArray());
    }

    static int of(byte[] key, byte[] value, Header[] headers) {
        int bytes = length(key) + length(value);
        for (Header header : headers) {
            bytes += utf8Length(header.key()) + length(header.value());
        }
        return bytes;
    }

    /**
     * Upper bound of what Kafka's format adds to a record in a batch: the lengths of its parts as
     * variable-length numbers, each of which is no longer than that of all parts together.
     *
     * @param bytes see {@link #of}
     */
    static int overhead(int bytes, int headers) {
        int fields = 2 + 2 * headers;
        int added = RECORD_FIXED + fields * lengthOf(bytes) + lengthOf(headers);
        return added + lengthOf(bytes + added);
    }

    /** Bytes of a length: seven bits each, and one bit for the sign. */
    private static int lengthOf(int length) {
        return (32 - Integer.numberOfLeadingZeros(length) + 1 + 6) / 7;
    }

    private static int length(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    private static int utf8Length(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) >= 0x80) {
                return name.getBytes(StandardCharsets.UTF_8).length;
            }
        }
        return name.length();
    }
}
