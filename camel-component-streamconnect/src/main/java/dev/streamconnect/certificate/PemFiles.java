package dev.streamconnect.certificate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;

/** PEM text for clients that read no PKCS12, such as those built on librdkafka. */
public final class PemFiles {

    private static final Base64.Encoder BASE64 =
            Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    private PemFiles() {}

    /** Writes certificates one after the other, in the given order. */
    public static void writeCertificates(Path file, List<X509Certificate> certificates)
            throws IOException, CertificateEncodingException {
        StringBuilder text = new StringBuilder();
        for (X509Certificate certificate : certificates) {
            text.append(block("CERTIFICATE", certificate.getEncoded()));
        }
        write(file, text.toString());
    }

    /** Writes a private key as unencrypted PKCS#8, readable by its owner alone. */
    public static void writeKey(Path file, PrivateKey key) throws IOException {
        write(file, block("PRIVATE KEY", key.getEncoded()));
    }

    private static String block(String label, byte[] der) {
        return "-----BEGIN "
                + label
                + "-----\n"
                + BASE64.encodeToString(der)
                + "\n-----END "
                + label
                + "-----\n";
    }

    private static void write(Path file, String text) throws IOException {
        OwnerOnlyFiles.write(file, text.getBytes(StandardCharsets.US_ASCII));
    }
}
