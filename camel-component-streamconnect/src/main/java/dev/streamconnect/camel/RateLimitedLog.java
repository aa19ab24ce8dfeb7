package dev.streamconnect.camel;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;

/**
 * A warning that is written at most once in a while and says how many were held back. Thread-safe.
 */
public final class RateLimitedLog {

    private final Logger log;
    private final Clock clock;
    private final Duration every;
    private Instant next = Instant.MIN;
    private long heldBack;

    /**
     * @param every shortest time between two lines
     */
    public RateLimitedLog(Logger log, Clock clock, Duration every) {
        this.log = log;
        this.clock = clock;
        this.every = every;
    }

    /** Writes the line, or counts it. */
    public void warn(String what, Throwable cause) {
        long skipped;
        synchronized (this) {
            Instant now = clock.instant();
            if (now.isBefore(next)) {
                heldBack++;
                return;
            }
            next = now.plus(every);
            skipped = heldBack;
            heldBack = 0;
        }
        log.warn("{}: {} ({} more of the kind before)", what, String.valueOf(cause), skipped);
    }
}
