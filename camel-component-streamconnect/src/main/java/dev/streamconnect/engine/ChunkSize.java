package dev.streamconnect.engine;

import org.apache.kafka.common.header.Header;

/**
 * What fits into one batch of a producer, so that a chunk goes in one. Immutable.
 *
 * @param bytes most bytes of records, counted by {@link #of}
 * @param more bytes that each record gets on its way
 */
record ChunkSize(int bytes, int more) {

    /** Bytes that Kafka's format adds to a batch. */
    static final int BATCH_OVERHEAD = 61;

    /**
     * How much of a batch is used with compression: the client reckons with 1.05 of what it takes
     * to be the ratio, and closes one that turns out to be incompressible early.
     */
    private static final double COMPRESSED_FILL = 0.93;

    /** Where the client's batches are not known. */
    static final ChunkSize DEFAULT = ofBatch(512 * 1024, false);

    /**
     * @param batchSize size of a batch, in bytes
     * @param compressed whether the producer compresses it
     */
    static ChunkSize ofBatch(int batchSize, boolean compressed) {
        return new ChunkSize(
                compressed ? (int) (batchSize * COMPRESSED_FILL) : batchSize - BATCH_OVERHEAD, 0);
    }

    /** For records that get so many bytes more each. */
    ChunkSize with(int moreBytes) {
        return new ChunkSize(bytes, moreBytes);
    }

    /** Bytes that a record takes of a batch, at most, without what it gets on its way. */
    static int of(byte[] key, byte[] value, Header[] headers) {
        int bytes = RecordSize.of(key, value, headers);
        return bytes + RecordSize.overhead(bytes, headers.length);
    }

    /** True if a record no longer fits into a chunk that has records already. */
    boolean isFull(int filled, int needed) {
        return filled > 0 && filled + needed > bytes;
    }
}
