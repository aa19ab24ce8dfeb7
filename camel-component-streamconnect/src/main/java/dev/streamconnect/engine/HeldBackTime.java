package dev.streamconnect.engine;

import java.time.Duration;
import java.time.Instant;

/** How long a {@link Pace} has let its users wait, by looks at it. One thread at a time. */
final class HeldBackTime {

    /** Looks that come later than this were held up by something else. */
    private static final Duration MOST = Duration.ofSeconds(1);

    private Instant lookedAt;

    /** Milliseconds since the last look, 0 where nobody has to wait now. */
    long more(Pace pace, Instant now) {
        Duration since =
                lookedAt == null || now.isBefore(lookedAt)
                        ? Duration.ZERO
                        : Duration.between(lookedAt, now);
        lookedAt = now;
        return pace.isHolding() ? Math.min(MOST.toMillis(), since.toMillis()) : 0;
    }
}
