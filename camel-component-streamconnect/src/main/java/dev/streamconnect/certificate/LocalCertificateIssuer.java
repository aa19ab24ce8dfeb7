package dev.streamconnect.certificate;

import dev.streamconnect.spi.CertificateIssuer;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Issues from an authority in this process, for development and tests. */
public final class LocalCertificateIssuer implements CertificateIssuer {

    /** What the vendor documents for the certificates of a MID Server. */
    public static final Duration DEFAULT_LIFETIME = Duration.ofDays(7);

    private final CertificateAuthority authority;
    private final Duration lifetime;
    private final Clock clock;

    /**
     * @param lifetime how long an issued certificate is valid, from the moment of issue
     */
    public LocalCertificateIssuer(CertificateAuthority authority, Duration lifetime, Clock clock) {
        this.authority = Objects.requireNonNull(authority, "authority");
        this.lifetime = Objects.requireNonNull(lifetime, "lifetime");
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    @Override
    public List<X509Certificate> issue(byte[] pkcs10) throws GeneralSecurityException {
        return authority.issueClient(pkcs10, Validity.of(clock.instant(), lifetime));
    }

    @Override
    public List<X509Certificate> trustAnchors() {
        return List.of(authority.certificate());
    }
}
