package dev.streamconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsMaterialTest {

    private static final String STORE_PASSWORD = "store-secret";
    private static final String KEY_PASSWORD = "key-secret";

    @TempDir private static Path folder;

    private static Path jks;
    private static Path pkcs12;
    private static Path truststore;

    @BeforeAll
    static void makeStores() throws Exception {
        jks =
                TestStores.keystore(
                        folder.resolve("two.store"), "JKS", STORE_PASSWORD, KEY_PASSWORD, "CN=two");
        pkcs12 =
                TestStores.keystore(
                        folder.resolve("one.store"),
                        "PKCS12",
                        STORE_PASSWORD,
                        STORE_PASSWORD,
                        "CN=one,O=acme");
        truststore =
                TestStores.truststore(
                        folder.resolve("trust.store"),
                        "PKCS12",
                        STORE_PASSWORD,
                        pkcs12,
                        STORE_PASSWORD);
    }

    @Test
    @Tag("case-S5")
    @DisplayName("S5: a JKS store with two passwords opens with both")
    void jksWithTwoPasswords() {
        TlsMaterial material = load(options(jks, STORE_PASSWORD, KEY_PASSWORD));

        assertThat(material.subject()).isEqualTo("CN=two");
        assertThat(material.properties())
                .containsEntry("ssl.keystore.type", "JKS")
                .containsEntry("ssl.keystore.location", jks.toString())
                .containsEntry("ssl.keystore.password", STORE_PASSWORD)
                .containsEntry("ssl.key.password", KEY_PASSWORD);
        assertKafkaTakes(material);
    }

    @Test
    @Tag("case-S5")
    @DisplayName("S5: a PKCS12 store with one password opens without the key's")
    void pkcs12WithOnePassword() {
        TlsMaterial material = load(options(pkcs12, STORE_PASSWORD, null));

        assertThat(material.subject()).isEqualTo("CN=one,O=acme");
        assertThat(material.life().notAfter()).isAfter(Instant.now());
        assertThat(material.properties()).containsEntry("ssl.keystore.type", "PKCS12");
        assertKafkaTakes(material);
    }

    @Test
    @Tag("case-S5")
    @DisplayName("S5: the error says which password failed and never the secret")
    void saysWhichPasswordFailed() {
        assertFault(
                options(jks, STORE_PASSWORD, "wrong-one"),
                "keyPassword: does not open the key in ");
        assertFault(options(jks, STORE_PASSWORD, null), "keyPassword: is missing; the key in ");
        assertFault(
                options(pkcs12, STORE_PASSWORD, "wrong-one"),
                "keyPassword: does not open the key in ");
        assertFault(options(jks, "wrong-one", KEY_PASSWORD), "keystorePassword: does not open ");
        assertFault(options(pkcs12, "wrong-one", null), "keystorePassword: does not open ");
        assertFault(options(pkcs12, null, null), "keystorePassword: is missing; ");
    }

    @Test
    @DisplayName(
            "names the store option for a file that is missing, a folder, damaged, or of another kind")
    void namesTheFile() throws Exception {
        Path cut = Files.write(folder.resolve("cut"), new byte[] {0x30, 1, 2});
        Path text = Files.writeString(folder.resolve("text"), "hello world");
        Path pem = Files.writeString(folder.resolve("pem"), "-----BEGIN CERTIFICATE-----\n");

        assertFault(options(folder.resolve("none"), STORE_PASSWORD, null), "keystore: file '");
        assertFault(options(folder, STORE_PASSWORD, null), "keystore: '");
        assertFault(options(cut, STORE_PASSWORD, null), "keystore: '");
        assertFault(
                options(text, STORE_PASSWORD, null), "is no PKCS12 or JKS store and no PEM text");
        assertFault(options(pem, STORE_PASSWORD, null), "holds no private key");
        assertFault(options(truststore, STORE_PASSWORD, null), "holds no private key");
    }

    @Test
    @DisplayName("tells an expired and a not yet valid certificate with the date")
    void tellsDates() {
        TlsOptions options = options(pkcs12, STORE_PASSWORD, null);
        Clock late = Clock.offset(Clock.systemUTC(), Duration.ofDays(2000));
        Clock early = Clock.fixed(Instant.parse("2001-01-01T00:00:00Z"), ZoneOffset.UTC);

        assertThatThrownBy(() -> TlsMaterial.load(options, late))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("keystore: certificate 'CN=one,O=acme' in ")
                .hasMessageContaining(" expired on ")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> TlsMaterial.load(options, early))
                .hasMessageContaining(" is not valid before ");
    }

    @Test
    @DisplayName("a truststore is checked and host name verification can be off")
    void truststoreAndVerification() {
        TlsMaterial material =
                load(
                        new TlsOptions(
                                null,
                                "keyPassword",
                                null,
                                trust(truststore, STORE_PASSWORD),
                                false,
                                null));

        assertThat(material.subject()).isNull();
        assertThat(material.properties())
                .containsEntry("ssl.truststore.location", truststore.toString())
                .containsEntry("ssl.endpoint.identification.algorithm", "");
        assertFault(
                new TlsOptions(
                        null, "keyPassword", null, trust(truststore, "wrong-one"), true, null),
                "truststorePassword: does not open ");
        assertFault(
                new TlsOptions(null, "keyPassword", null, trust(truststore, null), true, null),
                "truststorePassword: is missing");
    }

    @Test
    @DisplayName("stores given by content become PEM, which Kafka takes without a file")
    void contentBecomesPem() throws Exception {
        TlsMaterial material =
                load(
                        new TlsOptions(
                                new TlsStore(
                                        "ssl.keystore",
                                        "ssl.keystore.password",
                                        null,
                                        Files.readAllBytes(jks),
                                        STORE_PASSWORD),
                                "ssl.keyPassword",
                                KEY_PASSWORD,
                                new TlsStore(
                                        "ssl.truststore",
                                        "ssl.truststore.password",
                                        null,
                                        Files.readAllBytes(truststore),
                                        STORE_PASSWORD),
                                true,
                                null));

        assertThat(material.properties())
                .containsEntry("ssl.keystore.type", "PEM")
                .containsEntry("ssl.truststore.type", "PEM")
                .doesNotContainKey("ssl.keystore.location");
        assertKafkaTakes(material);
    }

    @Test
    @DisplayName("no toString shows a password")
    void hidesPasswords() {
        TlsOptions options = options(jks, STORE_PASSWORD, KEY_PASSWORD);

        assertThat(options + " " + options.keystore() + " " + load(options))
                .doesNotContain("-secret");
    }

    private static void assertKafkaTakes(TlsMaterial material) {
        AdminClientConfig config = new AdminClientConfig(withBootstrap(material.properties()));
        try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
            factory.configure(config.values());
            assertThat(factory.keystore()).isNotNull();
        }
    }

    private static Map<String, Object> withBootstrap(Map<String, Object> properties) {
        Map<String, Object> all = new HashMap<>(properties);
        all.put("bootstrap.servers", "localhost:1");
        return all;
    }

    private static void assertFault(TlsOptions options, String part) {
        assertThatThrownBy(() -> load(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(part)
                .hasMessageNotContainingAny("secret", "wrong-one", "\n");
    }

    private static TlsMaterial load(TlsOptions options) {
        return TlsMaterial.load(options, Clock.systemUTC());
    }

    private static TlsOptions options(Path keystore, String storePassword, String keyPassword) {
        return new TlsOptions(
                TlsStore.file("keystore", "keystorePassword", keystore.toString(), storePassword),
                "keyPassword",
                keyPassword,
                null,
                true,
                null);
    }

    private static TlsStore trust(Path file, String password) {
        return TlsStore.file("truststore", "truststorePassword", file.toString(), password);
    }
}
