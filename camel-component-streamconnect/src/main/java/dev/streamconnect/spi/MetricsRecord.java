package dev.streamconnect.spi;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;

/**
 * One closed window of one topic replication on one node: the ten fields of a message replication
 * statistics record, and what else operators ask for. Counts are of the window alone, except where
 * "at the end" is said.
 *
 * @param collectionTime end of the window
 * @param collectionIntervalSeconds length of the window, seconds; the first and the last window of
 *     a run are mostly shorter
 * @param channelReplication id of the topic replication
 * @param messageCount messages that the destination acknowledged
 * @param byteCount key, value and header bytes of those messages
 * @param lagMessages messages still to be processed at the source at the end, never negative; null
 *     while unknown
 * @param source source topic
 * @param destination destination topic
 * @param direction {@code To ServiceNow} or {@code From ServiceNow}
 * @param node the node that ran it
 * @param stored messages put into the undelivered store
 * @param retried stored messages that were delivered
 * @param parked stored messages that were parked
 * @param heldBehindKey messages that wait behind an earlier one of their key, at the end
 * @param throttleMillis time that brokers asked the clients to wait, milliseconds
 * @param gapMessages messages that the source had removed before they were read
 * @param positionEvents how often a partition could not be read on at its position
 * @param assignedPartitions source partitions that the node reads, at the end
 * @param totalPartitions source partitions that there are, at the end
 * @param oldestAgeMillis age of the oldest message at the source that is not replicated, at the
 *     end, milliseconds; 0 if there is none, null while unknown
 * @param hoursToLoss hours until the source's retention deletes that message, at the end; null
 *     while unknown or where it never does
 * @param lastRetryRun when the last retry run ended on this node; null if there was none
 * @param reordered messages handed out after a younger one of their key from the other side of
 *     Hermes
 * @param repeated messages that were read from the other side before; 0 unless that is looked for
 * @param drainLimitsHit how often a side was not read to its end in time
 * @param returned messages that were left out, since they had come from their destination
 */
public record MetricsRecord(
        Instant collectionTime,
        long collectionIntervalSeconds,
        String channelReplication,
        long messageCount,
        long byteCount,
        Long lagMessages,
        String source,
        String destination,
        String direction,
        String node,
        long stored,
        long retried,
        long parked,
        long heldBehindKey,
        long throttleMillis,
        long gapMessages,
        long positionEvents,
        int assignedPartitions,
        int totalPartitions,
        Long oldestAgeMillis,
        Double hoursToLoss,
        Instant lastRetryRun,
        long reordered,
        long repeated,
        long drainLimitsHit,
        long returned) {

    public MetricsRecord {
        Objects.requireNonNull(collectionTime, "collectionTime");
        Objects.requireNonNull(channelReplication, "channelReplication");
    }

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

    /** One line for people; time in UTC. What did not happen and is not known is left out. */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(200);
        line.append(TIME.format(collectionTime)).append(' ').append(channelReplication);
        line.append(" (").append(direction).append(", ");
        line.append(source).append(" -> ").append(destination).append("): ");
        line.append(messageCount).append(" messages, ").append(byteCount).append(" bytes in ");
        line.append(collectionIntervalSeconds).append(" s, lag ");
        line.append(lagMessages == null ? "unknown" : lagMessages);
        add(line, "stored", stored, "");
        add(line, "retried", retried, "");
        add(line, "parked", parked, "");
        add(line, "held behind a key", heldBehindKey, "");
        add(line, "throttled", throttleMillis, " ms");
        add(line, "reordered", reordered, "");
        add(line, "repeated", repeated, "");
        add(line, "drain limits hit", drainLimitsHit, "");
        add(line, "returned", returned, "");
        add(line, "gap of", gapMessages, " message(s)");
        add(line, "position events", positionEvents, "");
        if (assignedPartitions < totalPartitions) {
            line.append(", partitions ").append(assignedPartitions).append(" of ");
            line.append(totalPartitions);
        }
        add(line, "oldest not replicated", oldestAgeMillis == null ? 0 : oldestAgeMillis, " ms");
        if (hoursToLoss != null) {
            line.append(String.format(Locale.ROOT, ", %.1f h to loss", hoursToLoss));
        }
        return line.append(", node ").append(node).toString();
    }

    private static void add(StringBuilder line, String name, long value, String unit) {
        if (value != 0) {
            line.append(", ").append(name).append(' ').append(value).append(unit);
        }
    }
}
