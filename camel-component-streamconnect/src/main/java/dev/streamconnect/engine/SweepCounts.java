package dev.streamconnect.engine;

/**
 * What a retry did.
 *
 * @param delivered stored messages that were delivered and are gone from the store
 * @param failed attempts in vain
 * @param parked messages that are parked since
 * @param madeDue stored messages that an operator's choice made due before the run
 */
public record SweepCounts(int delivered, int failed, int parked, int madeDue) {

    static final SweepCounts NONE = new SweepCounts(0, 0, 0);

    /** A run before which none was made due. */
    public SweepCounts(int delivered, int failed, int parked) {
        this(delivered, failed, parked, 0);
    }

    SweepCounts plus(SweepCounts other) {
        return new SweepCounts(
                delivered + other.delivered,
                failed + other.failed,
                parked + other.parked,
                madeDue + other.madeDue);
    }

    /** The same run after that many were made due. */
    public SweepCounts afterMadeDue(int rows) {
        return new SweepCounts(delivered, failed, parked, rows);
    }
}
