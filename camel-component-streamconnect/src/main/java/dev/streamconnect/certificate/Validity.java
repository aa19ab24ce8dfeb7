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

    /** Tolerance for clocks that run behind the one that issues. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

    public Validity {
        Objects.requireNonNull(notBefore, "notBefore");
        Objects.requireNonNull(notAfter, "notAfter");
        if (!notAfter.isAfter(notBefore)) {
            throw new IllegalArgumentException(
                    "validity ends at " + notAfter + ", which is not after its start " + notBefore);
        }
    }

    /**
     * Valid from five minutes before {@code now}, so that slower clocks accept it, for {@code
     * length} after it.
     */
    public static Validity of(Instant now, Duration length) {
        return new Validity(now.minus(CLOCK_SKEW), now.plus(length));
    }
}
