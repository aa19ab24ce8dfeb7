package dev.streamconnect.engine;

import dev.streamconnect.metrics.Backlog;
import dev.streamconnect.metrics.LinkTotals;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A source topic that is read, and the destination (if any) that its records go to. Thread-safe.
 */
public interface Link {

    /** Id, unique in the engine. */
    String id();

    /** What it does now; never blocks. */
    LinkStatus status();

    /** What it has counted since it was opened; never blocks. */
    LinkTotals totals();

    /** What waits at its source now; never blocks. */
    Backlog backlog();

    /**
     * Stops handing out deliveries; what is in flight goes on. Keeps the group membership.
     * Idempotent.
     */
    void pause();

    /** True between {@link #pause} and {@link #resume}. */
    boolean isPaused();

    /** Takes up after {@link #pause}. Idempotent. */
    void resume();

    /**
     * Moves its source position back on this node and goes on from there. What is in flight comes
     * to its end first; rows of the undelivered store stay. Never blocks; ends within a minute.
     *
     * @param partition null for all that this node reads; needed for an offset
     * @param side {@code A} or {@code B}, to restrict it to one side of Hermes; null for both,
     *     needed for an offset where there are two
     * @return what was done with each partition; exceptionally with {@link
     *     IllegalArgumentException} for a wrong request (also an offset ahead of the position,
     *     which would skip messages); nothing is moved then
     */
    CompletionStage<List<ReplayedPartition>> replay(
            ReplayFrom from, Integer partition, String side);

    /**
     * Stops: hands out nothing more, settles what is in flight, commits, leaves. Idempotent.
     *
     * @param limit how long to wait for what is in flight; what is not settled by then is read
     *     again at the next start
     */
    void close(Duration limit);
}
