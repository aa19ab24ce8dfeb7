package dev.streamconnect.engine;

import dev.streamconnect.spi.StoreUnavailableException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells in the log that the undelivered store is away, by how retry runs end: once when it begins
 * and once when it is over. Thread-safe.
 */
final class StoreOutage {

    private static final Logger LOG = LoggerFactory.getLogger(StoreOutage.class);

    private final Clock clock;
    private Instant since;

    StoreOutage(Clock clock) {
        this.clock = clock;
    }

    /**
     * A run has ended.
     *
     * @param failure null if it did what it could
     */
    synchronized void ranInto(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof StoreUnavailableException && since == null) {
            since = clock.instant();
            LOG.warn("undelivered messages are not sent again now: {}", cause.getMessage());
        } else if (failure == null && since != null) {
            LOG.info(
                    "the undelivered store answers again after {} s",
                    Duration.between(since, clock.instant()).toSeconds());
            since = null;
        }
    }
}
