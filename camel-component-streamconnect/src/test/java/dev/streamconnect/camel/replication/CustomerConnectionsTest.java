package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.streamconnect.camel.CapturedLogs;
import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyMaterial;
import dev.streamconnect.certificate.KeyStores;
import dev.streamconnect.certificate.PemFiles;
import dev.streamconnect.certificate.Validity;
import dev.streamconnect.cluster.TestStores;
import dev.streamconnect.cluster.TokenLogin;
import dev.streamconnect.record.RecordsReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with credentials and can be told before a broker is asked. */
class CustomerConnectionsTest {

    private static final String SECRET = "hush-store";

    @TempDir static Path folder;

    @BeforeAll
    static void makeStores() throws Exception {
        HermesSubject subject = HermesSubject.client("plant", "acme");
        Validity good = Validity.of(Instant.now(), Duration.ofDays(1));
        CertificateAuthority authority = CertificateAuthority.create(subject, good);
        KeyMaterial material = authority.issueClient(subject, good);
        KeyMaterial over =
                authority.issueClient(
                        subject,
                        new Validity(
                                Instant.parse("2001-01-01T00:00:00Z"),
                                Instant.parse("2001-01-02T00:00:00Z")));
        char[] password = SECRET.toCharArray();
        KeyStores.writeKeyStore(folder.resolve("key.p12"), material, password);
        KeyStores.writeKeyStore(folder.resolve("over.p12"), over, password);
        KeyStores.writeTrustStore(
                folder.resolve("trust.p12"), List.of(authority.certificate()), password);
        TestStores.keystore(folder.resolve("key.jks"), "JKS", SECRET, "hush-key", "CN=two");
        PemFiles.writeKey(folder.resolve("key-alone.pem"), material.key());
        PemFiles.writeCertificates(folder.resolve("trust.pem"), material.chain());
        Files.writeString(
                folder.resolve("key.pem"),
                Files.readString(folder.resolve("trust.pem"))
                        + Files.readString(folder.resolve("key-alone.pem")));
        PemFiles.writeCertificates(folder.resolve("over-chain.pem"), over.chain());
        Files.writeString(
                folder.resolve("other.pem"),
                Files.readString(folder.resolve("over-chain.pem"))
                        + Files.readString(folder.resolve("key-alone.pem")));
        Files.writeString(folder.resolve("text.p12"), "hello");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "keystoreLocation: key.p12, keystorePassword: hush-x | keystorePassword: does not open",
                "keystoreLocation: key.p12 | keystorePassword: is missing",
                "keystoreLocation: key.jks, keystorePassword: hush-x | keystorePassword: does not open",
                "keystoreLocation: key.jks, keystorePassword: hush-store | keyPassword: is missing; the key in",
                "keystoreLocation: key.jks, keystorePassword: hush-store, keyPassword: hush-x |"
                        + " keyPassword: does not open the key in",
                "keystoreLocation: none.p12, keystorePassword: hush-store | keystoreLocation: file",
                "keystoreLocation: text.p12, keystorePassword: hush-store | keystoreLocation:",
                "keystoreLocation: over.p12, keystorePassword: hush-store | keystoreLocation: certificate",
                "keystoreLocation: trust.p12, keystorePassword: hush-store | keystoreLocation:",
                "keystoreLocation: trust.pem | keystoreLocation:",
                "keystoreLocation: key-alone.pem | keystoreLocation:",
                "keystoreLocation: other.pem | keystoreLocation:",
                "keystoreBase64: aGVsbG8= | keystoreBase64: the content given",
                "keystorePem: '-----BEGIN X----- damaged -----END X-----' | keystorePem: the content given",
                "truststoreLocation: trust.p12, truststorePassword: hush-x | truststorePassword: does not open",
                "truststoreLocation: trust.p12 | truststorePassword: is missing",
                "truststoreLocation: key-alone.pem | truststoreLocation:",
                "truststoreLocation: key.p12, truststorePassword: hush-store | truststoreLocation:",
                "truststorePem: '-----BEGIN CERTIFICATE-----hush' | truststorePem: the content given"
            })
    @DisplayName("each wrong store, password and date names connection, credential and field")
    void refused(String ssl, String expected) {
        IllegalArgumentException told =
                catchThrowableOfType(IllegalArgumentException.class, () -> properties(ssl));
        assertThat(told.getMessage())
                .startsWith("connection 'plant' (credential 'mine'): ssl." + expected)
                .doesNotContain("hush", "\n", "Exception");
    }

    @Test
    @DisplayName("an expired certificate is told with its date")
    void expired() {
        assertThat(
                        catchThrowableOfType(
                                        IllegalArgumentException.class,
                                        () ->
                                                properties(
                                                        "keystoreLocation: over.p12, keystorePassword: "
                                                                + SECRET))
                                .getMessage())
                .contains("expired on 2001-01-02T00:00:00Z");
    }

    @Test
    @DisplayName("PEM as file, base64 and text gives Kafka one and the same")
    void pem() throws Exception {
        String text = Files.readString(folder.resolve("key.pem"));
        Map<String, Object> file =
                properties("keystoreLocation: key.pem, truststoreLocation: trust.pem");
        String base64 = Base64.getEncoder().encodeToString(text.getBytes());

        assertThat(file)
                .containsEntry("ssl.keystore.type", "PEM")
                .containsEntry("ssl.truststore.type", "PEM")
                .doesNotContainKey("ssl.keystore.location");
        assertThat(properties("keystoreBase64: " + base64 + ", truststoreLocation: trust.pem"))
                .containsAllEntriesOf(kafkas(file));
        assertThat(
                        properties(
                                "keystorePem: \""
                                        + text.replace("\n", "\\n")
                                        + "\", truststoreLocation: trust.pem"))
                .containsAllEntriesOf(kafkas(file));
    }

    /** Without what is watched. */
    private static Map<String, Object> kafkas(Map<String, Object> properties) {
        Map<String, Object> kafkas = new HashMap<>(properties);
        assertThat(kafkas.remove("streamconnect.tls")).isNotNull();
        assertThat(kafkas).containsKeys("ssl.keystore.key", "ssl.truststore.certificates");
        return kafkas;
    }

    @Test
    @DisplayName("a type that the content does not have is told, and the content wins")
    void wrongType() {
        try (CapturedLogs logs = new CapturedLogs()) {
            assertThat(
                            properties(
                                    "keystoreLocation: key.p12, keystoreType: JKS, keystorePassword: "
                                            + SECRET))
                    .containsEntry("ssl.keystore.type", "PKCS12");
            assertThat(logs.lines())
                    .singleElement()
                    .asString()
                    .startsWith(
                            "connection 'plant' (credential 'mine'): ssl.keystoreType: says JKS")
                    .contains("is PKCS12");
            properties(
                    "keystoreLocation: key.p12, keystoreType: pkcs12, keystorePassword: " + SECRET);
            assertThat(logs.lines()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PLAIN", "OAUTHBEARER"})
    @DisplayName("host names that are not verified and secrets without TLS are told once")
    void warnings(String mechanism) {
        String sasl =
                mechanism.equals("PLAIN")
                        ? "sasl: {mechanism: PLAIN, username: u, password: hush-1}"
                        : "sasl: {mechanism: OAUTHBEARER, tokenEndpointUrl: 'http://h/t', clientId: c,"
                                + " clientSecret: hush-1}";
        try (CapturedLogs logs = new CapturedLogs()) {
            Map<String, Object> properties = all(sasl);
            assertThat(properties).containsEntry("security.protocol", "SASL_PLAINTEXT");
            assertThat(logs.lines())
                    .singleElement()
                    .asString()
                    .contains("sasl.mechanism=" + mechanism + " without ssl");
            all("ssl: {disableHostNameVerification: true}\n    " + sasl);
            assertThat(logs.lines()).hasSize(2);
            assertThat(logs.lines().get(1)).contains("ssl.disableHostNameVerification=true");
        }
    }

    @Test
    @Tag("case-S10")
    @DisplayName(
            "S10: OAUTHBEARER comes with all that a client needs, and any property wins over it")
    void properties() {
        String sasl =
                "sasl: {mechanism: OAUTHBEARER, tokenEndpointUrl: 'https://h/t', clientId: c,"
                        + " clientSecret: hush-1, scope: s}\n    ssl: {}\n    properties: ";
        assertThat(all(sasl + "{}"))
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("sasl.mechanism", "OAUTHBEARER")
                .containsEntry("sasl.oauthbearer.token.endpoint.url", "https://h/t")
                .containsEntry("sasl.login.callback.handler.class", TokenLogin.class);
        assertThat(
                        all(
                                sasl
                                        + "{sasl.login.callback.handler.class: a.B, security.protocol:"
                                        + " SASL_PLAINTEXT, sasl.jaas.config: 'a.B required;',"
                                        + " sasl.mechanism: MINE}"))
                .containsEntry("sasl.login.callback.handler.class", "a.B")
                .containsEntry("security.protocol", "SASL_PLAINTEXT")
                .containsEntry("sasl.jaas.config", "a.B required;")
                .containsEntry("sasl.mechanism", "MINE");
    }

    private static Map<String, Object> properties(String ssl) {
        return all(
                "ssl: {"
                        + ssl.replaceAll("Location: (\\S+?)(,|$)", "Location: " + folder + "/$1$2")
                        + "}");
    }

    private static Map<String, Object> all(String fields) {
        String text =
                """
                version: 1
                credentials:
                  - id: mine
                    %s
                connections:
                  - {id: plant, bootstrapServers: 'h:1', credential: mine}
                messageReplications: []
                """
                        .formatted(fields);
        return new CustomerConnections()
                .settings(
                        new RecordsReader(value -> null, Optional.empty())
                                .parse(text, "records.yaml")
                                .connection("plant")
                                .orElseThrow(),
                        null)
                .properties();
    }
}
