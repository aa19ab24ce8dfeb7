package dev.streamconnect.engine;

/**
 * What a replay did with one source partition.
 *
 * @param side {@code A} or {@code B}; null for a customer's Kafka
 * @param partition number; -1 for all of a source that does not answer
 * @param outcome what was done
 * @param from position before: the first message that was not replicated; -1 where it is not known
 *     here
 * @param to position after; the same where it did not move
 * @param reason why it did not move, one line; empty where it did, or nobody has to ask
 */
public record ReplayedPartition(
        String side, int partition, Outcome outcome, long from, long to, String reason) {

    /** What can become of a partition. */
    public enum Outcome {
        /** It reads again from {@code to}, and the group's position is there or behind it. */
        MOVED,
        /** There is nothing to replay: the position is not behind the place that was asked for. */
        UNCHANGED,
        /** Another node reads it, or nobody does. */
        NOT_OWNED,
        /** It could not be moved in time; it goes on where it was. */
        NOT_MOVED
    }

    static ReplayedPartition silent(String side, String reason) {
        return new ReplayedPartition(side, -1, Outcome.NOT_MOVED, -1, -1, reason);
    }

    static ReplayedPartition notOwned(String side, int partition) {
        return new ReplayedPartition(
                side, partition, Outcome.NOT_OWNED, -1, -1, "this node does not read it");
    }
}
