package dev.streamconnect.it;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyMaterial;
import dev.streamconnect.certificate.KeyStores;
import dev.streamconnect.certificate.PemFiles;
import dev.streamconnect.certificate.ServerNames;
import dev.streamconnect.certificate.Validity;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The stores of a {@link SecuredKafka}, {@code server.p12} and {@code server-trust.p12}, and of a
 * client of it, {@code client.p12} and {@code trust.pem}.
 *
 * @param broker the broker's {@code ssl.*} properties
 * @param client the client's key and certificate
 */
record SecuredStores(Map<String, String> broker, KeyMaterial client) {

    /** Writes them; the password is that of each. */
    static SecuredStores write(Path folder, String password)
            throws IOException, GeneralSecurityException {
        Validity validity = Validity.of(Instant.now(), Duration.ofDays(1));
        HermesSubject name = HermesSubject.client("plant", "acme");
        CertificateAuthority authority = CertificateAuthority.create(name, validity);
        KeyMaterial server =
                authority.issueServer(
                        HermesSubject.server("kafka", "acme"),
                        new ServerNames(List.of("localhost"), List.of()),
                        validity);
        KeyMaterial client = authority.issueClient(name, validity);
        Path keys = folder.resolve("server.p12");
        Path trust = folder.resolve("server-trust.p12");
        KeyStores.writeKeyStore(keys, server, password.toCharArray());
        KeyStores.writeTrustStore(trust, List.of(authority.certificate()), password.toCharArray());
        KeyStores.writeKeyStore(folder.resolve("client.p12"), client, password.toCharArray());
        PemFiles.writeCertificates(folder.resolve("trust.pem"), List.of(authority.certificate()));
        return new SecuredStores(
                Map.of(
                        "ssl.keystore.type",
                        "PKCS12",
                        "ssl.keystore.location",
                        keys.toString(),
                        "ssl.keystore.password",
                        password,
                        "ssl.key.password",
                        password,
                        "ssl.truststore.type",
                        "PKCS12",
                        "ssl.truststore.location",
                        trust.toString(),
                        "ssl.truststore.password",
                        password),
                client);
    }
}
