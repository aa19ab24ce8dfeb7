package dev.streamconnect.cluster;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyMaterial;
import dev.streamconnect.certificate.KeyStores;
import dev.streamconnect.certificate.Validity;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The two stores of a client in a folder, issued by an authority of the test. */
public final class IssuedStores {

    public static final String PASSWORD = "a-secret";

    private final Path folder;
    private final CertificateAuthority authority;

    public IssuedStores(Path folder) throws Exception {
        this.folder = folder;
        this.authority = authority("acme-ca");
        trust(authority);
    }

    static CertificateAuthority authority(String name) throws Exception {
        Instant now = Instant.parse("2020-01-01T00:00:00Z");
        return CertificateAuthority.create(
                HermesSubject.authority(name, "acme"),
                new Validity(now, now.plus(Duration.ofDays(10_000))));
    }

    public CertificateAuthority authority() {
        return authority;
    }

    public Path keystore() {
        return folder.resolve("keystore.p12");
    }

    Path truststore() {
        return folder.resolve("truststore.p12");
    }

    /** Writes a keystore that holds from then on for so long. */
    public X509Certificate issue(Instant from, Duration length) throws Exception {
        KeyMaterial material = material(from, length);
        KeyStores.writeKeyStore(keystore(), material, PASSWORD.toCharArray());
        return material.certificate();
    }

    /** The same as a JKS store in the same file. */
    void issueJks(Instant from, Duration length) throws Exception {
        KeyMaterial material = material(from, length);
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        store.setKeyEntry(
                "k",
                material.key(),
                PASSWORD.toCharArray(),
                material.chain().toArray(Certificate[]::new));
        try (OutputStream out = Files.newOutputStream(keystore())) {
            store.store(out, PASSWORD.toCharArray());
        }
    }

    private KeyMaterial material(Instant from, Duration length) throws Exception {
        return authority.issueClient(
                HermesSubject.client("c", "acme"), new Validity(from, from.plus(length)));
    }

    /** Writes a truststore. */
    void trust(CertificateAuthority... authorities) throws Exception {
        KeyStores.writeTrustStore(
                truststore(),
                List.of(authorities).stream().map(CertificateAuthority::certificate).toList(),
                PASSWORD.toCharArray());
    }

    public TlsOptions options() {
        return options(PASSWORD);
    }

    TlsOptions options(String password) {
        return new TlsOptions(
                TlsStore.file("keystore", "keystorePassword", keystore().toString(), password),
                "keyPassword",
                null,
                TlsStore.file(
                        "truststore", "truststorePassword", truststore().toString(), PASSWORD),
                true,
                null);
    }
}
