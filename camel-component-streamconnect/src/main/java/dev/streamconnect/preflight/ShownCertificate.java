package dev.streamconnect.preflight;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.TlsOptions;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The certificate that a broker shows in a handshake, and what the truststore says of it. The
 * handshake goes on whatever that is, so that each fault can be told apart; nothing may be sent
 * over a connection whose certificate {@link #verdict} fails.
 */
final class ShownCertificate {

    private static final int SHOWN_NAMES = 6;

    private X509Certificate certificate;
    private boolean trusted;
    private boolean named;

    /** True if the broker came to show one. */
    boolean isThere() {
        return certificate != null;
    }

    /** Judges it. */
    Verdict verdict(String host, ClientTls tls, ClientRole role, Instant now) {
        boolean verifiesNames = tls.verifiesNames();
        CertificateDates dates = new CertificateDates(certificate, now);
        String found =
                certificate.getSubjectX500Principal().getName() + ", " + names() + "; " + dates;
        if (dates.isOver() || dates.isToCome()) {
            return Verdict.fail(
                    found,
                    "have the broker's certificate renewed, or correct this machine's clock");
        }
        if (!trusted) {
            return Verdict.fail(
                    "not trusted: signed by "
                            + certificate.getIssuerX500Principal().getName()
                            + (tls.hasTruststore()
                                    ? ", which is no authority of the truststore; "
                                    : ", which this Java does not know, and there is no truststore; ")
                            + found,
                    tls.hasTruststore()
                            ? "use the truststore that belongs to this cluster"
                            : "put its authority into a truststore, and give that by "
                                    + TlsOptions.truststoreOptions(role));
        }
        if (verifiesNames && !named) {
            return Verdict.fail(
                    "does not name " + host + "; " + found,
                    "use an address that the certificate names, or have the name put into the certificate");
        }
        if (!verifiesNames) {
            return Verdict.warn(
                    "its names are not verified; " + found, "switch host name verification on");
        }
        return dates.endsSoon()
                ? Verdict.warn(found, "have the broker's certificate renewed")
                : Verdict.ok(found);
    }

    private String names() {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            if (names == null) {
                return "no names";
            }
            String shown =
                    names.stream()
                            .limit(SHOWN_NAMES)
                            .map(name -> String.valueOf(name.get(1)))
                            .collect(Collectors.joining(", "));
            return "names " + shown + (names.size() > SHOWN_NAMES ? ", ..." : "");
        } catch (CertificateParsingException e) {
            return "unreadable names";
        }
    }

    /** A trust manager that asks another and keeps its answer. */
    X509ExtendedTrustManager askedOf(X509ExtendedTrustManager judge) {
        return new Watching(judge);
    }

    private final class Watching extends X509ExtendedTrustManager {

        private final X509ExtendedTrustManager judge;

        private Watching(X509ExtendedTrustManager judge) {
            this.judge = judge;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
            certificate = chain[0];
            trusted = passes(() -> judge.checkServerTrusted(chain, type));
            named = trusted && passes(() -> judge.checkServerTrusted(chain, type, socket));
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            certificate = chain[0];
            trusted = passes(() -> judge.checkServerTrusted(chain, type));
            named = trusted && passes(() -> judge.checkServerTrusted(chain, type, engine));
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            judge.checkServerTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            judge.checkClientTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            judge.checkClientTrusted(chain, type, socket);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            judge.checkClientTrusted(chain, type, engine);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return judge.getAcceptedIssuers();
        }
    }

    private interface Check {
        void run() throws CertificateException;
    }

    private static boolean passes(Check check) {
        try {
            check.run();
            return true;
        } catch (CertificateException e) {
            return false;
        }
    }
}
