package dev.streamconnect.metrics;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * What one link has done on this node since it was opened. Counts only grow. Called once for a
 * chunk of messages, not for each. Thread-safe; never blocks for long.
 */
public final class LinkCounters {

    private long messages;
    private long bytes;
    private long stored;
    private long retried;
    private long parked;
    private long throttleMillis;
    private long reordered;
    private long repeated;
    private long drainLimitsHit;
    private long returned;
    private long gapMessages;
    private long positionEvents;
    private final Map<String, Long> held = new HashMap<>();
    private long heldBehindKey;
    private Instant lastRetryRun;

    /** More messages that the destination has acknowledged, with their key, value and headers. */
    public synchronized void moved(long more, long moreBytes) {
        messages += atLeastZero(more);
        bytes += atLeastZero(moreBytes);
    }

    /** More messages that are durably in the undelivered store. */
    public synchronized void stored(long more) {
        stored += atLeastZero(more);
    }

    /**
     * More stored messages that the destination has acknowledged. They are messages, too: whoever
     * delivers them past the flow of the source calls {@link #moved} as well.
     */
    public synchronized void retried(long more) {
        retried += atLeastZero(more);
    }

    /** More stored messages that are retried no more. */
    public synchronized void parked(long more) {
        parked += atLeastZero(more);
    }

    /**
     * Messages of one partition that wait now behind an earlier one of their key; takes the place
     * of what was said of that partition before.
     *
     * @param partition any name that is the partition's own; one that is left has 0
     */
    public synchronized void heldBehindKey(String partition, long now) {
        Long before = atLeastZero(now) == 0 ? held.remove(partition) : held.put(partition, now);
        heldBehindKey += now - (before == null ? 0 : before);
    }

    /** A retry run of this node that looked at this link has ended, whatever it found. */
    public synchronized void retryRunEnded(Instant at) {
        lastRetryRun = at;
    }

    /** More milliseconds that brokers have asked the link's clients to wait. */
    public synchronized void throttled(long moreMillis) {
        throttleMillis += atLeastZero(moreMillis);
    }

    /** More messages handed out after a younger one of their key from the other side. */
    public synchronized void reordered(long more) {
        reordered += atLeastZero(more);
    }

    /** More messages that were read from both sides; counted once for each second one. */
    public synchronized void repeated(long more) {
        repeated += atLeastZero(more);
    }

    /** More messages that were left out, since they had come from their destination. */
    public synchronized void returned(long more) {
        returned += atLeastZero(more);
    }

    /** A side was not read to its end in time, and the other one's messages went on. */
    public synchronized void drainLimitHit() {
        drainLimitsHit++;
    }

    /**
     * A partition could not be read on at its position.
     *
     * @param gap messages that the source had removed before they were read
     */
    public synchronized void positionTrouble(long gap) {
        positionEvents++;
        gapMessages += atLeastZero(gap);
    }

    /** All of them at one moment. */
    public synchronized LinkTotals totals() {
        return new LinkTotals(
                messages,
                bytes,
                stored,
                retried,
                parked,
                throttleMillis,
                gapMessages,
                positionEvents,
                heldBehindKey,
                lastRetryRun,
                reordered,
                repeated,
                drainLimitsHit,
                returned);
    }

    private static long atLeastZero(long count) {
        if (count < 0) {
            throw new IllegalArgumentException(count + " is no count");
        }
        return count;
    }
}
