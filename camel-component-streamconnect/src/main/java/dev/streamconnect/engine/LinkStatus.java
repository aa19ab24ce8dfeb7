package dev.streamconnect.engine;

import dev.streamconnect.cluster.MissingRight;
import java.time.Instant;
import java.util.List;

/**
 * Snapshot of a link's state and counters.
 *
 * @param id the topic replication's id, or the consumer's
 * @param state what it does now
 * @param reason why, one line; empty for states that need none
 * @param since when this state began
 * @param errorSince when the first of the current problems began; null while there is none
 * @param source source topic with its connection, for people
 * @param destination destination topic with its connection, for people; empty for a consumer
 *     without destination
 * @param assignedPartitions source partitions that this node reads now
 * @param totalPartitions source partitions that there are, whoever reads them, as of the last look
 *     (half a minute at most); those of both sides of Hermes
 * @param messages messages delivered since the start; only grows
 * @param bytes key, value and header bytes (names and values) of those messages; only grows
 * @param lag records between the source's end and what is settled, never negative; -1 while unknown
 * @param reordered messages handed out after a younger one of their key from the other side of
 *     Hermes; only grows
 * @param repeated messages that were read from the other side before, where that is looked for;
 *     only grows
 * @param drainLimitsHit how often a side was not read to its end in time; only grows
 * @param returned messages that were left out, since they had come from their destination; only
 *     grows
 * @param notice what is to be known beside the state, one line; empty for none
 * @param missingRights optional rights that it does without
 * @param events the newest events of positions, the newest last; what is missing, new or read anew
 */
public record LinkStatus(
        String id,
        LinkState state,
        String reason,
        Instant since,
        Instant errorSince,
        String source,
        String destination,
        int assignedPartitions,
        int totalPartitions,
        long messages,
        long bytes,
        long lag,
        long reordered,
        long repeated,
        long drainLimitsHit,
        long returned,
        String notice,
        List<MissingRight> missingRights,
        List<PositionEvent> events) {

    public LinkStatus {
        missingRights = List.copyOf(missingRights);
        events = List.copyOf(events);
    }

    /** One that has no link here. */
    public static LinkStatus stopped(String id, String reason, Instant since) {
        return new LinkStatus(
                id,
                LinkState.STOPPED,
                reason,
                since,
                null,
                "",
                "",
                0,
                0,
                0,
                0,
                -1,
                0,
                0,
                0,
                0,
                "",
                List.of(),
                List.of());
    }
}
