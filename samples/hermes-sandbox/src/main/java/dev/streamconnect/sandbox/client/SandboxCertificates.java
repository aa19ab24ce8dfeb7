package dev.streamconnect.sandbox.client;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyMaterial;
import dev.streamconnect.certificate.ServerNames;
import dev.streamconnect.certificate.Validity;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** The instance's authority, and a second one that no broker trusts. */
public final class SandboxCertificates {

    private static final Duration AUTHORITY_LIFETIME = Duration.ofDays(365);
    private static final Duration SERVER_LIFETIME = Duration.ofDays(90);

    private final String instance;
    private final Clock clock;
    private final CertificateAuthority authority;
    private final CertificateAuthority other;

    public SandboxCertificates(String instance, Clock clock) throws GeneralSecurityException {
        this.instance = instance;
        this.clock = clock;
        Validity validity = Validity.of(clock.instant(), AUTHORITY_LIFETIME);
        this.authority =
                CertificateAuthority.create(
                        HermesSubject.authority(instance + "-ca", instance), validity);
        this.other =
                CertificateAuthority.create(
                        HermesSubject.authority("other-ca", instance), validity);
    }

    /** The authority that the brokers trust. */
    public CertificateAuthority authority() {
        return authority;
    }

    /** The certificate that clients trust. */
    public X509Certificate trusted() {
        return authority.certificate();
    }

    /** The brokers' key and certificate. */
    public KeyMaterial server(List<String> dns, List<String> ip) throws GeneralSecurityException {
        return authority.issueServer(
                HermesSubject.server(instance, instance),
                new ServerNames(dns, ip),
                Validity.of(clock.instant(), SERVER_LIFETIME));
    }

    /**
     * A client's key and certificate.
     *
     * @param byOther whether the untrusted authority signs it
     */
    public KeyMaterial client(HermesSubject subject, Validity validity, boolean byOther)
            throws GeneralSecurityException {
        return (byOther ? other : authority).issueClient(subject, validity);
    }
}
