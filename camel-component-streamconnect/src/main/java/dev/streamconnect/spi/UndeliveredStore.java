package dev.streamconnect.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Keeps messages that could not be delivered until they can be.
 *
 * <p>What a call has returned for is durable: it survives the end of the process at any moment. All
 * calls may block for as long as the database takes, within limits of the implementation's own
 * (seconds), and may come from any thread; several nodes may share a store. Rows hold the data of
 * customers.
 *
 * <p>Order: within a {@link MessageOrigin} and a {@link Stage}, rows stand in the order of {@link
 * UndeliveredMessage#epoch}, source offset, and insertion; where there is no source offset, of
 * insertion. A row <em>heads</em> its key there if no earlier row of the same key and {@link
 * TopicPair} is {@link StoredState#WAITING}. Null keys have no order: each such row is its own
 * head.
 *
 * <p>All methods throw {@link StoreUnavailableException} if the database can't be reached or does
 * not answer in time; the call may be repeated then. {@link #retry}, {@link #park}, {@link
 * #discard} and {@link #purgeParked} may be done in part then.
 */
public interface UndeliveredStore extends AutoCloseable {

    /**
     * Stores messages, all or nothing.
     *
     * <p>A message is identified by origin, stage, source offset and {@link
     * UndeliveredMessage#fingerprint}: one that is there already is not stored again (the source
     * was read again after a crash), whatever its state. One without a source (see {@link
     * MessageOrigin#direct}) has no identity and is always stored. Times are kept to the
     * microsecond.
     *
     * @param messages in the order in which they must be delivered
     * @throws StoreFullException if the store would hold more than it may; nothing is stored
     */
    void store(List<UndeliveredMessage> messages);

    /**
     * Whether other nodes can use the same rows. False for a file that one process has open; then
     * the status says so while others read in the same group.
     */
    default boolean isShared() {
        return true;
    }

    /**
     * The keys that have waiting rows of these topics, each once; null keys are left out. Cheap
     * while there are none. Rows of other topics, which the record connected earlier, hold nothing.
     */
    List<HeldKey> heldKeys(MessageOrigin origin, TopicPair topics);

    /**
     * The largest {@link UndeliveredMessage#epoch} of the origin's rows with its source topic id;
     * empty if there are no rows.
     */
    Optional<Epoch> latestEpoch(MessageOrigin origin);

    /**
     * Waiting rows of these topics that may be delivered now, in order: heads whose next attempt is
     * due, and the rows behind them of the same key. Rows of other topics are left alone.
     *
     * @param maxRows most rows, at least 1
     * @param maxBytes stop after so many payload bytes; the first row always comes
     */
    List<StoredMessage> due(
            MessageOrigin origin,
            TopicPair topics,
            Stage stage,
            Instant now,
            int maxRows,
            long maxBytes);

    /** Origins that have waiting rows without a source (see {@link MessageOrigin#direct}). */
    List<MessageOrigin> directOrigins();

    /** Removes rows that were delivered. Unknown ids are ignored. */
    void delivered(Collection<Long> ids);

    /**
     * Notes failed attempts: reason, answer, the next attempt, or that the row is parked. A row
     * that was parked meanwhile stays parked; unknown ids are ignored.
     */
    void failed(Collection<FailedAttempt> attempts);

    /**
     * Makes matching rows due now; parked ones wait again, with their attempts counted from zero.
     *
     * @return how many rows it changed; those that were due already are not counted
     */
    int retry(RowSelector selector, Instant now);

    /** Parks matching waiting rows. Returns how many it changed. */
    int park(RowSelector selector);

    /** Deletes matching rows. Returns how many. */
    int discard(RowSelector selector);

    /**
     * Rows without key, value and headers, by id.
     *
     * @param afterId only rows of a larger id, 0 from the start
     */
    List<StoredMessage> list(RowSelector selector, long afterId, int maxRows);

    /** One row with its payload. */
    Optional<StoredMessage> show(long id);

    /** Counts for each origin and pair of topics that has rows. */
    List<OriginTotals> totals();

    /**
     * Deletes rows that were parked before that time (not: whose last attempt was before it, since
     * a row that is parked late, or was never sent, would be gone at once).
     *
     * @return how many
     */
    int purgeParked(Instant olderThan);

    /**
     * Takes or renews a lease, by the database's clock.
     *
     * @param name what the lease is for
     * @param owner who asks, unique among the nodes and their restarts
     * @return true if the owner has it now, for that long
     */
    boolean lease(String name, String owner, Duration duration);

    /** Gives a lease back, if the owner has it. */
    void release(String name, String owner);

    /** Frees what the store holds. Idempotent. */
    @Override
    void close();
}
