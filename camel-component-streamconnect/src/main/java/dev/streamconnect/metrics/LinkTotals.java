package dev.streamconnect.metrics;

import java.time.Instant;

/**
 * A snapshot of {@link LinkCounters}. All but the last two only grow.
 *
 * @param messages messages that the destination acknowledged
 * @param bytes key, value and header bytes of those messages
 * @param stored messages put into the undelivered store
 * @param retried stored messages that were delivered
 * @param parked stored messages that were parked
 * @param throttleMillis time that brokers asked the link's clients to wait, milliseconds
 * @param heldBehindKey messages that wait behind an earlier one of their key
 * @param lastRetryRun when the last retry run ended; null if there was none
 */
public record LinkTotals(
        long messages,
        long bytes,
        long stored,
        long retried,
        long parked,
        long throttleMillis,
        long heldBehindKey,
        Instant lastRetryRun) {

    /** Nothing counted yet. */
    public static final LinkTotals NONE = new LinkTotals(0, 0, 0, 0, 0, 0, 0, null);
}
