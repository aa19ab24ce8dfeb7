package dev.streamconnect.sandbox.client;

import dev.streamconnect.certificate.KeyMaterial;
import dev.streamconnect.certificate.KeyStores;
import dev.streamconnect.certificate.OwnerOnlyFiles;
import dev.streamconnect.certificate.PemFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;

/** The files of one client in one folder, each written whole and for its owner alone. */
public final class ClientFiles {

    private final String password;
    private final Bootstrap bootstrap;

    /**
     * @param password of all stores
     */
    public ClientFiles(String password, Bootstrap bootstrap) {
        this.password = password;
        this.bootstrap = bootstrap;
    }

    /** Writes or replaces the set; {@code client.properties} comes last. */
    public void write(Path folder, KeyMaterial client, List<X509Certificate> trusted)
            throws IOException, GeneralSecurityException {
        char[] secret = password.toCharArray();
        PemFiles.writeCertificates(folder.resolve("ca.pem"), trusted);
        PemFiles.writeCertificates(folder.resolve("client-cert.pem"), client.chain());
        PemFiles.writeKey(folder.resolve("client-key.pem"), client.key());
        KeyStores.writeKeyStore(folder.resolve("keystore.p12"), client, secret);
        KeyStores.writeTrustStore(folder.resolve("truststore.p12"), trusted, secret);
        OwnerOnlyFiles.write(
                folder.resolve("client.properties"),
                properties(folder).getBytes(StandardCharsets.ISO_8859_1));
    }

    private String properties(Path folder) {
        return """
        # A Kafka client of the local Hermes, as it is for producers.
        bootstrap.servers=%s
        security.protocol=SSL
        ssl.keystore.type=PKCS12
        ssl.keystore.location=%s
        ssl.keystore.password=%s
        ssl.key.password=%s
        ssl.truststore.type=PKCS12
        ssl.truststore.location=%s
        ssl.truststore.password=%s

        # Producers: an idempotent producer can lose acknowledged records after a fail-over, so use
        # enable.idempotence=false
        # max.in.flight.requests.per.connection=1

        # Consumers: always run two, one for each side, with a group id that begins with snc.%s.
        # bootstrap.servers=%s
        # bootstrap.servers=%s
        """
                .formatted(
                        bootstrap.producer(),
                        escaped(folder.resolve("keystore.p12")),
                        password,
                        password,
                        escaped(folder.resolve("truststore.p12")),
                        password,
                        bootstrap.instance(),
                        bootstrap.consumerA(),
                        bootstrap.consumerB());
    }

    private static String escaped(Path path) {
        return path.toAbsolutePath().toString().replace("\\", "\\\\");
    }
}
