package dev.streamconnect.spi;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * Keeps closed metrics windows for a while. Threads, blocking and errors as in {@link
 * UndeliveredStore}.
 */
public interface MetricsStore extends AutoCloseable {

    /** Stores windows, once each: topic replication, node and collection time identify one. */
    void add(Collection<MetricsRecord> windows);

    /**
     * Windows in order of their time.
     *
     * @param channelReplication id of a topic replication, null for all
     * @param from inclusive, null for the oldest
     * @param to exclusive, null for the newest
     */
    List<MetricsRecord> find(String channelReplication, Instant from, Instant to, int maxRows);

    /** Deletes windows that ended before that time. Returns how many. */
    int purge(Instant olderThan);

    /** Frees what the store holds. Idempotent. */
    @Override
    void close();
}
