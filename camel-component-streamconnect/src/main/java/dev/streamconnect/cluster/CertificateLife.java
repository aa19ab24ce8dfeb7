package dev.streamconnect.cluster;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * Whom a client certificate names and how long it holds. If an authority between it and the root
 * ends earlier, the dates are that one's, since brokers then refuse the certificate, too.
 *
 * @param subject distinguished name
 * @param serial serial number, hexadecimal
 * @param notBefore first moment
 * @param notAfter last moment
 */
public record CertificateLife(String subject, String serial, Instant notBefore, Instant notAfter) {

    /** How much of the life is left. */
    public enum Stage {
        /** More than 30 %. */
        GOOD,
        /** 30 % or less: it should have been renewed. */
        ENDS,
        /** 10 % or less. */
        ENDS_SOON,
        /** Nothing; brokers refuse new connections. */
        EXPIRED
    }

    private static final double WARN = 0.3;
    private static final double WARN_AGAIN = 0.1;

    /** Null if the chain is none of X.509. */
    static CertificateLife of(Certificate[] chain) {
        if (!(chain[0] instanceof X509Certificate own)) {
            return null;
        }
        X509Certificate first = own;
        for (Certificate each : chain) {
            if (each instanceof X509Certificate above
                    && !above.getIssuerX500Principal().equals(above.getSubjectX500Principal())
                    && above.getNotAfter().before(first.getNotAfter())) {
                first = above;
            }
        }
        return new CertificateLife(
                own.getSubjectX500Principal().getName(),
                own.getSerialNumber().toString(16).toUpperCase(Locale.ROOT),
                first.getNotBefore().toInstant(),
                first.getNotAfter().toInstant());
    }

    /** The part of the life that is left, from 1 to 0; negative once it is over. */
    public double left(Instant now) {
        double whole = Duration.between(notBefore, notAfter).toMillis();
        return Duration.between(now, notAfter).toMillis() / whole;
    }

    public Stage stage(Instant now) {
        double left = left(now);
        if (left <= 0) {
            return Stage.EXPIRED;
        }
        return left <= WARN_AGAIN ? Stage.ENDS_SOON : left <= WARN ? Stage.ENDS : Stage.GOOD;
    }

    /** Name, number and end, for people. */
    public String text(Instant now) {
        return "certificate '"
                + subject
                + "' (serial "
                + serial
                + ") "
                + (stage(now) == Stage.EXPIRED
                        ? "expired on " + notAfter
                        : "ends on " + notAfter + " (" + Math.round(left(now) * 100) + " % left)");
    }
}
