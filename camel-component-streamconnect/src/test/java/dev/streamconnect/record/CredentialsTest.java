package dev.streamconnect.record;

import static dev.streamconnect.record.RecordsText.faults;
import static dev.streamconnect.record.RecordsText.read;
import static dev.streamconnect.record.RecordsText.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialsTest {

    private static final String SHARED =
            """
            version: 1
            credentials:
              - id: replicator
                properties: {client.rack: hall-1, linger.ms: 7}
                ssl: {truststoreLocation: /t.p12}
                sasl: {mechanism: SCRAM-SHA-512, username: u, password: "{{p}}"}
            connections:
              - {id: plant, bootstrapServers: 'h:1', credential: replicator, properties: {linger.ms: 5}}
              - {id: other, bootstrapServers: 'i:1', credential: replicator}
              - {id: bare, bootstrapServers: 'j:1'}
            messageReplications: []
            """;

    @Test
    @DisplayName("a connection has the TLS, SASL and properties of the credential that it names")
    void namedCredential() {
        List<KafkaConnection> connections =
                read(SHARED, Optional.empty(), value -> "resolved").connections();

        assertThat(connections.get(0).securityProtocol()).isEqualTo("SASL_SSL");
        assertThat(connections.get(0).properties())
                .isEqualTo(Map.of("client.rack", "hall-1", "linger.ms", "5"));
        assertThat(connections.get(0).displayName())
                .isEqualTo("connection 'plant' (credential 'replicator')");
        assertThat(connections.get(1).sasl()).isEqualTo(connections.get(0).sasl());
        assertThat(connections.get(1).properties()).containsEntry("linger.ms", "7");
        assertThat(connections.get(2).securityProtocol()).isEqualTo("PLAINTEXT");
        assertThat(connections.toString()).doesNotContain("resolved");
    }

    @Test
    @DisplayName("names of credentials are checked, and both kinds at once are refused")
    void namesOfCredentials() {
        String text = SHARED.replace("{{p}}", "x");
        assertThat(faults(text.replace("credential: replicator}", "credential: replicater}")))
                .containsExactly("9 unknown-credential");
        assertThat(refused(text.replace("credential: replicator}", "credential: replicater}")))
                .hasMessageContaining("there is no credential 'replicater'; known: replicator");
        assertThat(faults(text.replace("'j:1'", "'j:1', credential: replicator, ssl: {}")))
                .containsExactly("10 wrong-value");
        assertThat(
                        faults(
                                text.replace(
                                        "connections:",
                                        "  - {id: replicator}\n  - {id: 'a b'}\nconnections:")))
                .containsExactly("7 duplicate-credential", "8 bad-id");
        assertThat(faults(text.replace("- id: replicator", "- nme: replicator")))
                .as("no fault that follows from another one")
                .containsExactly("3 unknown-field", "3 missing-field");
        assertThat(faults(text.replace("client.rack", "group.id")))
                .containsExactly("4 managed-property");
    }

    @Test
    @DisplayName("records of another source than a file keep the name of a credential")
    void recordsOfNoFile() {
        ReplicationRecords records = read(SHARED, Optional.empty(), value -> "x");
        assertThat(new RecordsValidator(Optional.empty()).validate(records, "store")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mechanism: OAUTHBEARER, clientId: c, clientSecret: s | 5 missing-field",
                "mechanism: OAUTHBEARER, tokenEndpointUrl: 'https://h/t', clientId: c, clientSecret: s,"
                        + " username: u | 5 wrong-value",
                "mechanism: PLAIN, username: u, password: p, scope: s | 5 wrong-value",
                "mechanism: PLAIN, username: u | 5 missing-field",
                "mechanism: GSSAPI | 5 wrong-value",
                "mechanism: OAUTHBEARER, tokenEndpointUrl: 'ftp://h/t', clientId: c, clientSecret: s |"
                        + " 5 bad-sasl",
                "mechanism: OAUTHBEARER, tokenEndpointUrl: 'h/t', clientId: c, clientSecret: s | 5 bad-sasl",
                "mechanism: OAUTHBEARER, tokenEndpointUrl: 'https://u:hush@h/t', clientId: c,"
                        + " clientSecret: s | 5 bad-sasl",
                "mechanism: PLAIN, username: u, password: hush, jaasTemplate: 'm required"
                        + " p=${password};' | 5 bad-sasl",
                "mechanism: PLAIN, username: u, password: hush, jaasTemplate: 'm required"
                        + " p=\"${pasword}\";' | 5 bad-sasl",
                "mechanism: PLAIN, username: u, password: hush, jaasTemplate: 'm required"
                        + " p=\"${password}\"' | 5 bad-sasl",
                "mechanism: PLAIN, username: u, password: hush, jaasTemplate:"
                        + " 'com.sun.security.auth.module.JndiLoginModule required;' | 5 bad-sasl"
            })
    @Tag("case-S10")
    @DisplayName(
            "SASL has the fields of its mechanism, and a JAAS line that Kafka's clients can read")
    void faultsOfSasl(String sasl, String expected) {
        String text = connection("sasl: {" + sasl + "}");
        assertThat(String.join(",", faults(text))).isEqualTo(expected);
        assertThat(refused(text).getMessage()).doesNotContain("hush");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "a\"b\\c", "x; y=\"z\"", "line\nbreak", "${username}", "ü€ '"})
    @Tag("case-S10")
    @DisplayName("any password arrives whole in the JAAS line of each mechanism")
    void anyPassword(String password) throws Exception {
        for (SaslMechanism mechanism : SaslMechanism.values()) {
            boolean token = mechanism == SaslMechanism.OAUTHBEARER;
            SaslCredentials sasl =
                    token
                            ? new SaslCredentials.Client(
                                    "https://h/t",
                                    "u",
                                    Secret.of(password),
                                    Optional.of("s t"),
                                    Optional.empty())
                            : new SaslCredentials.User(
                                    mechanism, "u", Secret.of(password), Optional.empty());
            Map<String, ?> options =
                    JaasContext.loadClientContext(
                                    Map.of(
                                            "sasl.jaas.config",
                                            new Password(sasl.jaasConfig().reveal())))
                            .configurationEntries()
                            .get(0)
                            .getOptions();
            assertThat(options.get(token ? "clientSecret" : "password")).isEqualTo(password);
            assertThat(Class.forName(mechanism.loginModule())).isNotNull();
            assertThat(sasl.toString()).doesNotContain(password);
        }
    }

    @Test
    @DisplayName("a broken JAAS line among the properties is refused without a piece of it")
    void brokenJaasLine() {
        String text =
                connection("properties: {sasl.jaas.config: 'x.Y required password=hush er;'}");
        assertThat(faults(text)).containsExactly("5 bad-sasl");
        assertThat(refused(text).getMessage()).doesNotContain("hush").doesNotContain("'er'");
    }

    @Test
    @DisplayName("stores are a file, base64 or PEM text, of a type that can be read")
    void stores() {
        assertThat(read(connection("ssl: {keystorePem: '-----BEGIN X-----'}")).connections())
                .hasSize(1);
        assertThat(faults(connection("ssl: {keystorePem: hush}"))).containsExactly("5 bad-store");
        assertThat(faults(connection("ssl: {keystoreLocation: /k, keystorePem: '-----BEGIN'}")))
                .containsExactly("5 bad-store");
        assertThat(refused(connection("ssl: {truststoreBase64: '-----BEGIN X'}")).getMessage())
                .contains("'truststoreBase64' is PEM text; use truststorePem");
        assertThat(faults(connection("ssl: {keystoreType: PKCS12}")))
                .containsExactly("5 bad-store");
        assertThat(faults(connection("ssl: {keystoreLocation: /k, keystoreType: P12}")))
                .containsExactly("5 bad-store");
        assertThat(
                        read(connection("ssl: {keystoreLocation: /k, keystoreType: pkcs12}"))
                                .connections())
                .hasSize(1);
    }

    // ---- secrets in clear

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sasl: {mechanism: PLAIN, username: u, password: hush}",
                "sasl: {mechanism: PLAIN, username: u, password: \"{{x:hush}}\"}",
                "sasl: {mechanism: PLAIN, username: u, password: \"{{env:X:hush}}\"}",
                "ssl: {keystoreLocation: /k, keystorePassword: hush}",
                "ssl: {keystoreLocation: /k, keyPassword: hush}",
                "ssl: {truststoreLocation: /k, truststorePassword: hush}",
                "sasl: {mechanism: OAUTHBEARER, tokenEndpointUrl: 'https://h/t', clientId: c, clientSecret:"
                        + " hush}",
                "ssl: {keystorePem: '-----BEGIN PRIVATE KEY-----'}",
                "ssl: {keystorePem: '-----BEGIN RSA PRIVATE KEY-----'}",
                "properties: {ssl.keystore.password: hush}",
                "properties: {sasl.jaas.config: 'm required password=\"hush\";'}",
                "sasl: {mechanism: PLAIN, username: u, password: \"{{p}}\", jaasTemplate: 'm required"
                        + " password=\"hush\";'}"
            })
    @DisplayName("a secret that stands in the file itself is told with its place, once")
    void inClear(String field) {
        List<RecordFault> warnings = warnings(connection(field), value -> "resolved");
        assertThat(warnings)
                .singleElement()
                .asString()
                .startsWith("records.yaml:5:")
                .contains(": secret-in-clear: ", "secretFile")
                .doesNotContain("hush");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sasl: {mechanism: PLAIN, username: u, password: \"{{p}}\"}",
                "sasl: {mechanism: PLAIN, username: u, password: \"{{env:X}}\"}",
                "sasl: {mechanism: PLAIN, username: u, password: \"{{secretFile:/run/x}}\"}",
                "sasl: {mechanism: PLAIN, username: u, password: \"{{hashicorp:secret:x}}\"}",
                "ssl: {keystorePem: '-----BEGIN ENCRYPTED PRIVATE KEY-----'}",
                "ssl: {truststorePem: '-----BEGIN CERTIFICATE-----'}",
                "ssl: {keystoreBase64: aHVzaA==, keystorePassword: \"{{p}}\"}",
                "properties: {linger.ms: 5, security.protocol: SSL}",
                "sasl: {mechanism: PLAIN, username: u, password: \"{{p}}\", jaasTemplate: 'm required"
                        + " password=\"${password}\";'}"
            })
    @DisplayName("what comes from a placeholder, or is no secret, is not told")
    void notInClear(String field) {
        assertThat(warnings(connection(field), value -> "resolved")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "compression.type: gzipp",
                "fetch.max.wait.ms: abc",
                "enable.idempotence: perhaps",
                "isolation.level: none",
                "security.protocol: TLS"
            })
    @DisplayName(
            "a client property that stops a client is a fault that names it and its connection")
    void badProperty(String property) {
        assertThatThrownBy(() -> warnings(connection("properties: {" + property + "}"), v -> "x"))
                .isInstanceOf(RecordsException.class)
                .message()
                .contains(
                        "records.yaml:5:",
                        ": bad-property: '"
                                + property.split(":")[0]
                                + "' of connection 'plant' has a value",
                        "Invalid value " + property.split(": ")[1] + ": ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fetch.max.wiat.ms: 1                                 | did you mean fetch.max.wait.ms?",
                "interceptor.classes: a.B, fetch.max.wiat.ms: 1       | did you mean fetch.max.wait.ms?",
                "audit.topic: x                                       | no Kafka client",
                "interceptor.classes: a.B, audit.topic: x             |"
            })
    @DisplayName("a client property that no client knows is a warning, unless a class may read it")
    void unknownProperty(String properties, String told) {
        List<RecordFault> warnings =
                warnings(connection("properties: {" + properties + "}"), value -> "x");
        if (told == null) {
            assertThat(warnings).isEmpty();
        } else {
            assertThat(warnings).singleElement().asString().contains(": unknown-property: ", told);
        }
    }

    @Test
    @DisplayName("a store in base64 that is an unprotected key is a secret, also in a credential")
    void clearKeyInBase64() {
        String key =
                Base64.getEncoder().encodeToString("-----BEGIN EC PRIVATE KEY-----".getBytes());
        String text =
                SHARED.replace(
                        "truststoreLocation: /t.p12",
                        "truststoreLocation: /t.p12, keystoreBase64: " + key);
        assertThat(warnings(text, value -> "x"))
                .singleElement()
                .asString()
                .startsWith("records.yaml:5:");
    }

    private static List<RecordFault> warnings(String text, UnaryOperator<String> resolver) {
        List<RecordFault> told = new ArrayList<>();
        new RecordsReader(resolver, Optional.empty(), told::addAll).parse(text, "records.yaml");
        return told;
    }

    private static String connection(String field) {
        return """
                version: 1
                connections:
                  - id: plant
                    bootstrapServers: h:1
                    %s
                messageReplications: []
                """
                .formatted(field);
    }
}
