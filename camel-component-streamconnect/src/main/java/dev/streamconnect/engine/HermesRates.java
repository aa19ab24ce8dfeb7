package dev.streamconnect.engine;

/**
 * How fast this node may move messages to and from Hermes, all topics together.
 *
 * @param produced bytes a second sent to Hermes; 0 for no limit
 * @param consumed bytes a second read from Hermes, both sides together; 0 for no limit
 */
public record HermesRates(long produced, long consumed) {

    /** No limit. */
    public static final HermesRates NONE = new HermesRates(0, 0);

    public HermesRates {
        check("maxProducedBytesPerSecond", produced);
        check("maxConsumedBytesPerSecond", consumed);
    }

    private static void check(String option, long rate) {
        if (rate < 0) {
            throw new IllegalArgumentException(
                    option + ": " + rate + " is too small; use 1 or more, or 0 for no limit");
        }
    }
}
