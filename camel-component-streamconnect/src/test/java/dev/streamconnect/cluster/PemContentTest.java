package dev.streamconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyMaterial;
import dev.streamconnect.certificate.Validity;
import java.io.StringReader;
import java.io.StringWriter;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.PKCS8Generator;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.bouncycastle.openssl.jcajce.JcePEMEncryptorBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PemContentTest {

    private static final String PASSWORD = "hush-pem";

    /** A key as OpenSSL writes it, whole or encrypted. */
    record Form(String name, PrivateKey key, String text, boolean encrypted) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Form> forms() throws Exception {
        PrivateKey ec = key("EC", 256);
        PrivateKey rsa = key("RSA", 2048);
        return Stream.of(
                new Form("EC, PKCS#8", ec, write(new JcaPKCS8Generator(ec, null)), false),
                new Form("EC, SEC1", ec, write(sec1(ec)), false),
                new Form("RSA, PKCS#8", rsa, write(new JcaPKCS8Generator(rsa, null)), false),
                new Form("RSA, PKCS#1", rsa, write(rsa), false),
                new Form("EC, PKCS#8 encrypted", ec, write(encrypted(ec)), true),
                new Form("RSA, PKCS#8 encrypted", rsa, write(encrypted(rsa)), true));
    }

    /** As OpenSSL writes it, with the curve in it. */
    private static PemObject sec1(PrivateKey key) throws Exception {
        return new PemObject(
                "EC PRIVATE KEY",
                new ECPrivateKey(
                                256,
                                ((java.security.interfaces.ECPrivateKey) key).getS(),
                                SECObjectIdentifiers.secp256r1)
                        .getEncoded());
    }

    private static PrivateKey key(String algorithm, int size) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(size);
        return generator.generateKeyPair().getPrivate();
    }

    @ParameterizedTest
    @MethodSource("forms")
    @DisplayName("each form of a key is read, and a wrong or missing password is told apart")
    void keys(Form form) throws Exception {
        assertSame(PemContent.read(form.text(), PASSWORD).key(), form.key());
        if (form.encrypted()) {
            assertThatThrownBy(() -> PemContent.read(form.text(), null))
                    .isInstanceOf(PemContent.PasswordMissingException.class);
            assertThatThrownBy(() -> PemContent.read(form.text(), "hush-wrong"))
                    .isInstanceOf(UnrecoverableKeyException.class)
                    .hasMessageNotContaining("hush");
        } else {
            assertSame(PemContent.read(form.text(), null).key(), form.key());
        }
    }

    /** The encoding of an EC key may name its curve twice. */
    private static void assertSame(PrivateKey read, PrivateKey written) {
        if (written instanceof java.security.interfaces.ECPrivateKey ec) {
            assertThat(((java.security.interfaces.ECPrivateKey) read).getS()).isEqualTo(ec.getS());
        } else {
            assertThat(read).isEqualTo(written);
        }
    }

    /** Made for this test by {@code openssl ecparam -genkey -noout}: with the public key. */
    private static final String OPENSSL_P256 =
            """
            -----BEGIN EC PRIVATE KEY-----
            MHcCAQEEIIwc8ObvA1u/AezAQwV+4yoW+pSuOo/TNRMTI1Y7Wc+ioAoGCCqGSM49
            AwEHoUQDQgAEVvK15FLuOfzvrWamxmhXxUXGN2cA/xUaUijuVjSzDM5rYLm47fAX
            ROEqIUe5672ujOeoqa3s5UPyoYKw+Lx+0Q==
            -----END EC PRIVATE KEY-----
            """;

    private static final String OPENSSL_P384 =
            """
            -----BEGIN EC PRIVATE KEY-----
            MIGkAgEBBDB9xvx2KCUVILAmyxItq9263KJLeLdVSWH/5WTYl1fdBh3nWUVXfuVg
            s9v85mB4hvSgBwYFK4EEACKhZANiAAR+5trF9pfopkC4giv5qVSs5rVkhHTNhTtq
            Kie1gV5e3IbIfiPom5eruofj6NfhrMfuMbQuoioqYXEEeKO4tctCEz7mf9moK8dt
            NtWgK7/JSGVOs/phorxawkq/SkuR34g=
            -----END EC PRIVATE KEY-----
            """;

    @ParameterizedTest
    @ValueSource(strings = {OPENSSL_P256, OPENSSL_P384})
    @DisplayName("an EC key as OpenSSL writes it, with its public part, is read whole")
    void opensslKeys(String text) throws Exception {
        try (PEMParser parser = new PEMParser(new StringReader(text))) {
            PrivateKey written =
                    new JcaPEMKeyConverter()
                            .getKeyPair((PEMKeyPair) parser.readObject())
                            .getPrivate();
            assertSame(PemContent.read(text, null).key(), written);
        }
    }

    @Test
    @DisplayName("line breaks may be lost or written out, and text may stand around the blocks")
    void mangled() throws Exception {
        KeyMaterial material = material();
        String text = pem(material);
        for (String mangled :
                new String[] {
                    text.replace("\n", " "),
                    text.replace("\n", "\\n"),
                    text.replace("\n", "\r\n"),
                    "Bag Attributes\n  friendlyName: x\n"
                            + text.replace("-----BEGIN", "x\n-----BEGIN")
                }) {
            PemContent content = PemContent.read(mangled, null);
            assertThat(content.key()).isEqualTo(material.key());
            assertThat(content.certificates()).isEqualTo(material.chain());
        }
    }

    @Test
    @DisplayName("a damaged block is refused without a piece of it")
    void damaged() throws Exception {
        String text = pem(material());
        String cut =
                text.replaceFirst(
                        "(?s)(-----BEGIN PRIVATE KEY-----.{40}).*?-----END", "$1\n-----END");
        assertThatThrownBy(() -> PemContent.read(cut, null))
                .isInstanceOf(GeneralSecurityException.class);
        String old = writeOld(key("RSA", 2048));
        assertThatThrownBy(() -> PemContent.read(old, PASSWORD))
                .as("encrypted as OpenSSL did of old")
                .isInstanceOf(GeneralSecurityException.class);
        assertThat(PemContent.read("no PEM at all", null).key()).isNull();
        assertThat(PemContent.read(text, null).toString()).doesNotContain("PRIVATE");
    }

    private static KeyMaterial material() throws Exception {
        HermesSubject subject = HermesSubject.client("plant", "acme");
        Validity validity = Validity.of(Instant.now(), Duration.ofDays(1));
        return CertificateAuthority.create(subject, validity).issueClient(subject, validity);
    }

    private static String pem(KeyMaterial material) throws Exception {
        return write(new JcaPKCS8Generator(material.key(), null))
                + write(material.chain().get(0))
                + write(material.chain().get(1));
    }

    private static JcaPKCS8Generator encrypted(PrivateKey key) throws Exception {
        return new JcaPKCS8Generator(
                key,
                new JceOpenSSLPKCS8EncryptorBuilder(NISTObjectIdentifiers.id_aes256_CBC)
                        .setProvider(new BouncyCastleProvider())
                        .setPRF(PKCS8Generator.PRF_HMACSHA256)
                        .setPassword(PASSWORD.toCharArray())
                        .build());
    }

    private static String write(Object object) throws Exception {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        }
        return text.toString();
    }

    private static String writeOld(PrivateKey key) throws Exception {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(
                    key,
                    new JcePEMEncryptorBuilder("AES-256-CBC")
                            .setProvider(new BouncyCastleProvider())
                            .build(PASSWORD.toCharArray()));
        }
        return text.toString();
    }
}
