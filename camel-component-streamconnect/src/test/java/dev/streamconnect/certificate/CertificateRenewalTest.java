package dev.streamconnect.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.engine.MovedClock;
import dev.streamconnect.spi.CertificateIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("case-S3")
@DisplayName("The renewal of a certificate")
class CertificateRenewalTest {

    private static final Instant START = MovedClock.START;
    private static final Duration WEEK = Duration.ofDays(7);
    private static final String PASSWORD = "a-secret";

    @TempDir Path folder;

    private final MovedClock clock = new MovedClock();
    private CertificateAuthority authority;
    private StoreFiles files;
    private CertificateRenewal renewal;

    @BeforeEach
    void makeStores() throws Exception {
        authority = authority("acme-ca");
        files =
                new StoreFiles(
                        folder.resolve("keystore.p12"),
                        PASSWORD,
                        null,
                        folder.resolve("truststore.p12"),
                        PASSWORD);
        files.write(issued("worker", START, WEEK));
        KeyStores.writeTrustStore(
                files.trustStore(), List.of(authority.certificate()), PASSWORD.toCharArray());
        renewal = by(new LocalCertificateIssuer(authority, WEEK, clock));
    }

    private CertificateRenewal by(CertificateIssuer issuer) {
        return new CertificateRenewal(files, issuer, clock);
    }

    private static CertificateAuthority authority(String name) throws Exception {
        return CertificateAuthority.create(
                HermesSubject.authority(name, "acme"),
                new Validity(START.minus(WEEK), START.plus(WEEK.multipliedBy(100))));
    }

    private KeyMaterial issued(String name, Instant from, Duration length) throws Exception {
        return authority.issueClient(
                HermesSubject.client(name, "acme"), new Validity(from, from.plus(length)));
    }

    private X509Certificate present() throws Exception {
        return files.ownCertificate();
    }

    @Test
    @DisplayName(
            "takes place when a third of the life is left, with a new key for the same subject")
    void renews() throws Exception {
        X509Certificate first = present();
        assertThat(renewal.runOnce()).isFalse();
        clock.move(Duration.ofDays(4));
        assertThat(renewal.runOnce()).isFalse();
        assertThat(present()).isEqualTo(first);

        clock.move(Duration.ofHours(17));
        assertThat(renewal.runOnce()).isTrue();
        X509Certificate next = present();
        assertThat(next.getSubjectX500Principal()).isEqualTo(first.getSubjectX500Principal());
        assertThat(next.getPublicKey()).isNotEqualTo(first.getPublicKey());
        assertThat(next.getNotAfter().toInstant()).isEqualTo(clock.instant().plus(WEEK));
        assertThat(renewal.runOnce()).isFalse();
    }

    @Test
    @DisplayName("keeps the trusted authorities and adds the issuer's, while one follows the other")
    void rollOver() throws Exception {
        CertificateAuthority next = authority("next-ca");
        clock.move(Duration.ofDays(6));
        assertThat(by(new LocalCertificateIssuer(next, WEEK, clock)).runOnce()).isTrue();
        assertThat(files.trusted())
                .containsExactlyInAnyOrder(authority.certificate(), next.certificate());
        assertThat(present().getIssuerX500Principal())
                .isEqualTo(next.certificate().getSubjectX500Principal());
    }

    @Test
    @DisplayName("changes no file where the issuer is away, refuses, or answers something else")
    void failures() throws Exception {
        clock.move(Duration.ofDays(6));
        byte[] before = Files.readAllBytes(files.keyStore());
        CertificateRenewal away =
                by(
                        new Answering() {
                            @Override
                            public List<X509Certificate> issue(byte[] pkcs10) throws IOException {
                                throw new IOException("no route to the authority");
                            }
                        });
        assertThatThrownBy(away::runOnce)
                .isInstanceOf(IOException.class)
                .hasMessage("no route to the authority");
        KeyMaterial other = issued("somebody-else", clock.instant(), WEEK);
        CertificateRenewal wrong =
                by(
                        new Answering() {
                            @Override
                            public List<X509Certificate> issue(byte[] pkcs10) {
                                return other.chain();
                            }
                        });
        assertThatThrownBy(wrong::runOnce).isInstanceOf(GeneralSecurityException.class);
        CertificateRenewal shorter =
                by(new LocalCertificateIssuer(authority, Duration.ofHours(1), clock));
        assertThatThrownBy(shorter::runOnce).hasMessageContaining("no later than");
        assertThat(Files.readAllBytes(files.keyStore())).isEqualTo(before);
        assertThat(Files.list(folder)).as("nothing left behind").hasSize(2);
    }

    private abstract class Answering implements CertificateIssuer {
        @Override
        public List<X509Certificate> trustAnchors() {
            return List.of(authority.certificate());
        }
    }

    @Test
    @DisplayName("can come from a folder of downloads: the best that fits, whatever its name")
    void downloads() throws Exception {
        Path incoming = Files.createDirectory(folder.resolve("incoming"));
        DownloadedStores downloads = new DownloadedStores(incoming, files, clock);
        assertThat(downloads.runOnce()).isFalse();
        assertThat(downloads.fault()).isEmpty();

        byte[] first = Files.readAllBytes(files.keyStore());
        download(incoming.resolve("shorter"), issued("worker", START, Duration.ofDays(1)));
        download(incoming.resolve("later"), issued("worker", START.plusSeconds(60), WEEK));
        download(incoming.resolve("other.jks"), issued("other", START, WEEK.multipliedBy(2)));
        Files.writeString(incoming.resolve("notes.txt"), "not a store");
        assertThat(downloads.runOnce()).isFalse();
        assertThat(Files.readAllBytes(files.keyStore())).isEqualTo(first);
        assertThat(downloads.fault())
                .contains("notes.txt is no store, is cut off, or has another password")
                .contains("other.jks is of CN=other");

        download(incoming.resolve("a.p12"), issued("worker", START, WEEK.multipliedBy(3)));
        download(incoming.resolve("b.p12"), issued("worker", START, WEEK.multipliedBy(2)));
        assertThat(downloads.runOnce()).isTrue();
        assertThat(present().getNotAfter().toInstant()).isEqualTo(START.plus(WEEK.multipliedBy(3)));
        assertThat(downloads.runOnce()).isFalse();
        byte[] whole = Files.readAllBytes(incoming.resolve("b.p12"));
        Files.write(incoming.resolve("b.p12"), java.util.Arrays.copyOf(whole, whole.length / 2));
        assertThat(downloads.runOnce()).isFalse();
        assertThat(downloads.fault()).contains("b.p12 is no store, is cut off");
    }

    @Test
    @DisplayName("takes a truststore that is newer than the one in use")
    void downloadedTruststore() throws Exception {
        Path incoming = Files.createDirectory(folder.resolve("incoming"));
        DownloadedStores downloads = new DownloadedStores(incoming, files, clock);
        Path file = incoming.resolve("truststore(1).p12");
        KeyStores.writeTrustStore(
                file,
                List.of(authority.certificate(), authority("next-ca").certificate()),
                PASSWORD.toCharArray());
        Instant used = Files.getLastModifiedTime(files.trustStore()).toInstant();
        Files.setLastModifiedTime(
                file, java.nio.file.attribute.FileTime.from(used.minusSeconds(5)));
        assertThat(downloads.runOnce()).isFalse();
        Files.setLastModifiedTime(file, java.nio.file.attribute.FileTime.from(used.plusSeconds(5)));
        assertThat(downloads.runOnce()).isTrue();
        assertThat(files.trusted()).hasSize(2);
        assertThat(downloads.runOnce()).isFalse();
    }

    private static void download(Path file, KeyMaterial material) throws Exception {
        KeyStores.writeKeyStore(file, material, PASSWORD.toCharArray());
    }
}
