package dev.streamconnect.camel;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.apache.camel.Exchange;
import org.apache.camel.RuntimeCamelException;

/**
 * Bytes of a record's parts from what a route holds, and back. No content ever stands in a message
 * of an exception.
 */
final class RecordBytes {

    private RecordBytes() {}

    /**
     * Whether a header of this name stays inside: it is Camel's, never data. In any case of
     * letters, since Camel's header map ignores it.
     */
    static boolean reserved(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.startsWith("camel")
                || lower.startsWith("org.apache.camel.")
                || lower.startsWith("kafka.");
    }

    /**
     * A record header's value for expressions: text where it is valid UTF-8, else the bytes; null
     * for null.
     */
    static Object shown(byte[] value) {
        if (value == null) {
            return null;
        }
        try {
            CharBuffer text =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .onUnmappableCharacter(CodingErrorAction.REPORT)
                            .decode(ByteBuffer.wrap(value));
            return text.toString();
        } catch (CharacterCodingException e) {
            return value;
        }
    }

    /**
     * A header value as camel-kafka converts it; null for a type that no record header can hold.
     */
    static byte[] header(Object value) {
        if (value instanceof String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        } else if (value instanceof byte[] bytes) {
            return bytes;
        } else if (value instanceof Long number) {
            return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
        } else if (value instanceof Integer number) {
            return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
        } else if (value instanceof Double number) {
            return ByteBuffer.allocate(Double.BYTES).putDouble(number).array();
        } else if (value instanceof Boolean) {
            return value.toString().getBytes(StandardCharsets.UTF_8);
        }
        return null;
    }

    /** A key: bytes as they are, numbers and the like as text. */
    static byte[] key(Exchange exchange, Object key) {
        if (key instanceof Number
                || key instanceof Boolean
                || key instanceof Character
                || key instanceof UUID) {
            return key.toString().getBytes(StandardCharsets.UTF_8);
        }
        return key == null ? null : convert(exchange, "key", key);
    }

    /** A body that is not null. */
    static byte[] body(Exchange exchange, Object body) {
        return convert(exchange, "body", body);
    }

    private static byte[] convert(Exchange exchange, String part, Object value) {
        if (value instanceof byte[] bytes) {
            return bytes;
        }
        if (value instanceof String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        if (value instanceof ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return bytes;
        }
        byte[] bytes = null;
        // A collection is not one message; what a converter made of it would be damage.
        if (!(value instanceof Iterable) && !(value instanceof Map)) {
            try {
                bytes =
                        exchange.getContext()
                                .getTypeConverter()
                                .tryConvertTo(byte[].class, exchange, value);
            } catch (RuntimeCamelException e) {
                bytes = null;
            }
        }
        if (bytes == null) {
            throw new IllegalArgumentException(
                    "the "
                            + part
                            + " of type "
                            + value.getClass().getName()
                            + " cannot be sent as bytes; make it text or bytes in the route, for example by marshal");
        }
        return bytes;
    }
}
