package dev.streamconnect.metrics;

import java.time.Instant;

/**
 * A snapshot of {@link LinkCounters}. All but {@code heldBehindKey} and {@code lastRetryRun} only
 * grow.
 *
 * @param messages messages that the destination acknowledged
 * @param bytes key, value and header bytes of those messages
 * @param stored messages put into the undelivered store
 * @param retried stored messages that were delivered
 * @param parked stored messages that were parked
 * @param throttleMillis time that brokers asked the link's clients to wait, milliseconds
 * @param gapMessages messages that the source had removed before they were read
 * @param positionEvents how often a partition could not be read on at its position: gaps, source
 *     topics made anew, logs that were cut
 * @param heldBehindKey messages that wait behind an earlier one of their key
 * @param lastRetryRun when the last retry run ended; null if there was none
 * @param reordered messages handed out after a younger one of their key from the other side
 * @param repeated messages that were read from the other side before
 * @param drainLimitsHit how often a side was not read to its end in time
 * @param returned messages that were left out, since they had come from their destination
 */
public record LinkTotals(
        long messages,
        long bytes,
        long stored,
        long retried,
        long parked,
        long throttleMillis,
        long gapMessages,
        long positionEvents,
        long heldBehindKey,
        Instant lastRetryRun,
        long reordered,
        long repeated,
        long drainLimitsHit,
        long returned) {

    /** Nothing counted yet. */
    public static final LinkTotals NONE =
            new LinkTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, null, 0, 0, 0, 0);
}
