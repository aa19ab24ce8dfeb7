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

    /**
     * At so many bytes the partition is paused; it is resumed below half of it. What waits here is
     * copied by the garbage collector: no more than keeps the destination busy.
     */
    private static final long MAX_BYTES = 2L * 1024 * 1024;

    /** About what a cut takes, in whole chunks. */
    private static final int CUT_BYTES = 1024 * 1024;

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
     * Takes records from the front, the first in any case; whole chunks where there is one, so that
     * no small rest costs the destination a turn of its own.
     *
     * @param most how many at most
     * @param latest the cut ends before a record with a later timestamp, in milliseconds since the
     *     epoch
     * @param chunk what the destination takes at once
     */
    Cut cut(int most, long latest, ChunkSize chunk) {
        int count = count(most, latest, chunk);
        List<ConsumerRecord<byte[], byte[]>> taken = new ArrayList<>(count);
        long takenBytes = 0;
        while (taken.size() < count) {
            ConsumerRecord<byte[], byte[]> record = records.poll();
            takenBytes += bytes(record);
            taken.add(record);
        }
        bytes -= takenBytes;
        return new Cut(taken, takenBytes);
    }

    private int count(int most, long latest, ChunkSize chunk) {
        int chunks = Math.max(1, CUT_BYTES / chunk.bytes());
        int whole = 0;
        int filled = 0;
        int count = 0;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (count >= Math.max(1, most) || count > 0 && record.timestamp() > latest) {
                break;
            }
            int needed = chunk.of(record.key(), record.value(), record.headers().toArray());
            if (chunk.isFull(filled, needed)) {
                whole = count;
                filled = 0;
                if (--chunks == 0) {
                    break;
                }
            }
            filled += needed;
            count++;
        }
        return whole == 0 ? count : whole;
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
