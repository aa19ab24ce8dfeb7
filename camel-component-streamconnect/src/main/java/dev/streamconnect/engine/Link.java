package dev.streamconnect.engine;

import dev.streamconnect.metrics.Backlog;
import dev.streamconnect.metrics.LinkTotals;
import java.time.Duration;

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
     * Stops: hands out nothing more, settles what is in flight, commits, leaves. Idempotent.
     *
     * @param limit how long to wait for what is in flight; what is not settled by then is read
     *     again at the next start
     */
    void close(Duration limit);
}
