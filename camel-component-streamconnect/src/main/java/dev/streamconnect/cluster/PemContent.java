package dev.streamconnect.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * What is in a PEM text: a private key as PKCS#8, with or without a password, PKCS#1 or SEC1, and
 * certificates.
 *
 * @param key null for none
 * @param certificates in the order of the text, may be empty
 */
record PemContent(PrivateKey key, List<X509Certificate> certificates) {

    private static final Pattern BLOCK =
            Pattern.compile("(?s)-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----");

    private static final byte[] VERSION_0 = HexFormat.of().parseHex("020100");
    private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");
    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");
    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final int PARAMETERS = 0xa0;

    PemContent {
        certificates = List.copyOf(certificates);
    }

    /** The key is encrypted, and there is no password for it. */
    static final class PasswordMissingException extends GeneralSecurityException {

        private static final long serialVersionUID = 1L;

        PasswordMissingException() {
            super("the key is encrypted");
        }
    }

    /**
     * Reads a text. Line breaks may be missing or written as {@code \n}, as they often are in
     * environment variables; what stands around the blocks is skipped.
     *
     * @param password of an encrypted key; null for none
     * @throws PasswordMissingException if the key needs one
     * @throws UnrecoverableKeyException if the password does not open the key
     * @throws GeneralSecurityException if the text is damaged, or an algorithm is not known
     */
    static PemContent read(String text, String password) throws GeneralSecurityException {
        PrivateKey key = null;
        List<X509Certificate> certificates = new ArrayList<>();
        Matcher block = BLOCK.matcher(text.replace("\\n", "\n"));
        while (block.find()) {
            String label = block.group(1);
            if (label.endsWith("CERTIFICATE")) {
                certificates.add(certificate(der(block.group(2))));
            } else if (label.endsWith("PRIVATE KEY") && key == null) {
                key = key(label, der(block.group(2)), password);
            }
        }
        return new PemContent(key, certificates);
    }

    private static byte[] der(String base64) throws GeneralSecurityException {
        if (base64.contains("Proc-Type")) {
            throw new GeneralSecurityException("the key is encrypted in a way of old");
        }
        try {
            return Base64.getDecoder().decode(base64.replaceAll("\\s+", ""));
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("a block is damaged");
        }
    }

    private static X509Certificate certificate(byte[] der) throws GeneralSecurityException {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(der));
    }

    private static PrivateKey key(String label, byte[] der, String password)
            throws GeneralSecurityException {
        switch (label) {
            case "RSA PRIVATE KEY":
                return key(sequence(VERSION_0, RSA, element(OCTETS, der)));
            case "EC PRIVATE KEY":
                return key(sequence(VERSION_0, sequence(EC, curve(der)), element(OCTETS, der)));
            case "ENCRYPTED PRIVATE KEY":
                return key(decrypted(der, password));
            default:
                return key(der);
        }
    }

    private static PrivateKey key(byte[] pkcs8) throws GeneralSecurityException {
        for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm)
                        .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException e) {
                // of another algorithm
            }
        }
        throw new GeneralSecurityException("the key is damaged, or of another algorithm");
    }

    private static byte[] decrypted(byte[] der, String password) throws GeneralSecurityException {
        if (password == null) {
            throw new PasswordMissingException();
        }
        try {
            EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(der);
            // For PBES2 only the parameters say which ciphers it is made of.
            String algorithm =
                    info.getAlgName().startsWith("PBEWith")
                            ? info.getAlgName()
                            : info.getAlgParameters().toString();
            Key key =
                    SecretKeyFactory.getInstance(algorithm)
                            .generateSecret(new PBEKeySpec(password.toCharArray()));
            Cipher cipher = Cipher.getInstance(algorithm);
            cipher.init(Cipher.DECRYPT_MODE, key, info.getAlgParameters());
            return info.getKeySpec(cipher).getEncoded();
        } catch (InvalidKeySpecException e) {
            throw new UnrecoverableKeyException("the password does not open the key");
        } catch (IOException e) {
            throw new GeneralSecurityException("the key is damaged");
        }
    }

    // ---- as much of DER as it takes to put PKCS#8 around a key

    /** The curve of a SEC1 key, which PKCS#8 has in front of it. */
    private static byte[] curve(byte[] sec1) throws GeneralSecurityException {
        try {
            int at = content(sec1, 0);
            while (at < sec1.length) {
                int begin = content(sec1, at);
                int end = begin + length(sec1, at);
                if ((sec1[at] & 0xff) == PARAMETERS) {
                    return Arrays.copyOfRange(sec1, begin, end);
                }
                at = end;
            }
        } catch (IndexOutOfBoundsException e) {
            // damaged
        }
        throw new GeneralSecurityException("the key is damaged, or names no curve");
    }

    private static int content(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
    }

    private static int length(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = at + 2; i < content(der, at); i++) {
            length = length << 8 | der[i] & 0xff;
        }
        return length;
    }

    private static byte[] sequence(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return element(SEQUENCE, all.toByteArray());
    }

    private static byte[] element(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else if (content.length < 0x100) {
            // DER takes no length with more bytes than it needs.
            out.write(0x81);
            out.write(content.length);
        } else {
            out.write(0x82);
            out.write(content.length >> 8);
            out.write(content.length);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    /** Names what there is, never the key. */
    @Override
    public String toString() {
        return "PemContent[key=" + (key != null) + ", certificates=" + certificates.size() + "]";
    }
}
