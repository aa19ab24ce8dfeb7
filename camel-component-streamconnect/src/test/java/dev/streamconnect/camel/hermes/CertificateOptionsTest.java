package dev.streamconnect.camel.hermes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyMaterial;
import dev.streamconnect.certificate.KeyStores;
import dev.streamconnect.certificate.LocalCertificateIssuer;
import dev.streamconnect.certificate.Validity;
import dev.streamconnect.spi.CertificateIssuer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("case-S3")
@DisplayName("The options that keep the component's certificate fresh")
class CertificateOptionsTest {

    private static final String PASSWORD = "a-secret";
    private static final Duration DAY = Duration.ofDays(1);

    @TempDir Path folder;

    private final Instant now = Instant.now();
    private CertificateAuthority authority;
    private Path keystore;
    private X509Certificate first;

    /** Of the seven days of the certificate one is left. */
    @BeforeEach
    void makeStore() throws Exception {
        authority =
                CertificateAuthority.create(
                        HermesSubject.authority("acme-ca", "acme"),
                        new Validity(
                                now.minus(DAY.multipliedBy(10)), now.plus(DAY.multipliedBy(99))));
        keystore = folder.resolve("keystore.p12");
        write(keystore, issued(new Validity(now.minus(DAY.multipliedBy(6)), now.plus(DAY))));
        first = present();
    }

    private KeyMaterial issued(Validity validity) throws Exception {
        return authority.issueClient(HermesSubject.client("worker", "acme"), validity);
    }

    private static void write(Path file, KeyMaterial material) throws Exception {
        KeyStores.writeKeyStore(file, material, PASSWORD.toCharArray());
    }

    private X509Certificate present() throws Exception {
        return KeyStores.readKeyStore(keystore, PASSWORD.toCharArray()).certificate();
    }

    private void awaitOtherCertificate(Consumer<HermesComponent> options) throws Exception {
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            HermesComponent component = new HermesComponent();
            HermesConfiguration form = new HermesConfiguration();
            form.setInstance("acme");
            form.setKeystore(keystore.toString());
            form.setKeystorePassword(PASSWORD);
            component.setConfiguration(form);
            options.accept(component);
            context.addComponent("hermes", component);
            context.start();
            await().atMost(Duration.ofSeconds(60)).until(() -> !present().equals(first));
        }
    }

    @Test
    @DisplayName("certificateIssuer issues the next one")
    void issuer() throws Exception {
        CertificateIssuer issuer =
                new LocalCertificateIssuer(authority, DAY.multipliedBy(7), Clock.systemUTC());

        awaitOtherCertificate(component -> component.setCertificateIssuer(issuer));

        assertThat(present().getNotAfter().toInstant()).isAfter(now.plus(DAY.multipliedBy(6)));
    }

    @Test
    @DisplayName("storeDownloads is the folder in which the next one is found")
    void downloads() throws Exception {
        Path downloads = Files.createDirectory(folder.resolve("downloads"));
        KeyMaterial next = issued(new Validity(now.minus(DAY), now.plus(DAY.multipliedBy(6))));
        write(downloads.resolve("keystore (1).p12"), next);

        awaitOtherCertificate(component -> component.setStoreDownloads(downloads.toString()));

        assertThat(present()).isEqualTo(next.certificate());
    }
}
