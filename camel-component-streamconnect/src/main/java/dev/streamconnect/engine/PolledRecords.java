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
    private static final long MAX_BYTES = 512 * 1024;

    /** About what a cut takes, in whole chunks. */
    private static final int CUT_BYTES = 512 * 1024;

    /** What an object of the client takes of memory beside its bytes, about. */
    private static final int OBJECT_BYTES = 64;

    private final ArrayDeque<ConsumerRecord<byte[], byte[]>> records = new ArrayDeque<>();

    /** Of each record, what it takes of a batch. */
    private final IntQueue sizes = new IntQueue();

    private long bytes;
    private boolean full;

    /**
     * What a delivery takes.
     *
     * @param records at least one, in offset order
     * @param bytes what they take of memory, about
     */
    record Cut(List<ConsumerRecord<byte[], byte[]>> records, long bytes) {}

    /**
     * What each record takes of a batch. For the thread that has just read them, as long as they
     * are in its processor's caches: to fetch them there again costs more than all that is done
     * with them.
     */
    static int[] sizes(List<ConsumerRecord<byte[], byte[]>> polled) {
        int[] sizes = new int[polled.size()];
        for (int i = 0; i < sizes.length; i++) {
            ConsumerRecord<byte[], byte[]> record = polled.get(i);
            sizes[i] = ChunkSize.of(record.key(), record.value(), record.headers().toArray());
        }
        return sizes;
    }

    /**
     * @param sizesOf see {@link #sizes}
     */
    void add(List<ConsumerRecord<byte[], byte[]>> polled, int[] sizesOf) {
        for (int i = 0; i < sizesOf.length; i++) {
            records.add(polled.get(i));
            sizes.add(sizesOf[i]);
            bytes += sizesOf[i] + OBJECT_BYTES;
        }
        full |= bytes >= MAX_BYTES;
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
            taken.add(records.poll());
            takenBytes += sizes.poll() + OBJECT_BYTES;
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
            int needed = sizes.get(count) + chunk.more();
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
        sizes.clear();
        bytes = 0;
        full = false;
    }
}
