package dev.streamconnect.engine;

import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Utils;

/**
 * Counts messages that are handed out after a younger one of their key from the other side. Younger
 * goes by the record's timestamp. Thread-safe.
 *
 * <p>It remembers the youngest message of {@value #KEYS} keys at most, in one table of fixed size:
 * a key pushes out another one that falls on its place. So the count is exact for few keys at a
 * time and too low for many, and too high only where two keys have the same hash of 32 bits.
 * Messages without a key have no order and are not looked at.
 */
final class Reorderings {

    static final int KEYS = 4096;

    private static final long NOTHING = Long.MIN_VALUE;

    private int[] hashes;
    private long[] youngest;
    private boolean[] fromB;

    /**
     * Records go to the route, in this order.
     *
     * @param isB whether they are of side B
     * @return how many of them are older than one of their key from the other side before them
     */
    synchronized int handedOut(boolean isB, List<ConsumerRecord<byte[], byte[]>> records) {
        if (hashes == null) {
            // Many topics have no traffic at all.
            hashes = new int[KEYS];
            youngest = new long[KEYS];
            Arrays.fill(youngest, NOTHING);
            fromB = new boolean[KEYS];
        }
        int late = 0;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.key() == null) {
                continue;
            }
            int hash = Utils.murmur2(record.key());
            int place = hash & KEYS - 1;
            boolean known = hashes[place] == hash && youngest[place] != NOTHING;
            if (!known || record.timestamp() >= youngest[place]) {
                hashes[place] = hash;
                youngest[place] = record.timestamp();
                fromB[place] = isB;
            } else if (fromB[place] != isB) {
                late++;
            }
        }
        return late;
    }
}
