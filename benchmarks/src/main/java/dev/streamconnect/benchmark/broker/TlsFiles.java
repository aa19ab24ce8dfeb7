package dev.streamconnect.benchmark.broker;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyStores;
import dev.streamconnect.certificate.ServerNames;
import dev.streamconnect.certificate.Validity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Keys and certificates (EC P-256) for mTLS, made anew for each benchmark. */
final class TlsFiles {

    private static final String INSTANCE = "acme";
    private static final String PASSWORD = "benchmark";
    private static final Duration LIFETIME = Duration.ofDays(2);

    private final Path folder;

    private TlsFiles(Path folder) {
        this.folder = folder;
    }

    static TlsFiles write(Path folder) throws IOException, GeneralSecurityException {
        Files.createDirectories(folder);
        TlsFiles files = new TlsFiles(folder);
        Validity validity = Validity.of(Instant.now(), LIFETIME);
        CertificateAuthority authority =
                CertificateAuthority.create(
                        HermesSubject.authority("benchmark-ca", INSTANCE), validity);
        char[] password = PASSWORD.toCharArray();
        KeyStores.writeKeyStore(
                files.file("broker.p12"),
                authority.issueServer(
                        HermesSubject.server("broker", INSTANCE),
                        new ServerNames(List.of("localhost"), List.of("127.0.0.1")),
                        validity),
                password);
        KeyStores.writeKeyStore(
                files.file("client.p12"),
                authority.issueClient(HermesSubject.client("benchmark", INSTANCE), validity),
                password);
        KeyStores.writeTrustStore(
                files.file("trust.p12"), List.of(authority.certificate()), password);
        return files;
    }

    /** Of the brokers. */
    Map<String, String> broker() {
        Map<String, String> properties = stores("broker.p12");
        properties.put("ssl.client.auth", "required");
        return properties;
    }

    /** Of clients. */
    Map<String, String> client() {
        Map<String, String> properties = stores("client.p12");
        properties.put("security.protocol", "SSL");
        return properties;
    }

    private Map<String, String> stores(String keyStore) {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("ssl.keystore.location", file(keyStore).toString());
        properties.put("ssl.keystore.password", PASSWORD);
        properties.put("ssl.keystore.type", "PKCS12");
        properties.put("ssl.key.password", PASSWORD);
        properties.put("ssl.truststore.location", file("trust.p12").toString());
        properties.put("ssl.truststore.password", PASSWORD);
        properties.put("ssl.truststore.type", "PKCS12");
        return properties;
    }

    private Path file(String name) {
        return folder.resolve(name);
    }
}
