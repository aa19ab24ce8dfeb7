package dev.streamconnect.cluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;

/** Opens a keystore or truststore; its type is told by its first bytes, not by its name. */
final class StoreReader {

    private static final String PEM = "PEM";
    static final int MAX_BYTES = 16 * 1024 * 1024;

    private StoreReader() {}

    /**
     * An opened store.
     *
     * @param type the one that was detected
     * @param keyPassword opens its key; null for none
     */
    record Opened(KeyStore store, String type, String keyPassword) {

        boolean isPem() {
            return type.equals(PEM);
        }
    }

    /**
     * Opens the keystore.
     *
     * @throws IllegalArgumentException one line: option, reason, mend
     */
    static Opened openKeystore(TlsOptions options) {
        TlsStore source = options.keystore();
        String keyPassword =
                options.keyPassword() == null ? source.password() : options.keyPassword();
        byte[] bytes = bytes(source);
        String type = type(source, bytes);
        if (type.equals(PEM)) {
            KeyStore store =
                    PemStore.keystore(source, options.keyPasswordOption(), keyPassword, bytes);
            return new Opened(store, type, PemStore.KEY_PASSWORD);
        }
        if (source.password() == null) {
            throw missing(source);
        }
        return new Opened(load(source, bytes, type), type, keyPassword);
    }

    /**
     * Opens a truststore.
     *
     * @throws IllegalArgumentException one line: option, reason, mend
     */
    static Opened openTruststore(TlsStore source) {
        byte[] bytes = bytes(source);
        String type = type(source, bytes);
        KeyStore store =
                type.equals(PEM) ? PemStore.truststore(source, bytes) : load(source, bytes, type);
        return new Opened(store, type, null);
    }

    /** The type of a store. */
    static String type(TlsStore source) {
        return type(source, bytes(source));
    }

    private static KeyStore load(TlsStore source, byte[] bytes, String type) {
        char[] password = source.password() == null ? null : source.password().toCharArray();
        try {
            KeyStore store = KeyStore.getInstance(type);
            store.load(new ByteArrayInputStream(bytes), password);
            return store;
        } catch (IOException e) {
            throw refused(source, password, e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    source.option()
                            + ": "
                            + source.place()
                            + " uses an algorithm that this Java does not know");
        }
    }

    private static IllegalArgumentException refused(
            TlsStore source, char[] password, IOException e) {
        if (password == null) {
            return missing(source);
        }
        if (e.getCause() instanceof UnrecoverableKeyException) {
            return new IllegalArgumentException(
                    source.passwordOption()
                            + ": does not open "
                            + source.place()
                            + "; give the store's password");
        }
        return new IllegalArgumentException(
                source.option()
                        + ": "
                        + source.place()
                        + " is damaged or cut off; "
                        + (source.content() == null
                                ? "copy the file again"
                                : "give the whole file again"));
    }

    private static IllegalArgumentException missing(TlsStore source) {
        return new IllegalArgumentException(
                source.passwordOption() + ": is missing; give the password of " + source.place());
    }

    private static byte[] bytes(TlsStore source) {
        if (source.content() != null) {
            return source.content();
        }
        Path path = Path.of(source.location());
        if (!Files.exists(path)) {
            throw new IllegalArgumentException(
                    source.option()
                            + ": file "
                            + source.place()
                            + " does not exist; give the path of the store");
        }
        if (!Files.isRegularFile(path)) {
            throw new IllegalArgumentException(
                    source.option()
                            + ": "
                            + source.place()
                            + " is no file; give the path of the store");
        }
        try {
            if (Files.size(path) > MAX_BYTES) {
                throw new IllegalArgumentException(
                        source.option()
                                + ": file "
                                + source.place()
                                + " is too large for a store; correct the path");
            }
            return Files.readAllBytes(path);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    source.option()
                            + ": file "
                            + source.place()
                            + " cannot be read; give this process the right to read it");
        }
    }

    private static String type(TlsStore source, byte[] bytes) {
        if (bytes.length >= 4) {
            int magic =
                    (bytes[0] & 0xff) << 24
                            | (bytes[1] & 0xff) << 16
                            | (bytes[2] & 0xff) << 8
                            | bytes[3] & 0xff;
            if (magic == 0xFEEDFEED) {
                return "JKS";
            }
            if (magic == 0xCECECECE) {
                return "JCEKS";
            }
            if (bytes[0] == 0x30) {
                return "PKCS12";
            }
        }
        // Text may stand before the first block, as OpenSSL writes it.
        if (new String(bytes, StandardCharsets.ISO_8859_1).contains("-----BEGIN ")) {
            return PEM;
        }
        throw new IllegalArgumentException(
                source.option()
                        + ": "
                        + source.place()
                        + " is no PKCS12 or JKS store and no PEM text; "
                        + (source.content() == null
                                ? "correct the path"
                                : "give the content of a store"));
    }
}
