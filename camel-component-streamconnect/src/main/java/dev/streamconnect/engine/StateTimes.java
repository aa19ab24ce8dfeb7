package dev.streamconnect.engine;

import java.time.Duration;

/**
 * How long something lasts before the state of a link says so.
 *
 * @param idleAfter without a message and without lag before it is IDLE
 * @param stalledAfter nothing moves though messages wait before it is STALLED, or
 *     BLOCKED_BY_TRANSACTION where an open transaction holds them back
 * @param missingTimeout a topic is missing (WAITING) before it is FAILED
 */
public record StateTimes(Duration idleAfter, Duration stalledAfter, Duration missingTimeout) {

    public static final StateTimes DEFAULT =
            new StateTimes(Duration.ofMinutes(5), Duration.ofMinutes(2), Duration.ofMinutes(2));
}
