package dev.streamconnect.spi;

import java.util.Collection;
import java.util.List;

/**
 * Remembers which topics were read, and how far. A broker forgets a group's positions together with
 * a topic that is deleted, and when a group was away for long; without a memory of our own both
 * look like a first start.
 *
 * <p>Threads, blocking, sharing and errors as in {@link UndeliveredStore}.
 */
public interface KnownTopicStore extends AutoCloseable {

    /**
     * Notes partitions, each in the place of what was noted of it before. What was seen earlier
     * than what is there changes nothing, so notes of two nodes may come in any order. {@link
     * KnownPartition#firstSeen} stays as it was as long as the topic's id does. Times are kept to
     * the microsecond.
     */
    void note(Collection<KnownPartition> partitions);

    /** What was noted of these readers, by partition. */
    List<KnownPartition> find(Collection<TopicReader> readers);

    /** Frees what the store holds. Idempotent. */
    @Override
    void close();
}
