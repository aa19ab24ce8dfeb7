package dev.streamconnect.sandbox.client;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyMaterial;
import dev.streamconnect.certificate.ServerNames;
import dev.streamconnect.certificate.Validity;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * The instance's authority, the one that may follow it, and another one that no broker ever trusts.
 */
public final class SandboxCertificates {

    private static final Duration AUTHORITY_LIFETIME = Duration.ofDays(365);
    private static final Duration SERVER_LIFETIME = Duration.ofDays(90);

    private final String instance;
    private final Clock clock;
    private final CertificateAuthority authority;
    private final CertificateAuthority next;
    private final CertificateAuthority other;

    public SandboxCertificates(String instance, Clock clock) throws GeneralSecurityException {
        this.instance = instance;
        this.clock = clock;
        Validity validity = Validity.of(clock.instant(), AUTHORITY_LIFETIME);
        this.authority =
                CertificateAuthority.create(
                        HermesSubject.authority(instance + "-ca", instance), validity);
        this.next =
                CertificateAuthority.create(
                        HermesSubject.authority(instance + "-ca-2", instance), validity);
        this.other =
                CertificateAuthority.create(
                        HermesSubject.authority("other-ca", instance), validity);
    }

    /** The authority that brokers and clients trust at the start. */
    public CertificateAuthority authority() {
        return authority;
    }

    /** The one that may follow it. */
    public CertificateAuthority next() {
        return next;
    }

    /** One that no broker trusts. */
    public CertificateAuthority other() {
        return other;
    }

    /** A key and certificate of the brokers. */
    public KeyMaterial server(CertificateAuthority signer, List<String> dns, List<String> ip)
            throws GeneralSecurityException {
        return signer.issueServer(
                HermesSubject.server(instance, instance),
                new ServerNames(dns, ip),
                Validity.of(clock.instant(), SERVER_LIFETIME));
    }
}
