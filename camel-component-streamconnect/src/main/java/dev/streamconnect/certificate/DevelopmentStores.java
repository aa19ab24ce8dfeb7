package dev.streamconnect.certificate;

import dev.streamconnect.spi.CertificateIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;

/**
 * The two stores of a client, made on first use so that development needs no manual step.
 *
 * @param keyStore PKCS12 file with the client's key and chain
 * @param trustStore PKCS12 file with the authorities of the brokers
 */
public record DevelopmentStores(Path keyStore, Path trustStore) {

    /**
     * Makes {@code keystore.p12} and {@code truststore.p12} in a folder where they are missing. A
     * file that exists is never touched, whatever it holds.
     *
     * @param instance the instance that the certificate is for, written in its subject
     * @param clientName the client's name, its principal on the brokers
     * @param password protects new files; not kept
     * @throws IOException if the folder cannot be written or the issuer not be reached
     * @throws GeneralSecurityException if the issuer refuses
     */
    public static DevelopmentStores ensure(
            Path folder,
            CertificateIssuer issuer,
            String instance,
            String clientName,
            char[] password)
            throws IOException, GeneralSecurityException {
        DevelopmentStores stores =
                new DevelopmentStores(
                        folder.resolve("keystore.p12"), folder.resolve("truststore.p12"));
        if (Files.notExists(stores.keyStore)) {
            CertificateRequest request =
                    CertificateRequest.create(HermesSubject.client(clientName, instance));
            KeyMaterial material = request.complete(issuer.issue(request.pkcs10()));
            KeyStores.writeKeyStore(stores.keyStore, material, password);
        }
        if (Files.notExists(stores.trustStore)) {
            KeyStores.writeTrustStore(stores.trustStore, issuer.trustAnchors(), password);
        }
        return stores;
    }
}
