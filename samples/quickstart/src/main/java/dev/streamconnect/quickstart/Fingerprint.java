package dev.streamconnect.quickstart;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Eight bytes that stand for timestamp, key, value and all headers in their order. Null differs
 * from empty. Not thread-safe.
 */
final class Fingerprint {

    private final MessageDigest digest;
    private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);

    Fingerprint() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Of one message. */
    long of(long timestamp, byte[] key, byte[] value, Headers headers) {
        digest.reset();
        add(timestamp);
        add(key);
        add(value);
        for (Header header : headers) {
            add(header.key().getBytes(StandardCharsets.UTF_8));
            add(header.value());
        }
        return ByteBuffer.wrap(digest.digest()).getLong();
    }

    private void add(long value) {
        digest.update(number.clear().putLong(value).array());
    }

    private void add(byte[] bytes) {
        add(bytes == null ? -1L : bytes.length);
        if (bytes != null) {
            digest.update(bytes);
        }
    }
}
