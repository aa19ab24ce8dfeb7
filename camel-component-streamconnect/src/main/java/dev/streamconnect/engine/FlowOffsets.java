package dev.streamconnect.engine;

/**
 * Positions of one source partition: what is settled, what is committed, and how much lies between
 * them. Guarded by the flow's lock.
 *
 * <p>Invariants: {@code settled} never passes a record that is not acknowledged, stored, or dropped
 * by the route; no more than {@code maxUncommitted} records are settled and not committed, but for
 * what a single delivery emits.
 */
final class FlowOffsets {

    private final int maxUncommitted;
    private long settled = -1;
    private long committed = -1;
    private long settledCount;
    private long settledCountAtCommit;
    private long committedCount;
    private long offsetAtCommit = -1;
    private int ackedBeyondSettled;
    private long restartAt = -1;
    private boolean waitsForCommit;

    FlowOffsets(int maxUncommitted) {
        this.maxUncommitted = maxUncommitted;
    }

    void startAt(long offset) {
        settled = offset;
    }

    /** Goes on elsewhere, also further back, as soon as nothing of before is on its way. */
    void restartAt(long offset) {
        restartAt = offset;
    }

    boolean isRestarting() {
        return restartAt >= 0;
    }

    /** What is on its way belongs to the old positions and must not settle the new ones. */
    void restart() {
        if (restartAt >= 0) {
            settled = restartAt;
            committed = -1;
            restartAt = -1;
            ackedBeyondSettled = 0;
        }
    }

    /** Where it goes on: what is settled, or where it restarts. */
    long position() {
        return restartAt >= 0 ? restartAt : settled;
    }

    /** The broker has this offset or a later one. */
    boolean isCommitted(long offset) {
        return restartAt < 0 && committed >= offset;
    }

    long settled() {
        return settled;
    }

    /** Settles everything below the offset. Returns true if that is news. */
    boolean settle(long offset) {
        if (offset <= settled) {
            return false;
        }
        settled = offset;
        return true;
    }

    /** Counts records of the destination that are acknowledged or stored. */
    void count(int records) {
        settledCount += records;
    }

    /** Records acknowledged or stored whose source record is not settled yet. */
    void beyondSettled(int records) {
        ackedBeyondSettled = records;
    }

    /** Offset to commit, or -1 if there is nothing new. The last one asked for counts. */
    long committable() {
        if (restartAt >= 0 || settled <= committed) {
            return -1;
        }
        offsetAtCommit = settled;
        settledCountAtCommit = settledCount - ackedBeyondSettled;
        return settled;
    }

    /** What the broker has, as far as is known; -1 for nothing. */
    long committed() {
        return restartAt >= 0 ? -1 : committed;
    }

    /** The broker has the offset. Returns true if there is room again for more. */
    boolean committed(long offset) {
        if (offset <= committed || offset > settled) {
            return false;
        }
        committed = offset;
        if (offset != offsetAtCommit) {
            return false;
        }
        committedCount = settledCountAtCommit;
        waitsForCommit = false;
        return true;
    }

    /**
     * Records that a crash would repeat. Where nothing is left to commit, none but those beyond.
     */
    long uncommitted() {
        return settled <= committed ? ackedBeyondSettled : settledCount - committedCount;
    }

    /** True if so much waits for its commit that it should not wait for the interval. */
    boolean isCommitUrgent() {
        return uncommitted() >= maxUncommitted / 2 || waitsForCommit;
    }

    /** True if so many more may be sent before the next commit; if not, it waits for that. */
    boolean hasRoomFor(int records) {
        if (restartAt < 0 && uncommitted() > 0 && uncommitted() + records > maxUncommitted) {
            waitsForCommit = true;
            return false;
        }
        return true;
    }

    /** As {@link #hasRoomFor}, without waiting. */
    boolean fits(int records) {
        return uncommitted() + records <= maxUncommitted;
    }

    boolean waitsForCommit() {
        return waitsForCommit;
    }
}
