package dev.streamconnect.certificate;

import dev.streamconnect.spi.CertificateIssuer;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Has the certificate of a keystore issued anew when a third of its life is left: a new key and a
 * request for the same subject go to the issuer, and the answer takes the file's place, whole.
 * Whoever watches the file takes it up. One thread at a time.
 */
public final class CertificateRenewal {

    /** Of a 7-day certificate the last 2 days and 8 hours. */
    private static final int LEFT_PART = 3;

    private final StoreFiles files;
    private final CertificateIssuer issuer;
    private final Clock clock;

    /**
     * @param files the stores, which are replaced
     */
    public CertificateRenewal(StoreFiles files, CertificateIssuer issuer, Clock clock) {
        this.files = files;
        this.issuer = issuer;
        this.clock = clock;
    }

    /**
     * Renews the certificate if it is time; blocks for as long as the issuer takes. A truststore is
     * given the issuer's authorities that it lacks, and keeps those that it has: both hold while an
     * authority is replaced.
     *
     * @return true if there is a new certificate
     * @throws IOException if the files can't be read or written or the issuer not be reached; the
     *     call may be repeated
     * @throws GeneralSecurityException if the issuer refuses, or answers with what is not asked for
     */
    public boolean runOnce() throws IOException, GeneralSecurityException {
        X509Certificate present = files.ownCertificate();
        if (present == null || !isDue(present)) {
            return false;
        }
        CertificateRequest request = CertificateRequest.renewing(present);
        KeyMaterial next = request.complete(issuer.issue(request.pkcs10()));
        if (!next.certificate()
                .getSubjectX500Principal()
                .equals(present.getSubjectX500Principal())) {
            throw new GeneralSecurityException(
                    "the issuer made a certificate of "
                            + next.certificate().getSubjectX500Principal()
                            + " instead of "
                            + present.getSubjectX500Principal());
        }
        if (!next.certificate().getNotAfter().after(present.getNotAfter())) {
            throw new GeneralSecurityException(
                    "the issuer made a certificate that ends on "
                            + next.certificate().getNotAfter().toInstant()
                            + ", no later than the present one");
        }
        trustIssuer();
        files.write(next);
        return true;
    }

    /**
     * Renews a certificate that holds no more, as {@link #runOnce}; does nothing for another one.
     */
    public void runIfExpired() throws IOException, GeneralSecurityException {
        X509Certificate present = files.ownCertificate();
        if (present != null && present.getNotAfter().toInstant().isBefore(clock.instant())) {
            runOnce();
        }
    }

    private boolean isDue(X509Certificate present) {
        Instant until = present.getNotAfter().toInstant();
        Duration life = Duration.between(present.getNotBefore().toInstant(), until);
        return !clock.instant().isBefore(until.minus(life.dividedBy(LEFT_PART)));
    }

    private void trustIssuer() throws IOException, GeneralSecurityException {
        if (files.trustStore() == null) {
            return;
        }
        Set<X509Certificate> trusted = new LinkedHashSet<>(files.trusted());
        if (trusted.addAll(issuer.trustAnchors())) {
            KeyStores.writeTrustStore(
                    files.trustStore(), trusted, files.trustStorePassword().toCharArray());
        }
    }
}
