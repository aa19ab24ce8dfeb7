package dev.streamconnect.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PublicKey;
import java.security.Signature;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.security.auth.x500.X500Principal;

/** Makes stores in memory of PEM text. */
final class PemStore {

    /** Of the key in the store in memory, where it needs no protection. */
    static final String KEY_PASSWORD = "in-memory";

    private PemStore() {}

    /**
     * The private key with its certificate and those of its authorities.
     *
     * @param password of an encrypted key; null for none
     * @throws IllegalArgumentException one line: option, reason, mend
     */
    static KeyStore keystore(
            TlsStore source, String keyPasswordOption, String password, byte[] bytes) {
        PemContent content;
        try {
            content = PemContent.read(text(bytes), password);
        } catch (PemContent.PasswordMissingException e) {
            throw new IllegalArgumentException(
                    keyPasswordOption
                            + ": is missing; the key in "
                            + source.place()
                            + " is encrypted, give its password");
        } catch (UnrecoverableKeyException e) {
            throw new IllegalArgumentException(
                    keyPasswordOption
                            + ": does not open the key in "
                            + source.place()
                            + "; give the key's password");
        } catch (GeneralSecurityException e) {
            throw damaged(source);
        }
        if (content.key() == null) {
            throw new IllegalArgumentException(
                    source.option()
                            + ": "
                            + source.place()
                            + " holds no private key; put the client's key beside its certificate,"
                            + " both as PEM");
        }
        Certificate[] chain = chain(source, content);
        return store(
                source,
                store ->
                        store.setKeyEntry(
                                "client", content.key(), KEY_PASSWORD.toCharArray(), chain));
    }

    /**
     * All certificates, to be trusted.
     *
     * @throws IllegalArgumentException one line: option, reason, mend
     */
    static KeyStore truststore(TlsStore source, byte[] bytes) {
        try {
            // What of it is no certificate is not looked at: a key has no place here.
            List<X509Certificate> trusted =
                    PemContent.read(
                                    text(bytes)
                                            .replaceAll(
                                                    "(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END"
                                                            + " [A-Z ]*PRIVATE KEY-----",
                                                    ""),
                                    null)
                            .certificates();
            return store(
                    source,
                    store -> {
                        int count = 0;
                        for (X509Certificate each : trusted) {
                            store.setCertificateEntry("ca-" + count++, each);
                        }
                    });
        } catch (GeneralSecurityException e) {
            throw damaged(source);
        }
    }

    /** The certificate of the key, then that of its issuer, and so on; others are left out. */
    private static Certificate[] chain(TlsStore source, PemContent content) {
        List<X509Certificate> chain = new ArrayList<>();
        X509Certificate next =
                content.certificates().stream()
                        .filter(each -> belongs(each.getPublicKey(), content))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new IllegalArgumentException(
                                                source.option()
                                                        + ": "
                                                        + source.place()
                                                        + " holds a private key and no certificate of it; put"
                                                        + " both into one PEM"));
        while (next != null && !chain.contains(next)) {
            chain.add(next);
            X500Principal issuer = next.getIssuerX500Principal();
            next =
                    content.certificates().stream()
                            .filter(each -> each.getSubjectX500Principal().equals(issuer))
                            .findFirst()
                            .orElse(null);
        }
        return chain.toArray(Certificate[]::new);
    }

    private static boolean belongs(PublicKey certified, PemContent content) {
        String algorithm = content.key().getAlgorithm();
        if (!certified.getAlgorithm().equals(algorithm)) {
            return false;
        }
        try {
            Signature signature =
                    Signature.getInstance(
                            algorithm.equals("EC")
                                    ? "SHA256withECDSA"
                                    : algorithm.equals("RSA") ? "SHA256withRSA" : algorithm);
            byte[] sample = {1};
            signature.initSign(content.key());
            signature.update(sample);
            byte[] signed = signature.sign();
            signature.initVerify(certified);
            signature.update(sample);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private interface Filling {
        void fill(KeyStore store) throws GeneralSecurityException;
    }

    private static KeyStore store(TlsStore source, Filling filling) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            filling.fill(store);
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw damaged(source);
        }
    }

    private static IllegalArgumentException damaged(TlsStore source) {
        return new IllegalArgumentException(
                source.option()
                        + ": "
                        + source.place()
                        + " is PEM text that is damaged or has a key of another kind; copy it again, or"
                        + " write the key anew with 'openssl pkcs8 -topk8'");
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
