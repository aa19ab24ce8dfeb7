package dev.streamconnect.preflight;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/** When a certificate holds, in words. */
final class CertificateDates {

    private static final Duration LEAST_WARNING = Duration.ofDays(2);
    private static final Duration MOST_WARNING = Duration.ofDays(30);

    private final Instant from;
    private final Instant until;
    private final Instant now;

    CertificateDates(X509Certificate certificate, Instant now) {
        this.from = certificate.getNotBefore().toInstant();
        this.until = certificate.getNotAfter().toInstant();
        this.now = now;
    }

    boolean isOver() {
        return now.isAfter(until);
    }

    boolean isToCome() {
        return now.isBefore(from);
    }

    /** In its last tenth, of which two days at least and thirty at most. */
    boolean endsSoon() {
        Duration tenth = Duration.between(from, until).dividedBy(10);
        Duration warning = tenth.compareTo(LEAST_WARNING) < 0 ? LEAST_WARNING : tenth;
        warning = warning.compareTo(MOST_WARNING) > 0 ? MOST_WARNING : warning;
        return now.plus(warning).isAfter(until);
    }

    /** Such as {@code 6 days left, until 2026-01-31T12:00:00Z}. */
    @Override
    public String toString() {
        if (isOver()) {
            return "expired on " + until;
        }
        if (isToCome()) {
            return "not valid before " + from;
        }
        Duration left = Duration.between(now, until);
        return (left.toDays() >= 2 ? left.toDays() + " days" : left.toHours() + " hours")
                + " left, until "
                + until;
    }
}
