package dev.streamconnect.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Finds messages that landed on both sides, as where an acknowledgement was cut and the message was
 * sent again to the other side. A message is known by its key, value, headers and timestamp; one
 * read from one side stands for one of the other. The last ones read are remembered, so many of
 * both sides together. Thread-safe.
 */
final class Repeats {

    /** 128 bits of a SHA-256: no two messages have the same by chance. */
    private record Identity(long high, long low) {}

    private final boolean drops;
    private final MessageDigest digest;
    private final Map<Identity, Boolean> sideBySeen;

    /**
     * @param drops true leaves repeats out, false only counts them
     * @param window how many messages to remember
     */
    Repeats(boolean drops, int window) {
        this.drops = drops;
        this.sideBySeen =
                new LinkedHashMap<>() {
                    private static final long serialVersionUID = 1;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<Identity, Boolean> eldest) {
                        return size() > window;
                    }
                };
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JVM has SHA-256", e);
        }
    }

    /**
     * What was read.
     *
     * @param left the records that go on, all of them where repeats are only counted
     * @param repeats how many were read from the other side before
     */
    record Read(List<ConsumerRecord<byte[], byte[]>> left, int repeats) {}

    /** Looks at records of one partition of a side, in their order. */
    synchronized Read look(boolean isB, List<ConsumerRecord<byte[], byte[]>> records) {
        List<ConsumerRecord<byte[], byte[]>> left = new ArrayList<>(records.size());
        int repeats = 0;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            boolean repeat = isRepeat(isB, identity(record));
            repeats += repeat ? 1 : 0;
            if (!repeat || !drops) {
                left.add(record);
            }
        }
        return new Read(left, repeats);
    }

    private boolean isRepeat(boolean isB, Identity identity) {
        Boolean seenOnB = sideBySeen.get(identity);
        if (seenOnB == null || seenOnB == isB) {
            sideBySeen.put(identity, isB);
            return false;
        }
        // It stood for this one; a further one is a message of its own.
        sideBySeen.remove(identity);
        return true;
    }

    private Identity identity(ConsumerRecord<byte[], byte[]> record) {
        add(record.key());
        add(record.value());
        digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, record.timestamp()));
        for (Header header : record.headers()) {
            add(header.key().getBytes(StandardCharsets.UTF_8));
            add(header.value());
        }
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        return new Identity(hash.getLong(), hash.getLong());
    }

    /** With its length before it, -1 for null: no two messages give the same bytes. */
    private void add(byte[] bytes) {
        int length = bytes == null ? -1 : bytes.length;
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, length));
        if (bytes != null) {
            digest.update(bytes);
        }
    }
}
