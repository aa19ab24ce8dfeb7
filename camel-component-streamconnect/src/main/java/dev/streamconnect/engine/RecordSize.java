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
     * Upper bound of what Kafka's format adds to a record without headers (lengths, deltas,
     * attributes).
     */
    static final int RECORD_OVERHEAD = 32;

    /** Upper bound of what Kafka's format adds to each header. */
    static final int HEADER_OVERHEAD = 10;

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

    static int overhead(Header[] headers) {
        return RECORD_OVERHEAD + headers.length * HEADER_OVERHEAD;
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
