package dev.streamconnect.certificate;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;

/**
 * The store files of a client that may be replaced.
 *
 * @param keyStore PKCS12 or JKS file; what is written is PKCS12
 * @param keyStorePassword never printed
 * @param keyPassword the key's; null for the store's
 * @param trustStore null for none that may be replaced
 * @param trustStorePassword never printed; null without a truststore
 */
public record StoreFiles(
        Path keyStore,
        String keyStorePassword,
        String keyPassword,
        Path trustStore,
        String trustStorePassword) {

    public StoreFiles {
        Objects.requireNonNull(keyStore, "keyStore");
        Objects.requireNonNull(keyStorePassword, "keyStorePassword");
    }

    /** The client's present certificate; null if the keystore holds no key. */
    X509Certificate ownCertificate() throws IOException, GeneralSecurityException {
        return KeyStores.ownCertificate(keyStore, keyStorePassword.toCharArray());
    }

    List<X509Certificate> trusted() throws IOException, GeneralSecurityException {
        return KeyStores.readTrustStore(trustStore, trustStorePassword.toCharArray());
    }

    void write(KeyMaterial material) throws IOException, GeneralSecurityException {
        KeyStores.writeKeyStore(
                keyStore,
                material,
                keyStorePassword.toCharArray(),
                (keyPassword == null ? keyStorePassword : keyPassword).toCharArray());
    }

    /** Names the files, never a password. */
    @Override
    public String toString() {
        return "StoreFiles[" + keyStore + ", " + trustStore + "]";
    }
}
