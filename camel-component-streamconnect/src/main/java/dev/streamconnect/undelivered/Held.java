package dev.streamconnect.undelivered;

import dev.streamconnect.spi.StoreFullException;

/**
 * What a store holds.
 *
 * @param rows all rows, parked ones included
 * @param bytes payload bytes of all of them
 */
record Held(long rows, long bytes) {

    /** What others may store within a second without being counted. */
    private static final long FEW_ROWS = 5_000;

    private static final long FEW_BYTES = 64L << 20;

    Held plus(long moreRows, long moreBytes) {
        return new Held(rows + moreRows, bytes + moreBytes);
    }

    /** True where it is so far below the limits that it need not be counted anew each time. */
    boolean isFarBelow(StoreLimits limits) {
        return rows <= limits.maxRows() - Math.max(limits.maxRows() / 5, FEW_ROWS)
                && bytes <= limits.maxBytes() - Math.max(limits.maxBytes() / 5, FEW_BYTES);
    }

    /** Refuses what a call added to get here, where it takes the store over a limit. */
    void refuseOver(StoreLimits limits, long addedRows, long addedBytes) {
        if (addedRows > 0 && rows > limits.maxRows()) {
            throw full(rows - addedRows, addedRows, "rows", limits.maxRows(), true);
        }
        if (addedBytes > 0 && bytes > limits.maxBytes()) {
            throw full(bytes - addedBytes, addedBytes, "payload bytes", limits.maxBytes(), false);
        }
    }

    private static StoreFullException full(
            long held, long added, String unit, long limit, boolean isRows) {
        String option = isRows ? StoreLimits.MAX_ROWS_OPTION : StoreLimits.MAX_BYTES_OPTION;
        return new StoreFullException(
                "the undelivered store holds %,d %s and would take %,d more; the limit is %,d (option %s)"
                        .formatted(held, unit, added, limit, option));
    }
}
