package dev.streamconnect.engine;

import dev.streamconnect.cluster.Causes;
import dev.streamconnect.cluster.CertificateLife;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.TlsOptions;
import dev.streamconnect.cluster.WatchedTls;
import java.security.cert.CertificateException;
import java.time.Instant;
import org.apache.kafka.common.errors.SslAuthenticationException;

/** Says what a failed TLS handshake is about; a broker names neither certificate nor date. */
final class CertificateRefusal {

    private CertificateRefusal() {}

    /**
     * Explains a failure.
     *
     * @return one line with certificate and mend; null if it is no failed handshake, or the
     *     connection's stores are not known
     */
    static String explain(ConnectionSettings settings, Throwable error, Instant now) {
        WatchedTls tls = settings.tls();
        if (tls == null || find(error, SslAuthenticationException.class) == null) {
            return null;
        }
        Throwable untrusted = find(error, CertificateException.class);
        if (untrusted != null) {
            return "the broker's certificate is not taken: "
                    + Causes.shortest(untrusted)
                    + "; use the truststore and the host names that belong to this cluster";
        }
        CertificateLife life = tls.current().life();
        if (life == null) {
            return "the broker wants a client certificate and none is given; give one by "
                    + TlsOptions.keystoreOptions(settings.role())
                    + " ("
                    + Causes.shortest(error)
                    + ")";
        }
        boolean expired = life.stage(now) == CertificateLife.Stage.EXPIRED;
        return "the broker refuses the certificate '"
                + life.subject()
                + "' (serial "
                + life.serial()
                + ")"
                + (expired
                        ? ", which expired on " + life.notAfter() + "; "
                        : ", which holds until "
                                + life.notAfter()
                                + ": it may be revoked, or its authority is not trusted there; ")
                + CertificateWatch.mend(tls)
                + " ("
                + Causes.shortest(error)
                + ")";
    }

    private static Throwable find(Throwable error, Class<? extends Throwable> type) {
        Throwable at = error;
        for (int depth = 0; at != null && depth < 20; depth++) {
            if (type.isInstance(at)) {
                return at;
            }
            at = at.getCause();
        }
        return null;
    }
}
