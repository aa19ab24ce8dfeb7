package dev.streamconnect.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Polled records of one source partition that no delivery has taken yet. Guarded by the flow's
 * lock.
 */
final class PolledRecords {

    /** At so many bytes the partition is paused; it is resumed below half of it. */
    private static final long MAX_BYTES = 4L * 1024 * 1024;

    private static final int MAX_CUT_BYTES = 1024 * 1024;

    private final ArrayDeque<ConsumerRecord<byte[], byte[]>> records = new ArrayDeque<>();
    private long bytes;
    private boolean full;

    /**
     * What a delivery takes.
     *
     * @param records at least one, in offset order
     * @param bytes what they take of memory, about
     */
    record Cut(List<ConsumerRecord<byte[], byte[]>> records, long bytes) {}

    void add(List<ConsumerRecord<byte[], byte[]>> polled) {
        for (ConsumerRecord<byte[], byte[]> record : polled) {
            records.add(record);
            bytes += bytes(record);
        }
        full |= bytes >= MAX_BYTES;
    }

    private static int bytes(ConsumerRecord<byte[], byte[]> record) {
        return Math.max(record.serializedKeySize(), 0)
                + Math.max(record.serializedValueSize(), 0)
                + 64;
    }

    /**
     * Takes records from the front, the first in any case.
     *
     * @param most how many at most
     * @param latest the cut ends before a record with a later timestamp, in milliseconds since the
     *     epoch
     */
    Cut cut(int most, long latest) {
        List<ConsumerRecord<byte[], byte[]>> taken =
                new ArrayList<>(Math.min(most, records.size()));
        long takenBytes = 0;
        do {
            ConsumerRecord<byte[], byte[]> record = records.poll();
            takenBytes += bytes(record);
            taken.add(record);
        } while (!records.isEmpty()
                && taken.size() < most
                && takenBytes < MAX_CUT_BYTES
                && records.peek().timestamp() <= latest);
        bytes -= takenBytes;
        return new Cut(taken, takenBytes);
    }

    /** True from the moment at which it is full until {@link #hasRoomAgain}. */
    boolean isFull() {
        return full;
    }

    /** True once after it was full, when it is half empty: the partition can be resumed. */
    boolean hasRoomAgain() {
        boolean again = full && bytes < MAX_BYTES / 2;
        if (again) {
            full = false;
        }
        return again;
    }

    boolean isEmpty() {
        return records.isEmpty();
    }

    int size() {
        return records.size();
    }

    /** Milliseconds since the epoch; negative if there is none. */
    long firstTimestamp() {
        return records.isEmpty() ? -1 : records.peek().timestamp();
    }

    /** Milliseconds since the epoch; negative if there is none. */
    long lastTimestamp() {
        return records.isEmpty() ? -1 : records.peekLast().timestamp();
    }

    void clear() {
        records.clear();
        bytes = 0;
        full = false;
    }
}
