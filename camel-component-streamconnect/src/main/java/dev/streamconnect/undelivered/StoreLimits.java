package dev.streamconnect.undelivered;

/**
 * How much an undelivered store may hold. What writers store at the very same moment does not see
 * each other, so the store can be over by what is in flight then.
 *
 * @param maxRows most rows, at least 1
 * @param maxBytes most payload bytes (keys, values, headers), at least 1
 */
public record StoreLimits(long maxRows, long maxBytes) {

    /** Option that sets {@link #maxRows}. */
    public static final String MAX_ROWS_OPTION = "undeliveredMaxRows";

    /** Option that sets {@link #maxBytes}. */
    public static final String MAX_BYTES_OPTION = "undeliveredMaxBytes";

    /** 100,000 rows and 1 GiB. */
    public static final StoreLimits DEFAULT = new StoreLimits(100_000, 1L << 30);

    /**
     * @throws IllegalArgumentException if a limit is below 1
     */
    public StoreLimits {
        atLeastOne(maxRows, MAX_ROWS_OPTION);
        atLeastOne(maxBytes, MAX_BYTES_OPTION);
    }

    private static void atLeastOne(long limit, String option) {
        if (limit < 1) {
            throw new IllegalArgumentException(option + "=" + limit + " is below 1");
        }
    }
}
