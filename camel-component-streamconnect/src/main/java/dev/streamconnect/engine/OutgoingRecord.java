package dev.streamconnect.engine;

import org.apache.kafka.common.header.Header;

/**
 * A record that a route hands to a destination.
 *
 * @param key key bytes, null for none
 * @param value value bytes, null for a tombstone
 * @param headers headers in order, duplicates allowed; never null
 * @param timestamp milliseconds since the epoch, null for the time of sending
 * @param partition the destination partition, or null to let the source partition (where the counts
 *     match) or the key decide
 * @param keepsSourcePartition true while the record still has the key of its source record, so that
 *     the same partition is right where both topics have as many
 */
public record OutgoingRecord(
        byte[] key,
        byte[] value,
        Iterable<Header> headers,
        Long timestamp,
        Integer partition,
        boolean keepsSourcePartition) {

    /** Names sizes only; never shows content. */
    @Override
    public String toString() {
        return "OutgoingRecord[key="
                + (key == null ? "null" : key.length + " bytes")
                + ", value="
                + (value == null ? "null" : value.length + " bytes")
                + "]";
    }
}
