package dev.streamconnect.engine;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Capped exponential delay with jitter.
 *
 * @param initial delay before the first retry
 * @param max longest delay
 */
record Backoff(Duration initial, Duration max) {

    private static final double JITTER = 0.2;

    /**
     * Delay before retry number {@code attempt}, counted from 1: doubles each time up to the cap,
     * then plus or minus 20 %.
     */
    Duration delay(int attempt) {
        long doubled = initial.toMillis() << Math.min(Math.max(attempt - 1, 0), 20);
        long capped = Math.min(Math.max(doubled, 1), max.toMillis());
        double jitter = 1 + ThreadLocalRandom.current().nextDouble(-JITTER, JITTER);
        return Duration.ofMillis(Math.max(1, (long) (capped * jitter)));
    }
}
