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

    static final int MAX_BYTES = 16 * 1024 * 1024;

    private StoreReader() {}

    /** An opened store and the type that was detected. */
    record Opened(KeyStore store, String type) {}

    /**
     * Opens it.
     *
     * @throws IllegalArgumentException one line: option, reason, mend
     */
    static Opened open(TlsStore source) {
        byte[] bytes = bytes(source);
        String type = type(source, bytes);
        char[] password = source.password() == null ? null : source.password().toCharArray();
        try {
            KeyStore store = KeyStore.getInstance(type);
            store.load(new ByteArrayInputStream(bytes), password);
            return new Opened(store, type);
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
            return new IllegalArgumentException(
                    source.passwordOption()
                            + ": is missing; give the password of "
                            + source.place());
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
                        + " is damaged or cut off; copy the file again");
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
        String start =
                new String(bytes, 0, Math.min(bytes.length, 200), StandardCharsets.ISO_8859_1);
        if (start.contains("-----BEGIN")) {
            throw new IllegalArgumentException(
                    source.option()
                            + ": "
                            + source.place()
                            + " is PEM text; give a PKCS12 or JKS store, as 'openssl pkcs12 -export' or 'keytool"
                            + " -importcert' makes it");
        }
        throw new IllegalArgumentException(
                source.option()
                        + ": "
                        + source.place()
                        + " is neither a PKCS12 nor a JKS store; correct the path");
    }
}
