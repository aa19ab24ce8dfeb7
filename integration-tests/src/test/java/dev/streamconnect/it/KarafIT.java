package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import dev.streamconnect.it.SecuredKafka.Port;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The KAR in a real Apache Karaf that has nothing else: the way of docs/karaf.md; and the same
 * bundles in one over the oldest Camel.
 */
@Tag("karaf")
class KarafIT {

    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(90);
    private static final String ORDERS = "karaf-orders";
    private static final String BEATS = "karaf-beats";
    private static final String SECURED = "karaf-secured";
    private static final String PASSWORD = "s3cr3t-plant";
    private static final int COUNT = 300;

    private static final String FEATURE = "camel-streamconnect-offline";

    private static final Pattern OWN_THREADS =
            Pattern.compile("streamconnect|Camel|kafka|Quartz|H2|Hikari|replication");

    private static final String CONNECTION =
            """
              - id: karaf-secured
                bootstrapServers: %s
                ssl:
                  keystoreLocation: %s/client.p12
                  keystorePassword: '{{plant.password}}'
                  truststoreLocation: %s/trust.pem
                sasl:
                  mechanism: SCRAM-SHA-512
                  username: replicator
                  password: '{{plant.password}}'
            messageReplications:
            """;

    private static final String REPLICATION =
            """
              - name: karaf-secured
                connection: karaf-secured
                topicReplications:
                  - id: karaf-secured
                    direction: toServiceNow
                    topicName: karaf-secured
                    serviceNowTopic: karaf-secured
            """;

    private static final String COMPONENT =
            "org.apache.camel:context=*,type=components,name=\"replication\"";
    private static final String LINK =
            "org.apache.camel:context=*,type=replications,name=\"" + ORDERS + "\"";

    private static final String ROUTES =
            """
            - route:
                id: states
                from:
                  uri: timer:states
                  parameters:
                    period: 1000
                  steps:
                    - to: replication:*?operation=status&json=true
                    - log: "states ${body}"
            - route:
                id: beat
                from:
                  uri: timer:beat
                  parameters:
                    repeatCount: 1
                  steps:
                    - setBody:
                        constant: alive
                    - to: hermes:karaf-beats
                    - log: "beat sent"
            """;

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    @Test
    @Tag("case-R1")
    @DisplayName(
            "replicates, also by SASL over TLS, keeps what is refused, asks users for roles, stops on SIGTERM,"
                    + " goes on after a restart, and leaves nothing behind when it is uninstalled")
    void replicatesFromTheKar() throws Exception {
        String destination = sandbox.topicName(ORDERS);
        sandbox.topics().create(Side.LOCAL, ORDERS, 1, Map.of());
        sandbox.topics().create(destination, 1, Map.of("max.message.bytes", "100000"));
        sandbox.topics().create(sandbox.topicName(BEATS), 1);
        sandbox.topics().create(sandbox.topicName(SECURED), 1);
        SecuredStores stores = SecuredStores.write(folder, PASSWORD);
        try (LocalRecords records = new LocalRecords(sandbox, ORDERS);
                KarafProcess karaf =
                        KarafProcess.prepare(distribution(), folder.resolve("karaf"))) {
            karaf.start();
            try (SecuredKafka plant =
                            SecuredKafka.start(
                                    folder, stores.broker(), "replicator", PASSWORD, "kafka");
                    LocalRecords secured =
                            new LocalRecords(
                                    sandbox,
                                    SECURED,
                                    Map.of("bootstrap.servers", plant.otherName(Port.INTERNAL)))) {
                ReplicatorSettings settings = configure(karaf, plant);
                secured.put(0, null, "s0");
                records.put(0, null, "large", "x".repeat(200_000).getBytes(StandardCharsets.UTF_8));
                records.series(0, 0, COUNT);
                karaf.deploy(kar("offline"));
                firstRun(karaf, settings);
                records.series(0, COUNT, 10);
                karaf.start();
                Awaitility.await("what waited, and what came while it was away")
                        .atMost(LIMIT)
                        .untilAsserted(
                                () -> assertThat(delivered(destination)).hasSize(COUNT + 10 + 1));
                karaf.command("feature:uninstall " + FEATURE);
                awaitNothingLeft(karaf);
                karaf.command("feature:install " + FEATURE);
                secured.put(0, null, "s1");
                awaitSecured(2);
                karaf.undeploy(kar("offline"));
                awaitNothingLeft(karaf);
                assertThat(activeBundles(karaf))
                        .noneMatch(name -> name.contains("streamconnect"))
                        .doesNotContain("camel-api", "kafka-clients");
            }
            assertThat(karaf.terminate(STOP_LIMIT)).as("stopped\n%s", karaf.log()).isTrue();
            assertThat(ProcessHandle.of(karaf.pid())).isEmpty();
            assertThat(rows(karaf)).isEmpty();
        }
    }

    @Test
    @DisplayName("replicates by the same bundles on the core of the oldest Camel that they import")
    void oldestCamel() throws Exception {
        String destination = sandbox.topicName(KarafRoutes.TOPIC);
        sandbox.topics().create(Side.LOCAL, KarafRoutes.TOPIC, 1, Map.of());
        sandbox.topics().create(destination, 1);
        sandbox.topics().create(sandbox.topicName(KarafRoutes.BEATS), 1);
        try (LocalRecords records = new LocalRecords(sandbox, KarafRoutes.TOPIC);
                KarafProcess karaf =
                        KarafProcess.prepare(distribution(), folder.resolve("oldest"))) {
            new ReplicatorSettings(sandbox, "oldest")
                    .replicate(KarafRoutes.TOPIC, "route: none")
                    .set("camel.main.routesBuilderClasses", KarafRoutes.class.getName())
                    .writeTo(karaf.home().resolve("etc/streamconnect"));
            karaf.deploy(routesBundle());
            karaf.deploy(kar("oldest"));
            records.series(0, 0, COUNT);
            karaf.start();
            karaf.awaitLog("\"state\":\"RUNNING\"");
            PlainClients clients = new PlainClients(sandbox);
            assertThat(clients.values(Role.consumerA, destination, COUNT))
                    .isEqualTo(numbers(COUNT));
            assertThat(clients.values(Role.consumerA, sandbox.topicName(KarafRoutes.BEATS), 1))
                    .containsExactly("alive");
            assertThat(karaf.command("bundle:list -s -t 0 --no-format"))
                    .containsPattern("Active.*4\\.14\\.5.*camel-core-engine")
                    .doesNotContain("4.18.");
            assertThat(karaf.terminate(STOP_LIMIT)).as("stopped\n%s", karaf.log()).isTrue();
        }
    }

    /** It resolves without Camel, so that it is there before the context starts. */
    private Path routesBundle() throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Bundle-ManifestVersion", "2");
        attributes.putValue("Bundle-SymbolicName", "karaf-routes");
        attributes.putValue("DynamicImport-Package", "*");
        Path bundle = folder.resolve("karaf-routes.jar");
        String name = KarafRoutes.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(bundle), manifest);
                InputStream content = KarafRoutes.class.getResourceAsStream("/" + name)) {
            jar.putNextEntry(new JarEntry(name));
            content.transferTo(jar);
            // By which the runtime finds bundles that have something for Camel.
            jar.putNextEntry(new JarEntry("META-INF/services/org/apache/camel/karaf-routes"));
        }
        return bundle;
    }

    /** Until it is stopped; then messages of the size of the one that was refused are taken. */
    private void firstRun(KarafProcess karaf, ReplicatorSettings settings) throws Exception {
        String destination = sandbox.topicName(ORDERS);
        karaf.awaitLog("beat sent");
        PlainClients clients = new PlainClients(sandbox);
        assertThat(clients.values(Role.consumerA, destination, COUNT)).isEqualTo(numbers(COUNT));
        assertThat(clients.values(Role.consumerA, sandbox.topicName(BEATS), 1))
                .containsExactly("alive");
        awaitSecured(1);
        karaf.awaitLog("\"state\":\"DEGRADED\"");
        assertThat(activeBundles(karaf))
                .contains(
                        "dev.streamconnect.camel-component-streamconnect",
                        "dev.streamconnect.camel-streamconnect-karaf");
        new Group(sandbox, Side.LOCAL, settings.groupId()).awaitCommitted(ORDERS, COUNT + 1L);
        guardsByRoles(karaf);
        assertThat(karaf.terminate(STOP_LIMIT)).as("stopped\n%s", karaf.log()).isTrue();
        assertThat(karaf.log()).doesNotContain("has not stopped within");
        assertThat(rows(karaf))
                .singleElement()
                .satisfies(row -> assertThat(row.message().reason()).isEqualTo(Reason.SIZE));
        for (Side side : List.of(Side.A, Side.B)) {
            sandbox.topics().configure(side, destination, Map.of("max.message.bytes", "1000000"));
        }
    }

    private void awaitSecured(int count) {
        Awaitility.await("messages of the broker that demands credentials")
                .atMost(LIMIT)
                .untilAsserted(
                        () ->
                                assertThat(delivered(sandbox.topicName(SECURED)))
                                        .isEqualTo(
                                                IntStream.range(0, count)
                                                        .mapToObj(i -> "s" + i)
                                                        .toList()));
    }

    /** No bean and no thread of Camel, Kafka's clients, the database or our own. */
    private static void awaitNothingLeft(KarafProcess karaf) {
        Awaitility.await("nothing is left")
                .atMost(LIMIT)
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(
                        () -> {
                            try (KarafJmx jmx = karaf.jmx("karaf")) {
                                assertThat(jmx.names("org.apache.camel:*")).isEmpty();
                                assertThat(jmx.names("kafka.*:*")).isEmpty();
                                assertThat(jmx.threads())
                                        .noneMatch(name -> OWN_THREADS.matcher(name).find());
                            }
                        });
    }

    /** Karaf's guard, which goes by the features' ACLs, and ours behind it. */
    private static void guardsByRoles(KarafProcess karaf) throws Exception {
        try (KarafJmx jmx = karaf.jmx("karaf")) {
            Awaitility.await("the beans of a context that has just started")
                    .atMost(LIMIT)
                    .until(() -> jmx.names(COMPONENT).size() == 1 && jmx.names(LINK).size() == 1);
        }
        for (String user : List.of("reader", "operator", "karaf", "viewer")) {
            try (KarafJmx jmx = karaf.jmx(user)) {
                assertThat(jmx.attribute(COMPONENT, "States").toString()).contains(ORDERS);
                assertThat(jmx.attribute(LINK, "State")).isEqualTo("DEGRADED");
                assertThat(jmx.invoke(COMPONENT, "status", ORDERS).toString()).contains(ORDERS);
            }
        }
        try (KarafJmx jmx = karaf.jmx("reader")) {
            assertThatThrownBy(() -> jmx.invoke(COMPONENT, "pause", ORDERS))
                    .isInstanceOf(SecurityException.class);
            assertThatThrownBy(() -> jmx.invoke(LINK, "pause"))
                    .isInstanceOf(SecurityException.class);
            assertThatThrownBy(() -> jmx.invoke(COMPONENT, "park", ORDERS))
                    .as("let through by etc/jmx.acl.whitelist.cfg")
                    .hasStackTraceContaining(
                            "park is refused: the caller (jmx(127.0.0.1), reader, message_replication_user) has none of"
                                    + " the roles message_replication_admin, admin");
        }
        try (KarafJmx jmx = karaf.jmx("stranger")) {
            assertThatThrownBy(() -> jmx.attribute(LINK, "State"))
                    .isInstanceOf(SecurityException.class);
        }
        for (String user : List.of("operator", "karaf")) {
            try (KarafJmx jmx = karaf.jmx(user)) {
                assertThat(jmx.invoke(LINK, "pause").toString())
                        .isEqualTo("{\"changed\":[\"karaf-orders\"],\"unchanged\":[]}");
                assertThat(jmx.attribute(LINK, "State")).isEqualTo("PAUSED");
                jmx.invoke(COMPONENT, "resume", ORDERS);
            }
        }
    }

    private ReplicatorSettings configure(KarafProcess karaf, SecuredKafka plant)
            throws IOException {
        Path configuration = karaf.home().resolve("etc/streamconnect");
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, "karaf")
                        .set("camel.main.jmxEnabled", "true")
                        .replicate(ORDERS)
                        .set(
                                "camel.component.replication.undeliveredUrl",
                                database(karaf).toString())
                        .set("camel.component.replication.undeliveredRetryInitial", "1")
                        .set("camel.component.replication.retryInterval", "1000");
        settings.set("plant.password", PASSWORD);
        settings.records(
                settings.records()
                                .replace(
                                        "messageReplications:\n",
                                        CONNECTION.formatted(
                                                plant.bootstrap(Port.SASL_TLS), folder, folder))
                        + REPLICATION);
        settings.writeTo(configuration);
        Files.writeString(configuration.resolve("own.camel.yaml"), ROUTES);
        Files.writeString(
                karaf.home().resolve("etc/jmx.acl.whitelist.cfg"),
                "org.apache.camel.components;park = true\n");
        return settings;
    }

    private static Path database(KarafProcess karaf) {
        return karaf.home().resolve("data/streamconnect/undelivered");
    }

    /** Symbolic names. */
    private static List<String> activeBundles(KarafProcess karaf) throws Exception {
        List<String> active = new ArrayList<>();
        for (String line : karaf.command("bundle:list -s -t 0 --no-format").split("\n")) {
            String[] columns = line.strip().split("\\s*[\\t│|]\\s*");
            if (columns.length == 5 && columns[1].equals("Active")) {
                active.add(columns[4]);
            }
        }
        return active;
    }

    private static List<StoredMessage> rows(KarafProcess karaf) {
        try (UndeliveredDatabase database = UndeliveredDatabase.embedded(database(karaf))) {
            return database.undeliveredStore(StoreLimits.DEFAULT).list(RowSelector.ALL, 0, 10);
        }
    }

    private List<String> delivered(String topic) {
        return sandbox.readBack().all(Side.A, topic).stream().map(ReadBack.Stored::text).toList();
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(String::valueOf).toList();
    }

    private static Path kar(String classifier) throws IOException {
        return only(
                Path.of("..", "karaf-features", "target"),
                "camel-streamconnect-karaf-*-" + classifier + ".kar");
    }

    private static Path distribution() throws IOException {
        return only(Path.of("target", "karaf"), "apache-karaf-*");
    }

    private static Path only(Path folder, String pattern) throws IOException {
        var matcher = folder.getFileSystem().getPathMatcher("glob:" + pattern);
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> found = files.filter(file -> matcher.matches(file.getFileName())).toList();
            assertThat(found).as(pattern + " in " + folder.toAbsolutePath()).hasSize(1);
            return found.get(0).toAbsolutePath();
        }
    }
}
