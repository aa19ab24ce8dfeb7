package dev.streamconnect.engine;

import dev.streamconnect.spi.UndeliveredMessage;
import java.time.Duration;
import java.time.Instant;

/**
 * When a stored message is tried again, and when no more.
 *
 * @param initial delay before the first retry; doubles with each attempt, plus or minus 20 %
 * @param max longest delay
 * @param maxAttempts attempts at the destination after which a message is parked; 0 for no limit
 * @param maxAge age since it was stored after which a message is parked at its next failure; zero
 *     for no limit
 */
public record RetryPolicy(Duration initial, Duration max, int maxAttempts, Duration maxAge) {

    /** One minute up to one hour, 100 attempts, 7 days. */
    public static final RetryPolicy DEFAULT =
            new RetryPolicy(Duration.ofMinutes(1), Duration.ofHours(1), 100, Duration.ofDays(7));

    /** When to try after so many failed attempts. */
    Instant next(int attempts, Instant now) {
        return now.plus(new Backoff(initial, max).delay(Math.max(1, attempts)));
    }

    /** As {@link #next}, or null if the message is to be parked. */
    Instant nextOrPark(UndeliveredMessage message, int attempts, Instant now) {
        boolean tooOften = maxAttempts > 0 && attempts >= maxAttempts;
        boolean tooOld = !maxAge.isZero() && message.at().plus(maxAge).isBefore(now);
        return tooOften || tooOld ? null : next(attempts, now);
    }
}
