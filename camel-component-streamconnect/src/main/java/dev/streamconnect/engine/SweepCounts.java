package dev.streamconnect.engine;

/**
 * What a retry did.
 *
 * @param delivered stored messages that were delivered and are gone from the store
 * @param failed attempts in vain
 * @param parked messages that are parked since
 */
public record SweepCounts(int delivered, int failed, int parked) {

    static final SweepCounts NONE = new SweepCounts(0, 0, 0);

    SweepCounts plus(SweepCounts other) {
        return new SweepCounts(
                delivered + other.delivered, failed + other.failed, parked + other.parked);
    }
}
