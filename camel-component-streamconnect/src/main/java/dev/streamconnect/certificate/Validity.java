package dev.streamconnect.certificate;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * The time in which a certificate is valid, both ends included, to the second.
 *
 * @param notBefore first moment
 * @param notAfter last moment, after {@code notBefore}
 */
public record Validity(Instant notBefore, Instant notAfter) {

    /** Tolerance for clocks that run behind the one that issues, at most. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    /** For short lives it is this part of the life, so that a part of the life stays one. */
    private static final int SKEW_PART = 10;

    public Validity {
        Objects.requireNonNull(notBefore, "notBefore");
        Objects.requireNonNull(notAfter, "notAfter");
        if (!notAfter.isAfter(notBefore)) {
            throw new IllegalArgumentException(
                    "validity ends at " + notAfter + ", which is not after its start " + notBefore);
        }
    }

    /**
     * Valid from five minutes before {@code now} (a tenth of the length at most), so that slower
     * clocks accept it, for {@code length} after it.
     */
    public static Validity of(Instant now, Duration length) {
        Duration part = length.dividedBy(SKEW_PART);
        return new Validity(
                now.minus(part.compareTo(CLOCK_SKEW) < 0 ? part : CLOCK_SKEW), now.plus(length));
    }
}
