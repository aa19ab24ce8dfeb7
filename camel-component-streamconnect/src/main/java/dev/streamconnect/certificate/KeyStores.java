package dev.streamconnect.certificate;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * PKCS12 key stores and trust stores, as a ServiceNow instance's certificate generator makes them.
 * Files are written for their owner alone. Passwords stay the caller's and are not kept.
 */
public final class KeyStores {

    private static final String TYPE = "PKCS12";
    private static final String KEY_ALIAS = "client";

    private KeyStores() {}

    /**
     * Writes one key with its chain; store and key share the password, as PKCS12 readers expect.
     */
    public static void writeKeyStore(Path file, KeyMaterial material, char[] password)
            throws IOException, GeneralSecurityException {
        writeKeyStore(file, material, password, password);
    }

    /** The same with a password of the key's own, for our own reader: other tools expect one. */
    static void writeKeyStore(Path file, KeyMaterial material, char[] password, char[] keyPassword)
            throws IOException, GeneralSecurityException {
        KeyStore store = empty();
        store.setKeyEntry(
                KEY_ALIAS,
                material.key(),
                keyPassword,
                material.chain().toArray(Certificate[]::new));
        write(file, store, password);
    }

    /**
     * The certificate of the first key of a PKCS12 or JKS store; null if it holds no key.
     *
     * @throws IOException if the file is missing, damaged, no store, or the password does not fit
     */
    static X509Certificate ownCertificate(Path file, char[] password)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(file.toFile(), password);
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)
                    && store.getCertificate(alias) instanceof X509Certificate own) {
                return own;
            }
        }
        return null;
    }

    /** Writes a store of trusted authorities. */
    public static void writeTrustStore(
            Path file, Collection<X509Certificate> authorities, char[] password)
            throws IOException, GeneralSecurityException {
        KeyStore store = empty();
        int count = 0;
        for (X509Certificate authority : authorities) {
            store.setCertificateEntry("ca-" + count++, authority);
        }
        write(file, store, password);
    }

    /**
     * Reads the only key of a store.
     *
     * @throws IOException if the file is missing, damaged, or the password does not fit
     * @throws KeyStoreException if it holds no key, or more than one
     */
    public static KeyMaterial readKeyStore(Path file, char[] password)
            throws IOException, GeneralSecurityException {
        KeyStore store = read(file, password);
        List<String> keys = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias)) {
                keys.add(alias);
            }
        }
        if (keys.size() != 1) {
            throw new KeyStoreException(file + " holds " + keys.size() + " keys, expected one");
        }
        if (!(store.getKey(keys.get(0), password) instanceof PrivateKey key)) {
            throw new UnrecoverableKeyException(file + " holds a key that is not a private key");
        }
        return new KeyMaterial(key, x509(store.getCertificateChain(keys.get(0))));
    }

    /** Reads the trusted authorities of a store, in no particular order. */
    public static List<X509Certificate> readTrustStore(Path file, char[] password)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(file.toFile(), password);
        List<Certificate> trusted = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.isCertificateEntry(alias)) {
                trusted.add(store.getCertificate(alias));
            }
        }
        return x509(trusted.toArray(Certificate[]::new));
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(TYPE);
        store.load(null, null);
        return store;
    }

    private static KeyStore read(Path file, char[] password)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(TYPE);
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, password);
        }
        return store;
    }

    private static void write(Path file, KeyStore store, char[] password)
            throws IOException, GeneralSecurityException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        store.store(content, password);
        OwnerOnlyFiles.write(file, content.toByteArray());
    }

    private static List<X509Certificate> x509(Certificate[] certificates) {
        return Arrays.stream(certificates).map(X509Certificate.class::cast).toList();
    }
}
