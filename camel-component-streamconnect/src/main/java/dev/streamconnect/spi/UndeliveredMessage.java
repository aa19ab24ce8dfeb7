package dev.streamconnect.spi;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * A message that could not be delivered, byte for byte.
 *
 * @param origin where it came from
 * @param stage where it goes on
 * @param topicId id of the source topic, empty where the broker tells none or there is no source
 * @param epoch counts the source topic's incarnations that the store has seen: rows of a recreated
 *     topic come after those of its predecessor
 * @param offset source offset; -1 without a source
 * @param occurrence tells apart equal records that one source record became, counted from 0
 * @param topics source and destination topic, by their full names; without a source {@link
 *     TopicPair#direct}
 * @param partition destination partition: one that was asked for, null for by key, or {@link
 *     #SOURCE_PARTITION}
 * @param key key bytes, null for none
 * @param value value bytes, null for a tombstone
 * @param headers in order; names may repeat, values may be null
 * @param timestamp milliseconds since the epoch; negative for none
 * @param reason why it is stored
 * @param errorClass class of the destination's answer, empty where it was not asked
 * @param errorText one line for people: the answer, with size and limit where they are known
 * @param attempts how often it was sent in vain
 * @param at when it was stored
 * @param nextAttempt when to try again, unless an earlier message of its key waits
 */
public record UndeliveredMessage(
        MessageOrigin origin,
        Stage stage,
        String topicId,
        int epoch,
        long offset,
        int occurrence,
        TopicPair topics,
        Integer partition,
        byte[] key,
        byte[] value,
        List<StoredHeader> headers,
        long timestamp,
        Reason reason,
        String errorClass,
        String errorText,
        int attempts,
        Instant at,
        Instant nextAttempt) {

    /** The source partition's number where both topics have as many partitions, else by key. */
    public static final int SOURCE_PARTITION = -1;

    public UndeliveredMessage {
        Objects.requireNonNull(origin, "origin");
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(topicId, "topicId");
        Objects.requireNonNull(topics, "topics");
        headers = List.copyOf(headers);
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(nextAttempt, "nextAttempt");
    }

    /** Full name of the destination topic. */
    public String destination() {
        return topics.destination();
    }

    /** Bytes of key, value and headers. */
    public long bytes() {
        long bytes = (key == null ? 0 : key.length) + (long) (value == null ? 0 : value.length);
        for (StoredHeader header : headers) {
            bytes += header.name().getBytes(StandardCharsets.UTF_8).length;
            bytes += header.value() == null ? 0 : header.value().length;
        }
        return bytes;
    }

    /**
     * 32 bytes that stand for topic id, destination, key, value, headers, timestamp and {@link
     * #occurrence}: the same message read again has the same, another message of the same offset,
     * or the same for another destination, has another.
     */
    public byte[] fingerprint() {
        MessageDigest digest = sha256();
        add(digest, topicId.getBytes(StandardCharsets.UTF_8));
        add(digest, destination().getBytes(StandardCharsets.UTF_8));
        add(digest, key);
        add(digest, value);
        for (StoredHeader header : headers) {
            add(digest, header.name().getBytes(StandardCharsets.UTF_8));
            add(digest, header.value());
        }
        digest.update(ByteBuffer.allocate(12).putLong(timestamp).putInt(occurrence).flip());
        return digest.digest();
    }

    private static void add(MessageDigest digest, byte[] bytes) {
        int length = bytes == null ? -1 : bytes.length;
        digest.update(ByteBuffer.allocate(4).putInt(length).flip());
        if (bytes != null) {
            digest.update(bytes);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Names its place and size; never shows content. */
    @Override
    public String toString() {
        return origin + " offset " + offset + " " + stage + " " + bytes() + " bytes " + reason;
    }
}
