package dev.streamconnect.cluster;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** TLS for HTTP: trusts what Java trusts, and a truststore beside it. */
public final class TrustedAuthorities {

    private TrustedAuthorities() {}

    /**
     * A context that trusts a truststore, too.
     *
     * @throws IllegalArgumentException if the store can't be used; one line: option, reason, mend
     */
    public static SSLContext with(TlsStore truststore) {
        try {
            return with(
                    TlsMaterial.loadOfAnyTime(
                                    new TlsOptions(
                                            null,
                                            truststore.passwordOption(),
                                            null,
                                            truststore,
                                            true,
                                            null))
                            .truststore());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    truststore.option() + ": " + truststore.place() + " can't be used by this Java",
                    e);
        }
    }

    static SSLContext with(KeyStore truststore) throws GeneralSecurityException, IOException {
        KeyStore both = KeyStore.getInstance("PKCS12");
        both.load(null, null);
        int count = 0;
        for (KeyStore each : Arrays.asList(null, truststore)) {
            for (X509Certificate trusted : trusted(each)) {
                both.setCertificateEntry("ca-" + count++, trusted);
            }
        }
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(both);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    /** Those of a store; null for Java's own. */
    private static List<X509Certificate> trusted(KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509TrustManager trust) {
                return List.of(trust.getAcceptedIssuers());
            }
        }
        return List.of();
    }
}
