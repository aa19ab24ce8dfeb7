package dev.streamconnect.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Security;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The certificate authority")
class CertificateAuthorityTest {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final Validity WEEK = Validity.of(NOW, Duration.ofDays(7));

    private final CertificateAuthority authority = newAuthority();

    @Test
    @DisplayName("issues a client certificate for a PKCS#10 request")
    void issuesForRequest() throws Exception {
        CertificateRequest request =
                CertificateRequest.create(HermesSubject.client("worker-1", "acme"));

        List<X509Certificate> chain = authority.issueClient(request.pkcs10(), WEEK);

        assertThat(chain).hasSize(2).last().isEqualTo(authority.certificate());
        X509Certificate client = chain.get(0);
        client.verify(authority.certificate().getPublicKey());
        assertThat(client.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
        assertThat(client.getBasicConstraints()).isEqualTo(-1);
        assertThat(request.complete(chain).certificate()).isEqualTo(client);
    }

    @Test
    @Tag("case-H15")
    @DisplayName("names client and instance so that a mapping rule can begin with CN")
    void subjectOrder() throws Exception {
        X509Certificate client =
                authority.issueClient(HermesSubject.client("worker-1", "acme"), WEEK).certificate();

        assertThat(client.getSubjectX500Principal().getName())
                .isEqualTo("CN=worker-1,OU=hermes client,O=acme");
        assertThat(HermesSubject.instanceOf(client)).contains("acme");
        assertThat(HermesSubject.nameOf(client)).contains("worker-1");
    }

    @Test
    @DisplayName("issues a server certificate for host names and addresses")
    void server() throws Exception {
        X509Certificate server =
                authority
                        .issueServer(
                                HermesSubject.server("localhost", "acme"),
                                new ServerNames(List.of("localhost"), List.of("127.0.0.1")),
                                WEEK)
                        .certificate();

        assertThat(server.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(server.getSubjectAlternativeNames())
                .containsExactlyInAnyOrder(List.of(2, "localhost"), List.of(7, "127.0.0.1"));
    }

    @Test
    @DisplayName("issues expired and not yet valid certificates when asked to")
    void validityWindows() throws Exception {
        HermesSubject subject = HermesSubject.client("worker-1", "acme");
        Validity past = new Validity(NOW.minusSeconds(20), NOW.minusSeconds(10));
        Validity future = new Validity(NOW.plusSeconds(10), NOW.plusSeconds(20));

        X509Certificate expired = authority.issueClient(subject, past).certificate();
        X509Certificate early = authority.issueClient(subject, future).certificate();

        assertThat(expired.getNotAfter()).isEqualTo(Date.from(past.notAfter()));
        assertThatThrownBy(() -> expired.checkValidity(Date.from(NOW)))
                .isInstanceOf(CertificateExpiredException.class);
        assertThatThrownBy(() -> early.checkValidity(Date.from(NOW)))
                .isInstanceOf(CertificateNotYetValidException.class);
    }

    @Test
    @DisplayName("refuses a request whose signature does not fit")
    void refusesForgedRequest() throws Exception {
        byte[] forged = CertificateRequest.create(HermesSubject.client("a", "acme")).pkcs10();
        forged[forged.length - 1] ^= 1;

        assertThatThrownBy(() -> authority.issueClient(forged, WEEK))
                .isInstanceOf(GeneralSecurityException.class);
        assertThatThrownBy(() -> authority.issueClient(new byte[] {1, 2, 3}, WEEK))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("PKCS#10");
    }

    @Test
    @DisplayName("refuses to join a chain with a key that it was not issued for")
    void refusesForeignChain() throws Exception {
        CertificateRequest request = CertificateRequest.create(HermesSubject.client("a", "acme"));
        List<X509Certificate> other =
                authority.issueClient(HermesSubject.client("a", "acme"), WEEK).chain();

        assertThatThrownBy(() -> request.complete(other))
                .isInstanceOf(GeneralSecurityException.class);
    }

    @Test
    @DisplayName("can be saved and loaded")
    void savesAndLoads(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("ca.p12");
        authority.save(file, "secret".toCharArray());

        CertificateAuthority loaded = CertificateAuthority.load(file, "secret".toCharArray());

        loaded.issueClient(HermesSubject.client("a", "acme"), WEEK)
                .certificate()
                .verify(authority.certificate().getPublicKey());
    }

    @Test
    @DisplayName("registers no security provider in the JVM")
    void registersNothing() {
        assertThat(Security.getProvider("BC")).isNull();
    }

    @Test
    @DisplayName("refuses names that would change the subject")
    void refusesBadNames() {
        assertThatThrownBy(() -> HermesSubject.client("a,O=evil", "acme"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name");
        assertThatThrownBy(() -> HermesSubject.client("a", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("instance");
    }

    private static CertificateAuthority newAuthority() {
        try {
            return CertificateAuthority.create(
                    HermesSubject.authority("acme-ca", "acme"),
                    Validity.of(NOW, Duration.ofDays(30)));
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
