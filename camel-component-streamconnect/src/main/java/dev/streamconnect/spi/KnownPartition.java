package dev.streamconnect.spi;

import java.time.Instant;
import java.util.Objects;

/**
 * How far a group has read a partition, and in which topic.
 *
 * @param reader who reads it
 * @param partition its number
 * @param topicId id of the topic: one that is made anew has another
 * @param clusterId id of the cluster; empty while unknown
 * @param firstPartitions how many partitions the topic had when the group began to read it; -1
 *     while unknown
 * @param position first offset that is not settled; the group had committed it
 * @param firstSeen when this partition of this topic was noted first
 * @param lastSeen when it was so
 */
public record KnownPartition(
        TopicReader reader,
        int partition,
        String topicId,
        String clusterId,
        int firstPartitions,
        long position,
        Instant firstSeen,
        Instant lastSeen) {

    public KnownPartition {
        Objects.requireNonNull(reader, "reader");
        Objects.requireNonNull(topicId, "topicId");
        Objects.requireNonNull(clusterId, "clusterId");
        Objects.requireNonNull(firstSeen, "firstSeen");
        Objects.requireNonNull(lastSeen, "lastSeen");
    }
}
