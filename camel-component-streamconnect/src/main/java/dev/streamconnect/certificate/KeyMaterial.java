package dev.streamconnect.certificate;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;

/**
 * A private key with its certificate chain.
 *
 * @param key the private key; never printed
 * @param chain the key's own certificate first; not empty
 */
public record KeyMaterial(PrivateKey key, List<X509Certificate> chain) {

    public KeyMaterial {
        Objects.requireNonNull(key, "key");
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("a key needs a certificate chain");
        }
    }

    /** The certificate of the key itself. */
    public X509Certificate certificate() {
        return chain.get(0);
    }

    @Override
    public String toString() {
        return "KeyMaterial[" + certificate().getSubjectX500Principal() + "]";
    }
}
