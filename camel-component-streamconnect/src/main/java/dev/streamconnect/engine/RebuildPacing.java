package dev.streamconnect.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How fast one client may be built anew after another: at once the first time, slower in a row (as
 * while only some ports lead to the other cluster), and one log line for many. One thread.
 */
final class RebuildPacing {

    private static final Logger LOG = LoggerFactory.getLogger(RebuildPacing.class);

    /** A rebuild so long after the last one begins a new row. */
    private static final Duration ROW = Duration.ofSeconds(10);

    private final String client;
    private final Clock clock;
    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));
    private Instant last = Instant.EPOCH;
    private Instant lastLogged = Instant.EPOCH;
    private int inARow;
    private int untold;

    RebuildPacing(String client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    void began(String reason, int chunks) {
        Instant now = clock.instant();
        inARow = last.plus(ROW).isBefore(now) ? 0 : inARow + 1;
        last = now;
        if (lastLogged.plus(ROW).isAfter(now)) {
            untold++;
            LOG.debug("{}: new client, because {}", client, reason);
            return;
        }
        lastLogged = now;
        LOG.info(
                "{}: new client, because {}; {} batch(es) in flight are sent again, in order{}",
                client,
                reason,
                chunks,
                untold == 0 ? "" : " (" + untold + " more new client(s) since the last such line)");
        untold = 0;
    }

    /** How long to wait before building. */
    Duration delay() {
        return inARow == 0 ? Duration.ZERO : backoff.delay(inARow);
    }
}
