package dev.streamconnect.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.spi.CertificateIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyFactory;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Stores and PEM files")
class StoresTest {

    private static final Clock CLOCK =
            Clock.fixed(Instant.parse("2026-11-30T12:00:00Z"), ZoneOffset.UTC);
    private static final char[] PASSWORD = "a secret".toCharArray();

    @TempDir Path folder;

    private CertificateAuthority authority;
    private CertificateIssuer issuer;
    private KeyMaterial material;

    @BeforeEach
    void createAuthority() throws Exception {
        Validity validity = Validity.of(CLOCK.instant(), Duration.ofDays(30));
        authority =
                CertificateAuthority.create(HermesSubject.authority("acme-ca", "acme"), validity);
        issuer = new LocalCertificateIssuer(authority, Duration.ofDays(7), CLOCK);
        material = authority.issueClient(HermesSubject.client("worker-1", "acme"), validity);
    }

    @Test
    @DisplayName("a key store is read as it was written")
    void keyStoreRoundTrip() throws Exception {
        Path file = folder.resolve("keystore.p12");
        KeyStores.writeKeyStore(file, material, PASSWORD);

        KeyMaterial read = KeyStores.readKeyStore(file, PASSWORD);

        assertThat(read.chain()).isEqualTo(material.chain());
        assertThat(read.key().getEncoded()).isEqualTo(material.key().getEncoded());
    }

    @Test
    @DisplayName("a trust store is read as it was written")
    void trustStoreRoundTrip() throws Exception {
        Path file = folder.resolve("truststore.p12");
        KeyStores.writeTrustStore(file, issuer.trustAnchors(), PASSWORD);

        assertThat(KeyStores.readTrustStore(file, PASSWORD))
                .containsExactly(authority.certificate());
    }

    @Test
    @DisplayName("a wrong password is an IOException")
    void wrongPassword() throws Exception {
        Path file = folder.resolve("keystore.p12");
        KeyStores.writeKeyStore(file, material, PASSWORD);

        assertThatThrownBy(() -> KeyStores.readKeyStore(file, "wrong".toCharArray()))
                .isInstanceOf(IOException.class);
    }

    @Test
    @DisplayName("files are for their owner alone, replaced whole, and leave no rest")
    void ownerOnly() throws Exception {
        Path file = folder.resolve("made/on/demand/key.pem");
        PemFiles.writeKey(file, material.key());
        PemFiles.writeKey(file, material.key());

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (Stream<Path> files = Files.list(file.getParent())) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    @DisplayName("PEM files can be read by other tools")
    void pem() throws Exception {
        Path certificates = folder.resolve("client-cert.pem");
        Path key = folder.resolve("client-key.pem");
        PemFiles.writeCertificates(certificates, material.chain());
        PemFiles.writeKey(key, material.key());

        try (var in = Files.newInputStream(certificates)) {
            assertThat(CertificateFactory.getInstance("X.509").generateCertificates(in))
                    .hasSize(2)
                    .first()
                    .isEqualTo(material.certificate());
        }
        String body = Files.readString(key).replaceAll("-----[A-Z ]+-----", "");
        byte[] der = Base64.getMimeDecoder().decode(body);
        assertThat(
                        KeyFactory.getInstance("EC")
                                .generatePrivate(new PKCS8EncodedKeySpec(der))
                                .getEncoded())
                .isEqualTo(material.key().getEncoded());
    }

    @Test
    @DisplayName("a key is not printed")
    void keyIsNotPrinted() {
        assertThat(material.toString())
                .isEqualTo("KeyMaterial[CN=worker-1, OU=hermes client, O=acme]");
    }

    @Test
    @DisplayName("development stores are made when missing and never touched again")
    void developmentStores() throws Exception {
        DevelopmentStores first =
                DevelopmentStores.ensure(folder, issuer, "acme", "worker-1", PASSWORD);
        byte[] keyStore = Files.readAllBytes(first.keyStore());

        DevelopmentStores second =
                DevelopmentStores.ensure(folder, issuer, "acme", "worker-1", PASSWORD);

        assertThat(second).isEqualTo(first);
        assertThat(Files.readAllBytes(second.keyStore())).isEqualTo(keyStore);
        X509Certificate own = KeyStores.readKeyStore(first.keyStore(), PASSWORD).certificate();
        assertThat(HermesSubject.instanceOf(own)).contains("acme");
        assertThat(own.getNotAfter().toInstant())
                .isEqualTo(CLOCK.instant().plus(Duration.ofDays(7)));
        assertThat(KeyStores.readTrustStore(first.trustStore(), PASSWORD))
                .containsExactly(authority.certificate());
    }
}
