package dev.streamconnect.preflight;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyMaterial;
import dev.streamconnect.certificate.KeyStores;
import dev.streamconnect.certificate.ServerNames;
import dev.streamconnect.certificate.Validity;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An authority with stores for both ends of a TLS connection. */
final class TestPki {

    private static final String PASSWORD = "only-for-this-test";
    private static final Validity DAY = Validity.of(Instant.now(), Duration.ofDays(90));

    private final Path folder;
    private final CertificateAuthority authority;
    private int files;

    TestPki(Path folder) throws Exception {
        this.folder = folder;
        this.authority =
                CertificateAuthority.create(HermesSubject.authority("test-ca", "acme"), DAY);
    }

    /** Client options with a certificate of one authority that trusts another. */
    static Map<String, Object> client(TestPki ofCertificate, TestPki trusted) throws Exception {
        Map<String, Object> options = new HashMap<>(trusted.trust());
        options.put("security.protocol", "SSL");
        options.put("ssl.keystore.location", ofCertificate.clientStore().toString());
        options.put("ssl.keystore.type", "PKCS12");
        options.put("ssl.keystore.password", PASSWORD);
        options.put("ssl.key.password", PASSWORD);
        return options;
    }

    private Map<String, Object> trust() throws Exception {
        return Map.of(
                "ssl.truststore.location",
                trustStore().toString(),
                "ssl.truststore.type",
                "PKCS12",
                "ssl.truststore.password",
                PASSWORD);
    }

    /** A server for localhost. */
    SSLContext server() throws Exception {
        return server("localhost", DAY);
    }

    SSLContext server(String name, Validity validity) throws Exception {
        Path store = file();
        KeyStores.writeKeyStore(
                store,
                authority.issueServer(
                        HermesSubject.server("server", "acme"),
                        new ServerNames(List.of(name), List.of()),
                        validity),
                PASSWORD.toCharArray());
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(read(store), PASSWORD.toCharArray());
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(read(trustStore()));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    KeyMaterial issue(String name, Validity validity) throws Exception {
        return authority.issueClient(HermesSubject.client(name, "acme"), validity);
    }

    private Path clientStore() throws Exception {
        Path store = file();
        KeyStores.writeKeyStore(store, issue("client", DAY), PASSWORD.toCharArray());
        return store;
    }

    private Path trustStore() throws Exception {
        Path store = file();
        KeyStores.writeTrustStore(store, List.of(authority.certificate()), PASSWORD.toCharArray());
        return store;
    }

    private Path file() {
        return folder.resolve("store-" + System.identityHashCode(this) + "-" + files++ + ".p12");
    }

    private static KeyStore read(Path file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }
}
