package dev.streamconnect.record;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;

/** Where reading starts while the group has no position. */
public sealed interface StartFrom {

    /** The first message that the source still has; the default. */
    StartFrom EARLIEST = new Earliest();

    /** Only what arrives from now on. */
    StartFrom LATEST = new Latest();

    /** The first message that the source still has. */
    record Earliest() implements StartFrom {
        @Override
        public String toString() {
            return "earliest";
        }
    }

    /** Only what arrives from now on. */
    record Latest() implements StartFrom {
        @Override
        public String toString() {
            return "latest";
        }
    }

    /**
     * The first message with this timestamp or a later one.
     *
     * @param time never null
     */
    record At(Instant time) implements StartFrom {
        public At {
            Objects.requireNonNull(time, "time");
        }

        @Override
        public String toString() {
            return time.toString();
        }
    }

    /**
     * Reads {@code earliest}, {@code latest} or an ISO-8601 time with a zone offset, such as {@code
     * 2026-03-01T06:00:00Z}.
     *
     * @throws IllegalArgumentException for any other text, with reason and mend in one line
     */
    static StartFrom parse(String text) {
        if (text.equals("earliest")) {
            return EARLIEST;
        }
        if (text.equals("latest")) {
            return LATEST;
        }
        try {
            Instant time = OffsetDateTime.parse(text).toInstant();
            if (time.toEpochMilli() >= 0) {
                return new At(time);
            }
        } catch (DateTimeException | ArithmeticException e) {
            // not a time: said below
        }
        throw new IllegalArgumentException(
                Texts.quote(text)
                        + " is neither earliest, latest nor a time; write a time with its zone, such"
                        + " as 2026-03-01T06:00:00Z");
    }
}
