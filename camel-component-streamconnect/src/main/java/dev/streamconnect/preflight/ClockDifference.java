package dev.streamconnect.preflight;

import java.time.Duration;
import java.time.Instant;

/**
 * How far another clock is from this machine's.
 *
 * @param ahead negative if the other one is behind
 */
record ClockDifference(Duration ahead) {

    /** Less is no news: a message takes its time, and clocks drift. */
    private static final Duration TOLERATED = Duration.ofMinutes(1);

    /**
     * Of a time that another clock told.
     *
     * @param told milliseconds since the epoch
     */
    static ClockDifference of(long told, Instant now) {
        return new ClockDifference(Duration.between(now, Instant.ofEpochMilli(told)));
    }

    boolean isAhead() {
        return ahead.compareTo(TOLERATED) > 0;
    }

    boolean isWrong() {
        return ahead.abs().compareTo(TOLERATED) > 0;
    }

    /** Its size for people, such as {@code 2 h 3 min}. */
    @Override
    public String toString() {
        Duration size = ahead.abs();
        if (size.toHours() >= 48) {
            return size.toDays() + " days";
        }
        if (size.toHours() > 0) {
            return size.toHours() + " h " + size.toMinutesPart() + " min";
        }
        return size.toMinutes() > 0 ? size.toMinutes() + " min" : size.toSeconds() + " s";
    }
}
