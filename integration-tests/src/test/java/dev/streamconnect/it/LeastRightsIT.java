package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyStores;
import dev.streamconnect.certificate.ServerNames;
import dev.streamconnect.certificate.Validity;
import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.it.Sandbox.Side;
import dev.streamconnect.it.SecuredKafka.Port;
import dev.streamconnect.preflight.Finding;
import dev.streamconnect.preflight.Outcome;
import dev.streamconnect.preflight.PreflightReport;
import dev.streamconnect.preflight.Stage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A customer's Kafka where nothing is allowed but what is listed, and a certificate of Hermes with
 * as little. A second user may write, and may not be idempotent, as at a broker older than 2.8.
 */
@DisplayName("With the least rights")
class LeastRightsIT {

    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final int MESSAGES = 200;
    private static final String USER = "replicator";
    private static final String OLD_USER = "older";
    private static final String PASSWORD = "least-password";
    private static final String TO = "least-to";
    private static final String BACK = "least-back";
    private static final String OLD = "least-old";
    private static final List<String> ALL = List.of(TO, BACK, OLD);

    @TempDir static Path folder;

    private static Sandbox sandbox;
    private static SecuredKafka kafka;

    @Test
    @Tag("case-S1")
    @DisplayName(
            "both directions replicate, exactly the missing optional rights are told, once, and a"
                    + " needed one that is missing is a failure")
    void least() throws Exception {
        sandbox = Sandbox.shared();
        try (SecuredKafka started = SecuredKafka.start(folder, tls(), USER, PASSWORD, "kafka");
                Admin admin = started.admin();
                CapturedLog log = CapturedLog.start()) {
            kafka = started;
            kafka.addUser(admin, OLD_USER, PASSWORD);
            makeTopics(admin);
            ClientCertificate certificate =
                    sandbox.issue(CertificateWish.named("least").acl("none"));
            giveNeeded(admin);
            send(0);
            ReplicatorSettings settings =
                    new ReplicatorSettings(sandbox, "least")
                            .certificate(certificate)
                            .records(records());
            try (Replicator replicator =
                    Replicator.start(settings, Files.createDirectories(folder.resolve("app")))) {
                ALL.forEach(id -> replicator.awaitMessages(id, MESSAGES, LIMIT));
                awaitMissing(
                        replicator, TO, "producer DESTINATION_SETTINGS", "least SOURCE_SETTINGS");
                awaitMissing(
                        replicator,
                        BACK,
                        "side A SOURCE_SETTINGS",
                        "side B SOURCE_SETTINGS",
                        "least DESTINATION_SETTINGS");
                awaitMissing(
                        replicator,
                        OLD,
                        "side A SOURCE_SETTINGS",
                        "side B SOURCE_SETTINGS",
                        "old IDEMPOTENCE");
                ALL.forEach(
                        id ->
                                assertThat(replicator.status(id).errorSince())
                                        .as("%s", replicator.status(id))
                                        .isNull());
                assertThat(replicator.status(TO).missingRights())
                        .anyMatch(
                                missing ->
                                        missing.principal().equals("User:" + USER)
                                                && missing.mend()
                                                        .endsWith("DescribeConfigs --topic " + TO));
                assertThat(told(log, "is missing"))
                        .as("once each")
                        .containsExactlyInAnyOrder(
                                "least: DescribeConfigs",
                                "least: DescribeConfigs",
                                "hermes producer: DescribeConfigs",
                                "hermes side A: DescribeConfigs",
                                "hermes side B: DescribeConfigs",
                                "old: IdempotentWrite");
                preflight(replicator);

                giveOptional(admin);
                awaitMissing(replicator, TO);
                awaitMissing(replicator, BACK);
                awaitMissing(replicator, OLD, "old IDEMPOTENCE");
                // It is told just after the status has it.
                Awaitility.await()
                        .atMost(LIMIT)
                        .untilAsserted(() -> assertThat(told(log, "is there now")).hasSize(5));
                assertThat(told(log, "is missing")).hasSize(6);

                AclBinding needed = acl(ResourceType.TOPIC, BACK, USER, AclOperation.WRITE);
                admin.deleteAcls(List.of(needed.toFilter())).all().get();
                send(1);
                replicator.awaitState(BACK, LinkState.FAILED, LIMIT);
                LinkStatus failed = replicator.status(BACK);
                assertThat(failed.reason()).contains("topic " + BACK, "WRITE");
                assertThat(failed.missingRights()).isEmpty();
                admin.createAcls(List.of(needed)).all().get();
                ALL.forEach(id -> replicator.awaitMessages(id, 2 * MESSAGES, LIMIT));
                nothingIsLost();
            }
        }
    }

    private static void nothingIsLost() {
        List<String> there =
                sandbox.readBack().both(sandbox.topicName(TO)).stream()
                        .map(ReadBack.Stored::text)
                        .toList();
        assertThat(there).hasSize(2 * MESSAGES).doesNotHaveDuplicates();
        for (String topic : List.of(BACK, OLD)) {
            assertThat(read(topic)).hasSize(2 * MESSAGES);
        }
    }

    /** Different values; what is not idempotent may be there twice. */
    private static Set<String> read(String topic) {
        Set<String> values = new TreeSet<>();
        List<TopicPartition> partitions =
                List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1));
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(
                        Map.of("bootstrap.servers", kafka.otherName(Port.INTERNAL)),
                        new StringDeserializer(),
                        new StringDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Awaitility.await("all of " + topic)
                    .atMost(LIMIT)
                    .pollInSameThread()
                    .until(
                            () -> {
                                consumer.poll(Duration.ofMillis(200))
                                        .forEach(each -> values.add(each.value()));
                                return values.size() == 2 * MESSAGES;
                            });
        }
        return values;
    }

    private static Set<String> missing(LinkStatus status) {
        return status.missingRights().stream()
                .map(missing -> side(missing.side()) + " " + missing.right())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Without address and the name of the pair. */
    private static String side(String name) {
        return name.replaceFirst(" \\(.*", "").replaceFirst("^hermes ", "");
    }

    private static void awaitMissing(Replicator replicator, String id, String... expected) {
        Awaitility.await("missing rights of " + id)
                .atMost(LIMIT)
                .untilAsserted(
                        () ->
                                assertThat(missing(replicator.status(id)))
                                        .containsExactlyInAnyOrder(expected));
    }

    /** Side and right of each line. */
    private static List<String> told(CapturedLog log, String words) {
        return log.lines().stream()
                .filter(line -> line.text().contains("the optional right"))
                .filter(line -> line.text().contains(words))
                .map(
                        line ->
                                line.text()
                                        .replaceFirst(
                                                "^(.*?) \\(.*?: the optional right (\\w+) .*",
                                                "$1: $2"))
                .toList();
    }

    /** What is optional is to be looked at, nothing fails. */
    private static void preflight(Replicator replicator) {
        PreflightReport report =
                replicator
                        .main()
                        .getCamelContext()
                        .createProducerTemplate()
                        .requestBody(
                                "replication:least-*?operation=preflight",
                                null,
                                PreflightReport.class);
        List<Finding> warned =
                report.findings().stream()
                        .filter(f -> f.outcome() == Outcome.WARN)
                        .filter(f -> f.found().startsWith("the optional right"))
                        .toList();
        assertThat(report.findings()).noneMatch(f -> f.outcome() == Outcome.FAIL);
        assertThat(warned)
                .allMatch(f -> f.stage() == Stage.SETTINGS)
                .allMatch(f -> f.found().contains("DescribeConfigs on topic " + f.subject()));
        assertThat(warned)
                .filteredOn(f -> f.role() == ClientRole.CUSTOMER)
                .extracting(Finding::subject)
                .containsExactlyInAnyOrder(TO, BACK);
        assertThat(warned)
                .anyMatch(
                        f ->
                                f.found().contains("User:" + USER)
                                        && f.found().contains("hoursToLoss"));
    }

    // ---- rights

    private static AclBinding acl(
            ResourceType type, String name, String user, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(type, name, PatternType.LITERAL),
                new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW));
    }

    private static void giveNeeded(Admin admin) throws Exception {
        admin.createAcls(
                        List.of(
                                acl(ResourceType.TOPIC, TO, USER, AclOperation.READ),
                                acl(ResourceType.TOPIC, BACK, USER, AclOperation.WRITE),
                                acl(
                                        ResourceType.GROUP,
                                        sandbox.instance() + "-consumer-least",
                                        USER,
                                        AclOperation.READ),
                                // What has a right of its own is open to nobody else. By that name
                                // a broker asks whether somebody may write to any topic at all, as
                                // is enough to be idempotent.
                                acl(
                                        ResourceType.CLUSTER,
                                        Resource.CLUSTER_NAME,
                                        "nobody",
                                        AclOperation.CREATE),
                                acl(ResourceType.TOPIC, "hardcode", "nobody", AclOperation.READ)))
                .all()
                .get();
        sandbox.grantTopic("least", sandbox.topicName(TO), "WRITE");
        sandbox.grantTopic("least", sandbox.topicName(BACK), "READ");
        sandbox.grantTopic("least", sandbox.topicName(OLD), "READ");
        for (String connection : List.of("least", "old")) {
            sandbox.grantGroup("least", "snc." + sandbox.instance() + "." + connection, "READ");
        }
    }

    private static void giveOptional(Admin admin) throws Exception {
        AclOperation settings = AclOperation.DESCRIBE_CONFIGS;
        admin.createAcls(
                        List.of(
                                acl(ResourceType.TOPIC, TO, USER, settings),
                                acl(ResourceType.TOPIC, BACK, USER, settings)))
                .all()
                .get();
        ALL.forEach(t -> sandbox.grantTopic("least", sandbox.topicName(t), settings.name()));
    }

    // ---- topics, messages, files

    private static void makeTopics(Admin admin) throws Exception {
        admin.createTopics(ALL.stream().map(name -> new NewTopic(name, 2, (short) 1)).toList())
                .all()
                .get();
        ALL.forEach(name -> sandbox.topics().create(sandbox.topicName(name), 2));
    }

    private static String records() {
        String connection =
                "  - id: %s\n    bootstrapServers: "
                        + kafka.bootstrap(Port.SASL)
                        + "\n    sasl: { mechanism: %s, username: %s, password: "
                        + PASSWORD
                        + " }\n";
        String replication =
                "      - { id: %1$s, direction: %2$s, topicName: %1$s, serviceNowTopic: %1$s }\n";
        return "version: 1\nconnections:\n"
                + connection.formatted("least", "PLAIN", USER)
                + connection.formatted("old", "SCRAM-SHA-512", OLD_USER)
                + "messageReplications:\n"
                + "  - name: least\n    connection: least\n    topicReplications:\n"
                + replication.formatted(TO, "toServiceNow")
                + replication.formatted(BACK, "fromServiceNow")
                + "  - name: old\n    connection: old\n    topicReplications:\n"
                + replication.formatted(OLD, "fromServiceNow");
    }

    private static void send(int round) {
        send(kafka.otherName(Port.INTERNAL), TO, round);
        for (String topic : List.of(BACK, OLD)) {
            send(sandbox.internalBootstrap(Side.A), sandbox.topicName(topic), round);
        }
    }

    private static void send(String bootstrap, String topic, int round) {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", bootstrap),
                        new StringSerializer(),
                        new StringSerializer())) {
            IntStream.range(round * MESSAGES, (round + 1) * MESSAGES)
                    .forEach(i -> producer.send(new ProducerRecord<>(topic, "k" + i % 10, "" + i)));
            producer.flush();
        }
    }

    private static Map<String, String> tls() throws Exception {
        Validity validity = Validity.of(Instant.now(), Duration.ofDays(1));
        CertificateAuthority authority =
                CertificateAuthority.create(HermesSubject.client("least", "acme"), validity);
        char[] password = PASSWORD.toCharArray();
        Path store = folder.resolve("server.p12");
        KeyStores.writeKeyStore(
                store,
                authority.issueServer(
                        HermesSubject.server("kafka", "acme"),
                        new ServerNames(List.of("localhost"), List.of()),
                        validity),
                password);
        return Map.of(
                "ssl.keystore.type",
                "PKCS12",
                "ssl.keystore.location",
                store.toString(),
                "ssl.keystore.password",
                PASSWORD,
                "ssl.key.password",
                PASSWORD);
    }
}
