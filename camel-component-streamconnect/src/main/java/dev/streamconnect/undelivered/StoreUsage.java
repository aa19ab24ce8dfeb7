package dev.streamconnect.undelivered;

import java.time.Duration;
import org.jdbi.v3.core.Handle;

/**
 * What the store holds, counted anew when it matters: each time near a limit, and once a second far
 * below, since other nodes write as well.
 */
final class StoreUsage {

    private static final String COUNT =
            "select count(*) as held, coalesce(sum(payload_bytes), 0) as bytes"
                    + " from streamconnect_undelivered";

    private static final long MAX_AGE_NANOS = Duration.ofSeconds(1).toNanos();

    private final StoreLimits limits;
    private Held estimate;
    private long countedNanos;

    StoreUsage(StoreLimits limits) {
        this.limits = limits;
    }

    /**
     * Refuses a transaction that takes the store over a limit. To be called within it, after its
     * changes.
     *
     * @throws dev.streamconnect.spi.StoreFullException if it does
     */
    void added(Handle handle, long rows, long bytes) {
        if (isKnownToFit(rows, bytes)) {
            return;
        }
        Held held = count(handle);
        held.refuseOver(limits, rows, bytes);
        counted(held);
    }

    private synchronized boolean isKnownToFit(long rows, long bytes) {
        if (estimate == null || System.nanoTime() - countedNanos > MAX_AGE_NANOS) {
            return false;
        }
        Held more = estimate.plus(rows, bytes);
        if (!more.isFarBelow(limits)) {
            return false;
        }
        estimate = more;
        return true;
    }

    private synchronized void counted(Held held) {
        estimate = held;
        countedNanos = System.nanoTime();
    }

    private static Held count(Handle handle) {
        return handle.createQuery(COUNT)
                .map((row, context) -> new Held(row.getLong("held"), row.getLong("bytes")))
                .one();
    }
}
