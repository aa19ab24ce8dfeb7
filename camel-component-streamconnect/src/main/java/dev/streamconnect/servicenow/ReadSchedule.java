package dev.streamconnect.servicenow;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.DoubleSupplier;

/**
 * When an instance is read next: after the interval, later from failure to failure, and not before
 * the instance wants it. Each pause is up to a fifth longer or shorter, so that nodes that were
 * started together do not read together. Not for several threads.
 */
final class ReadSchedule {

    /** First pause after a failure, unless the interval is shorter. */
    static final Duration FIRST_RETRY = Duration.ofSeconds(5);

    /** Longest pause after a failure, unless the interval is longer. */
    static final Duration LAST_RETRY = Duration.ofMinutes(5);

    private static final double JITTER = 0.2;

    private final Duration interval;
    private final Clock clock;
    private final DoubleSupplier random;
    private Instant next = Instant.MIN;
    private int failures;

    /**
     * @param random from 0 to 1
     */
    ReadSchedule(Duration interval, Clock clock, DoubleSupplier random) {
        this.interval = interval;
        this.clock = clock;
        this.random = random;
    }

    boolean isDue() {
        Instant now = clock.instant();
        // A clock that was set back must not keep it waiting for as long.
        return !now.isBefore(next) || next.isAfter(now.plus(longest().multipliedBy(2)));
    }

    private Duration longest() {
        Duration limit = Duration.ofHours(1);
        return interval.compareTo(limit) > 0 ? interval : limit;
    }

    void succeeded() {
        failures = 0;
        after(interval);
    }

    /**
     * @param atLeast how long the instance wants to be left alone; null if it did not say
     */
    void failed(Duration atLeast) {
        failures++;
        Duration first = interval.compareTo(FIRST_RETRY) < 0 ? interval : FIRST_RETRY;
        Duration last = interval.compareTo(LAST_RETRY) > 0 ? interval : LAST_RETRY;
        Duration pause = first.multipliedBy(1L << Math.min(failures - 1, 10));
        after(pause.compareTo(last) > 0 ? last : pause);
        if (atLeast != null) {
            Instant wanted = clock.instant().plus(atLeast);
            next = wanted.isAfter(next) ? wanted : next;
        }
    }

    private void after(Duration pause) {
        double factor = 1 - JITTER + 2 * JITTER * random.getAsDouble();
        next = clock.instant().plusMillis((long) (pause.toMillis() * factor));
    }
}
