package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyMaterial;
import dev.streamconnect.certificate.KeyStores;
import dev.streamconnect.certificate.PemFiles;
import dev.streamconnect.certificate.Validity;
import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.it.Sandbox.Side;
import dev.streamconnect.it.SecuredKafka.Port;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.camel.ProducerTemplate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PKCS8Generator;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Each mechanism with each format of store against a broker that demands it, and each wrong input
 * beside them in one replicator.
 */
@Tag("case-S10")
class CredentialsIT {

    private static final Duration LIMIT = Duration.ofSeconds(180);
    private static final String CLIENT_SECRET = "s3cr3t-client";
    private static final String STORE = "s3cr3t-store";
    private static final String KEY = "s3cr3t-key";
    private static final String WRONG = "s3cr3t-wrong";
    private static final String SCOPE = "kafka";

    @TempDir static Path folder;

    private final Map<String, String> good = new LinkedHashMap<>();
    private final Map<String, List<String>> bad = new LinkedHashMap<>();
    private final List<String> connections = new ArrayList<>();
    private final List<String> back = new ArrayList<>();
    private KeyMaterial client;

    @Test
    @DisplayName(
            "S10: each mechanism with each store moves messages, each wrong input says its option, no"
                    + " secret is anywhere")
    void matrix() throws Exception {
        Sandbox sandbox = Sandbox.shared();
        Map<String, String> tls = makeStores();
        try (TokenServer tokens = TokenServer.start("replicator", CLIENT_SECRET);
                SecuredKafka kafka =
                        SecuredKafka.start(folder, tls, "replicator", "s3cr3t-user", SCOPE);
                SecretSearch search =
                        new SecretSearch(
                                List.of(
                                        "s3cr3t",
                                        secretKey(),
                                        Base64.getEncoder()
                                                .encodeToString(
                                                        ("replicator:" + CLIENT_SECRET)
                                                                .getBytes())))) {
            LoggerFactory.getLogger("dev.streamconnect.it").debug("finds {}", STORE);
            assertThat(search.found()).as("the search looks").hasSize(1);
            search.found().clear();
            goodOnes(kafka, tokens);
            wrongOnes(kafka, tokens);
            makeTopics(sandbox, kafka);
            ReplicatorSettings settings =
                    new ReplicatorSettings(sandbox, "credentials")
                            .set("camel.main.jmxEnabled", "true")
                            .set("camel.main.devConsoleEnabled", "true")
                            .records(records());
            placeholders().forEach(settings::set);
            try (Replicator replicator =
                    Replicator.start(settings, Files.createDirectories(folder.resolve("app")))) {
                ProducerTemplate template =
                        replicator.main().getCamelContext().createProducerTemplate();
                Awaitility.await("all connections")
                        .atMost(LIMIT)
                        .pollInterval(Duration.ofMillis(500))
                        .untilAsserted(() -> judge(statuses(template)));
                search.look("status", String.valueOf(statuses(template)));
                search.look(
                        "status as JSON",
                        template.requestBody(
                                "replication:*?operation=status&json=true", null, String.class));
                Map<String, String> told =
                        Map.of(
                                "scram-password", "invalid credentials",
                                "plain-password", "correct sasl.username or sasl.password",
                                "client-secret", "sasl.clientId",
                                "silent-plain", "give the connection sasl",
                                "silent-tls", "give the connection sasl",
                                "no-certificate", "ssl.keystoreLocation");
                for (String id : told.keySet()) {
                    String report =
                            template.requestBody(
                                    "replication:" + id + "?operation=preflight&json=true",
                                    null,
                                    String.class);
                    search.look("preflight", report);
                    assertThat(report).contains(told.get(id));
                }
                search.lookAtJmx();
                assertThat(search.places())
                        .as("Camel's own beans are looked at")
                        .anyMatch(place -> place.startsWith("org.apache.camel:"))
                        .anyMatch(place -> place.contains("type=replications"));
                search.lookAtConsoles(replicator.main().getCamelContext());
                assertThat(search.places())
                        .contains("console streamconnect JSON", "console endpoint TEXT");
            }
            assertThat(search.found()).isEmpty();
            assertThat(search.lines()).isGreaterThan(1000);
            assertThat(search.warnings())
                    .as("no stack trace in a warning of ours")
                    .noneMatch(text -> text.contains("\n\tat "));
        }
    }

    // ---- what is tried

    private void goodOnes(SecuredKafka kafka, TokenServer tokens) {
        Map<String, String> stores =
                Map.of(
                        "jks",
                        ssl(
                                "keystoreLocation: client.jks",
                                "keystorePassword: '{{store.password}}'",
                                "keyPassword: '{{key.password}}'"),
                        "p12",
                        ssl(
                                "keystoreLocation: client.p12",
                                "keystorePassword: '{{store.password}}'"),
                        "pem",
                        ssl("keystoreLocation: client.pem", "keyPassword: '{{key.password}}'"));
        stores.forEach(
                (name, ssl) -> {
                    good("tls-" + name, kafka.bootstrap(Port.TLS), ssl);
                    for (String mechanism : SecuredKafka.MECHANISMS) {
                        good(
                                mechanism + "-" + name,
                                kafka.bootstrap(Port.SASL_TLS),
                                ssl + "\n" + sasl(mechanism, tokens));
                    }
                });
        for (String mechanism : SecuredKafka.MECHANISMS) {
            good(mechanism + "-clear", kafka.bootstrap(Port.SASL), sasl(mechanism, tokens));
        }
        good(
                "tls-base64",
                kafka.bootstrap(Port.TLS),
                ssl(
                        "keystoreBase64: '{{store.secret}}'",
                        "keystorePassword: '{{store.password}}'"));
        good(
                "tls-text",
                kafka.bootstrap(Port.TLS),
                ssl(
                        "keystorePem: '{{secretFile:" + file("clear.pem") + "}}'",
                        "keystoreType: PEM"));
        good(
                "tls-any-name",
                kafka.otherName(Port.TLS),
                ssl(
                        "keystoreLocation: client.p12",
                        "keystorePassword: '{{store.password}}'",
                        "disableHostNameVerification: true"));
        good(
                "jaas-template",
                kafka.bootstrap(Port.SASL),
                "sasl: { mechanism: PLAIN, username: replicator, password: '{{user.password}}', jaasTemplate:"
                        + " 'org.apache.kafka.common.security.plain.PlainLoginModule required"
                        + " username=\"${username}\" password=\"${password}\";' }");
        good(
                "own-properties",
                kafka.bootstrap(Port.SASL),
                "sasl: { mechanism: PLAIN, username: nobody, password: '{{wrong.password}}' }\n"
                        + "properties: { sasl.mechanism: SCRAM-SHA-512, sasl.jaas.config: '{{jaas.secret}}' }");
    }

    private void wrongOnes(SecuredKafka kafka, TokenServer tokens) {
        String p12 = ssl("keystoreLocation: client.p12", "keystorePassword: '{{store.password}}'");
        bad(
                "scram-password",
                kafka.bootstrap(Port.SASL),
                sasl("SCRAM-SHA-256", tokens).replace("{{user.password}}", "{{wrong.password}}"),
                "sasl.password");
        bad(
                "plain-password",
                kafka.bootstrap(Port.SASL_TLS),
                p12
                        + "\n"
                        + sasl("PLAIN", tokens).replace("{{user.password}}", "{{wrong.password}}"),
                "sasl.password");
        bad("mechanism", kafka.bootstrap(Port.SCRAM), sasl("PLAIN", tokens), "sasl.mechanism");
        bad(
                "client-secret",
                kafka.bootstrap(Port.SASL),
                sasl("OAUTHBEARER", tokens).replace("{{client.secret}}", "{{wrong.password}}"),
                "sasl.clientId, sasl.clientSecret",
                "answers 401: invalid_client");
        bad(
                "scope",
                kafka.bootstrap(Port.SASL),
                sasl("OAUTHBEARER", tokens).replace("scope: kafka", "scope: other"),
                "sasl.scope");
        bad("silent-tls", kafka.bootstrap(Port.SASL_TLS), p12, "give the connection sasl");
        bad(
                "silent-plain",
                kafka.bootstrap(Port.SASL),
                "properties: {}",
                "give the connection sasl");
        bad("sasl-too-much", kafka.bootstrap(Port.TLS), p12 + "\n" + sasl("PLAIN", tokens), "sasl");
        bad("no-tls", kafka.bootstrap(Port.SASL_TLS), sasl("PLAIN", tokens), "configure ssl");
        bad(
                "trust",
                kafka.bootstrap(Port.TLS),
                p12.replace("trust.pem", "other-trust.pem"),
                "truststore");
        bad("host", kafka.otherName(Port.TLS), p12, "host name");
        bad(
                "client-ca",
                kafka.bootstrap(Port.TLS),
                p12.replace("client.p12", "stranger.p12"),
                "certificate");
        bad(
                "no-certificate",
                kafka.bootstrap(Port.TLS),
                "ssl: { truststoreLocation: " + file("trust.pem") + " }",
                "certificate",
                "ssl.keystoreLocation");
        bad("right", kafka.bootstrap(Port.TLS), p12, "right", "READ");
    }

    private void judge(List<LinkStatus> statuses) {
        Map<String, LinkStatus> byId =
                statuses.stream().collect(Collectors.toMap(LinkStatus::id, each -> each));
        List<String> faults = new ArrayList<>();
        good.forEach(
                (id, topic) -> {
                    if (byId.get(id).messages() < 1) {
                        faults.add(id + " moved nothing: " + byId.get(id).reason());
                    }
                });
        back.stream()
                .filter(id -> byId.get(id).messages() < 1)
                .forEach(id -> faults.add(id + " moved nothing: " + byId.get(id).reason()));
        bad.forEach(
                (id, words) -> {
                    LinkStatus status = byId.get(id);
                    // A broker that wants SASL says nothing to who has none.
                    LinkState expected =
                            id.startsWith("silent") ? LinkState.STALLED : LinkState.FAILED;
                    boolean told =
                            status.state() == expected
                                    && words.stream().allMatch(status.reason()::contains)
                                    && status.reason().contains(id)
                                    && !status.reason().contains("\n");
                    if (!told) {
                        faults.add(id + " is " + status.state() + ": " + status.reason());
                    }
                });
        assertThat(faults).isEmpty();
    }

    // ---- records

    private void good(String id, String bootstrap, String fields) {
        String name = id.toLowerCase();
        good.put(name, name);
        connection(name, bootstrap, fields);
        if (name.endsWith("-pem") || name.endsWith("-clear")) {
            back.add(name + "-back");
        }
    }

    private void bad(String id, String bootstrap, String fields, String... words) {
        bad.put(id, List.of(words));
        connection(id, bootstrap, fields);
    }

    private void connection(String id, String bootstrap, String fields) {
        connections.add(
                "  - id: "
                        + id
                        + "\n    bootstrapServers: "
                        + bootstrap
                        + "\n    credential: "
                        + id
                        + "\n@"
                        + id
                        + "\n    "
                        + fields.replace("\n", "\n    "));
    }

    private String records() {
        StringBuilder text = new StringBuilder("version: 1\ncredentials:\n");
        StringBuilder plain = new StringBuilder("connections:\n");
        StringBuilder replications = new StringBuilder("messageReplications:\n");
        for (String connection : connections) {
            String[] parts = connection.split("\n@");
            text.append("  - id: ").append(parts[1]).append('\n');
            plain.append(parts[0]).append('\n');
            String id = parts[1].lines().findFirst().orElseThrow();
            replications.append(
                    ("  - name: %s\n    connection: %s\n    topicReplications:\n"
                                    + "      - { id: %s, direction: toServiceNow, topicName: %s,"
                                    + " serviceNowTopic: cred.%s }\n")
                            .formatted(id, id, id, id, id));
            if (back.contains(id + "-back")) {
                replications.append(
                        ("      - { id: %s-back, direction: fromServiceNow, topicName: %s-back,"
                                        + " serviceNowTopic: cred.%s-back }\n")
                                .formatted(id, id, id));
            }
        }
        return text.append(plain).append(replications).toString();
    }

    private static String ssl(String store, String... more) {
        return "ssl: { "
                + store.replaceFirst("Location: (\\S+)", "Location: " + file("$1"))
                + ", "
                + String.join(", ", more)
                + ", truststoreLocation: "
                + file("trust.pem")
                + " }";
    }

    private static String sasl(String mechanism, TokenServer tokens) {
        return mechanism.equals("OAUTHBEARER")
                ? "sasl: { mechanism: OAUTHBEARER, tokenEndpointUrl: '"
                        + tokens.url()
                        + "', clientId: replicator, clientSecret: '{{client.secret}}', scope: kafka }"
                : "sasl: { mechanism: "
                        + mechanism
                        + ", username: replicator, password: '{{user.password}}' }";
    }

    private Map<String, String> placeholders() throws Exception {
        Map<String, String> all = new HashMap<>();
        all.put("store.password", STORE);
        all.put("key.password", KEY);
        all.put("user.password", "s3cr3t-user");
        all.put("client.secret", CLIENT_SECRET);
        all.put("wrong.password", WRONG);
        all.put(
                "store.secret",
                Base64.getEncoder()
                        .encodeToString(Files.readAllBytes(folder.resolve("client.p12"))));
        all.put(
                "jaas.secret",
                "org.apache.kafka.common.security.scram.ScramLoginModule required"
                        + " username=\"replicator\" password=\"s3cr3t-user\";");
        return all;
    }

    // ---- topics and stores

    private void makeTopics(Sandbox sandbox, SecuredKafka kafka) throws Exception {
        List<String> names = new ArrayList<>(good.keySet());
        names.addAll(bad.keySet());
        names.addAll(back);
        createTopics(kafka.otherName(Port.INTERNAL), names);
        for (Side side : List.of(Side.A, Side.B)) {
            createTopics(
                    sandbox.internalBootstrap(side),
                    names.stream().map(name -> sandbox.topicName("cred." + name)).toList());
        }
        // With one right for all there is no other for anybody.
        try (Admin admin = kafka.admin()) {
            admin.createAcls(
                            List.of(
                                    new AclBinding(
                                            new ResourcePattern(
                                                    ResourceType.TOPIC,
                                                    "right",
                                                    PatternType.LITERAL),
                                            new AccessControlEntry(
                                                    "User:*",
                                                    "*",
                                                    AclOperation.DESCRIBE,
                                                    AclPermissionType.ALLOW))))
                    .all()
                    .get();
        }
        send(kafka.otherName(Port.INTERNAL), good.keySet().stream().toList());
        send(
                sandbox.internalBootstrap(Side.A),
                back.stream().map(name -> sandbox.topicName("cred." + name)).toList());
    }

    private static void createTopics(String bootstrap, List<String> names) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(names.stream().map(n -> new NewTopic(n, 1, (short) 1)).toList())
                    .all()
                    .get();
        }
    }

    private static void send(String bootstrap, List<String> topics) {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", bootstrap),
                        new StringSerializer(),
                        new StringSerializer())) {
            topics.forEach(topic -> producer.send(new ProducerRecord<>(topic, "k", "v")));
            producer.flush();
        }
    }

    @SuppressWarnings("unchecked")
    private static List<LinkStatus> statuses(ProducerTemplate template) {
        return template.requestBody("replication:*?operation=status", null, List.class);
    }

    private Map<String, String> makeStores() throws Exception {
        SecuredStores stores = SecuredStores.write(folder, STORE);
        client = stores.client();
        Validity validity = Validity.of(Instant.now(), Duration.ofDays(1));
        HermesSubject name = HermesSubject.client("plant", "acme");
        CertificateAuthority other = CertificateAuthority.create(name, validity);
        char[] password = STORE.toCharArray();
        KeyStores.writeKeyStore(
                folder.resolve("stranger.p12"), other.issueClient(name, validity), password);
        PemFiles.writeCertificates(folder.resolve("other-trust.pem"), List.of(other.certificate()));
        PemFiles.writeCertificates(folder.resolve("chain.pem"), client.chain());
        PemFiles.writeKey(folder.resolve("key.pem"), client.key());
        Files.writeString(
                folder.resolve("clear.pem"),
                Files.readString(folder.resolve("chain.pem"))
                        + Files.readString(folder.resolve("key.pem")));
        Files.writeString(
                folder.resolve("client.pem"),
                Files.readString(folder.resolve("chain.pem")) + encryptedKey());
        KeyStore jks = KeyStore.getInstance("JKS");
        jks.load(null, null);
        jks.setKeyEntry(
                "client",
                client.key(),
                KEY.toCharArray(),
                client.chain().toArray(Certificate[]::new));
        try (OutputStream out = Files.newOutputStream(folder.resolve("client.jks"))) {
            jks.store(out, password);
        }
        return stores.broker();
    }

    /** PKCS#8 with a password, as 'openssl pkcs8 -topk8' writes it. */
    private String encryptedKey() throws Exception {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(
                    new JcaPKCS8Generator(
                            client.key(),
                            new JceOpenSSLPKCS8EncryptorBuilder(PKCS8Generator.AES_256_CBC)
                                    .setProvider(new BouncyCastleProvider())
                                    .setPRF(PKCS8Generator.PRF_HMACSHA256)
                                    .setPassword(KEY.toCharArray())
                                    .build()));
        }
        return text.toString();
    }

    private String secretKey() {
        String der = Base64.getEncoder().encodeToString(client.key().getEncoded());
        return der.substring(der.length() - 40);
    }

    private static String file(String name) {
        return folder + "/" + name;
    }
}
