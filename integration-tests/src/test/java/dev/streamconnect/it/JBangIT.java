package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.streamconnect.it.CamelCli.Run;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows samples/jbang/README.md with the code of the Camel CLI, from a clean home folder. Its
 * commands are read from there; replaced are the ports, since the sandbox of the tests has free
 * ones.
 */
@Tag("case-R2")
@DisplayName("The folder for the Camel CLI, with the lines of its README")
class JBangIT {

    private static final Path SAMPLE = Path.of("..", "samples/jbang").toAbsolutePath().normalize();
    private static final String BUILT =
            "(\\d) of \\1 routes are built from the replication records";
    private static final String RELOADED = "Routes reloaded summary";
    private static final String COMPONENT =
            "dev.streamconnect:camel-component-streamconnect:0.1.0-SNAPSHOT";
    private static final int SIGTERM = 143;

    /** Threads of this component and of Kafka's clients. */
    private static final Pattern OURS =
            Pattern.compile("(?m)^\"([^\"]*(?i:stream-?connect|kafka|hermes|replication)[^\"]*)\"");

    private static Path home;
    private static Sandbox sandbox;
    private static CamelCli cli;
    private static Readme readme;

    @TempDir private Path folder;

    @BeforeAll
    static void open() throws Exception {
        sandbox = Sandbox.start(SandboxOptions.defaults());
        // Not a temporary folder of JUnit's, which warns of each link in it.
        Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
        home = Files.createTempDirectory(target, "camel-cli-home");
        cli =
                CamelCli.inHome(home)
                        .set("LOCAL_BOOTSTRAP", sandbox.bootstrap(Role.local))
                        .set("HERMES_FILES", sandbox.folder().toString())
                        .set("HERMES_PASSWORD", sandbox.password());
        readme = new Readme(SAMPLE.resolve("README.md"), sandbox);
        readme.post("name=orders");
        sandbox.topics().create(Side.LOCAL, "bills", 4, Map.of());
        sandbox.topics().create(sandbox.topicName("bills"), 4);
    }

    @AfterAll
    static void close() {
        if (sandbox != null) {
            sandbox.close();
        }
    }

    @Test
    @DisplayName("copies in both directions, and the CLI's other commands see it")
    void copies() throws Exception {
        sample();
        try (Run run = cli.start(folder, readme.line("camel run *"))) {
            run.await(BUILT, 1);
            readme.run("ConsoleProducer");
            awaitOnce(Side.A, sandbox.topicName("orders"), "an order");
            awaitOnce(Side.A, sandbox.topicName("alarms"), "A CRITICAL ALARM");
            awaitOnce(Side.LOCAL, "decisions", "a decision");
            run.await("order on side A: an order", 1);
            run.await("\"messages\":1,.*\"messages\":1,.*\"messages\":1,", 1);

            assertThat(cli.run(folder, readme.line("camel get health")))
                    .containsPattern("streamconnect.*UP");
            assertThat(cli.run(folder, readme.line("camel get route")))
                    .contains("orders-to-sn", "decisions-from-sn", "replication-metrics")
                    .containsPattern("replication://orders-to-sn.*Started");
            assertThat(run.stop()).isEqualTo(SIGTERM);
            assertThat(run.output()).doesNotContain(" ERROR ", "\tat ");
        }
    }

    @Test
    @DisplayName("with --dev and --console: what changes is taken up, and nothing doubles or stays")
    void reloads() throws Throwable {
        sample();
        String line = readme.line("camel run * --dev --console");
        try (Run run = cli.start(folder, line + " --management-port=0")) {
            run.await(BUILT, 1);
            String console =
                    "http://localhost:" + run.await("started on 0.0.0.0:(\\d+)", 1).get(0).group(1);
            awaitRunning(console, 4);
            send("orders", "a first order");
            send("alarms", "the first critical alarm");
            sendToHermes("decisions", "a first decision");
            awaitOnce(Side.A, sandbox.topicName("orders"), "a first order");
            awaitOnce(Side.A, sandbox.topicName("alarms"), "THE FIRST CRITICAL ALARM");
            awaitOnce(Side.LOCAL, "decisions", "a first decision");
            Map<String, Long> before = threads(run);
            Set<String> clients = clients(console);
            assertThat(before).hasSizeGreaterThan(5);
            assertThat(clients).hasSizeGreaterThan(5);

            edit("audit.yaml", text -> text.replace("order on side", "ORDER ON SIDE"));
            run.await(RELOADED, 1);
            run.await(BUILT, 2);
            awaitRunning(console, 4);
            edit("alarms.yaml", text -> text.replace("toUpperCase", "toLowerCase"));
            run.await(RELOADED, 2);
            run.await(BUILT, 3);
            awaitRunning(console, 4);

            send("orders", "a second order");
            send("alarms", "A critical Alarm");
            sendToHermes("decisions", "a second decision");
            awaitOnce(Side.A, sandbox.topicName("orders"), "a second order");
            awaitOnce(Side.A, sandbox.topicName("alarms"), "a critical alarm");
            awaitOnce(Side.LOCAL, "decisions", "a second decision");
            run.await("ORDER ON SIDE A: a second order", 1);
            await("no more threads and clients than before")
                    .atMost(CamelCli.LIMIT)
                    .untilAsserted(
                            () -> {
                                assertThat(threads(run))
                                        .allSatisfy(
                                                (name, count) ->
                                                        assertThat(count)
                                                                .isLessThanOrEqualTo(
                                                                        most(name, before)));
                                assertThat(clients(console)).isSubsetOf(clients);
                            });

            edit(
                    "replications.yaml",
                    text ->
                            text
                                    + """
                                          - id: bills-to-sn
                                            direction: toServiceNow
                                            topicName: bills
                                            serviceNowTopic: bills
                                    """);
            run.await("3 of 3 routes are built", 1);
            awaitRunning(console, 5);
            send("bills", "a bill");
            awaitOnce(Side.A, sandbox.topicName("bills"), "a bill");
            assertThat(run.found(RELOADED)).hasSize(2);
            assertThat(run.found("ORDER ON SIDE A: a second order")).hasSize(1);
            assertThat(run.stop()).isEqualTo(SIGTERM);
            assertThat(run.output()).doesNotContain(" ERROR ", "\tat ");
        }
    }

    @Test
    @DisplayName("with --stub=hermes: the routes start without Hermes")
    void stub() throws Exception {
        sample();
        try (Run run =
                cli.start(
                        folder,
                        readme.line(
                                "camel run * --stub=hermes --prop=camel.main.autoConfigurationFailFast"))) {
            run.await("the component hermes is a stub here: no topic replication is copied", 1);
            run.await("Started audit \\(hermes://orders\\)", 1);
            run.await("states.xml:\\d+ +: \\[]", 1);
            assertThat(run.stop()).isEqualTo(SIGTERM);
            assertThat(run.output()).doesNotContain(" ERROR ", "\tat ");
        }
    }

    @Test
    @DisplayName("the component by an option: --dep, no more --deps")
    void option() throws Exception {
        String line = readme.line("camel run states.yaml --dep");
        assertThat(line).endsWith("--dep=" + COMPONENT);
        Files.writeString(folder.resolve("states.yaml"), readme.block("yaml", "id: states"));
        try (Run run = cli.start(folder, line + " --max-messages=1")) {
            assertThat(run.awaitEnd()).isZero();
            assertThat(run.output()).containsPattern("states.yaml:\\d+ +: \\[]");
        }
        assertThat(cli.run(folder, line.replace("--dep=", "--deps=")))
                .contains("Unknown option: '--deps=" + COMPONENT + "'");
    }

    // ---- the sample

    /** A copy of the sample, at the sandbox's ports. */
    private void sample() throws IOException {
        try (Stream<Path> files = Files.list(SAMPLE)) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(file.getFileName()));
            }
        }
        edit(
                "application.properties",
                text ->
                        text.replace("= 4000", "= " + sandbox.basePort())
                                .replace("localhost:4000", sandbox.bootstrap(Role.producer))
                                .replace("localhost:4100", sandbox.bootstrap(Role.consumerA))
                                .replace("localhost:4200", sandbox.bootstrap(Role.consumerB)));
    }

    private void edit(String file, UnaryOperator<String> change) throws IOException {
        Path path = folder.resolve(file);
        String text = Files.readString(path);
        String changed = change.apply(text);
        assertThat(changed).as(file).isNotEqualTo(text);
        // At once, so that no half file is read.
        Path other = Files.writeString(Files.createTempFile("edited", ""), changed);
        Files.move(
                other, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    // ---- messages

    private static void send(String topic, String text) throws Throwable {
        try (KafkaProducer<String, String> producer = new PlainClients(sandbox).localProducer()) {
            PlainClients.send(producer, topic, text);
        }
    }

    private static void sendToHermes(String topic, String text) throws Throwable {
        try (KafkaProducer<String, String> producer = new PlainClients(sandbox).producer()) {
            PlainClients.send(producer, sandbox.topicName(topic), text);
        }
    }

    private static void awaitOnce(Side side, String topic, String text) {
        await(text + " in " + topic)
                .atMost(CamelCli.LIMIT)
                .untilAsserted(
                        () ->
                                assertThat(sandbox.readBack().all(side, topic))
                                        .extracting(ReadBack.Stored::text)
                                        .containsOnlyOnce(text));
    }

    // ---- what is in the process

    private static String get(String uri) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(uri)).timeout(CamelCli.LIMIT).build();
        HttpResponse<String> answer =
                HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    /** So many links, all of them running, each once. */
    private static void awaitRunning(String console, int links) {
        await(links + " running")
                .atMost(CamelCli.LIMIT)
                .untilAsserted(
                        () ->
                                assertThat(
                                                get(console + "/q/dev/streamconnect")
                                                        .split(": RUNNING since ", -1))
                                        .hasSize(links + 1));
    }

    /** Pools grow with their work, up to a bound; everything else is there from the start. */
    private static long most(String name, Map<String, Long> before) {
        boolean pool = name.contains("housekeeping") || name.contains("BuiltRoutes");
        return Math.max(pool ? 4 : 0, before.getOrDefault(name, 0L));
    }

    /** Kafka's clients that are open: each has beans. */
    private static Set<String> clients(String console) throws Exception {
        Set<String> clients = new TreeSet<>();
        for (String kind : List.of("consumer", "producer", "admin.client")) {
            String search = "/observe/jolokia/search/kafka." + kind + ":type=app-info,*";
            new ObjectMapper()
                    .readTree(get(console + search))
                    .get("value")
                    .forEach(bean -> clients.add(bean.asText()));
        }
        return clients;
    }

    /** How many there are of each name, digits aside. */
    private static Map<String, Long> threads(Run run) throws Exception {
        Path out = Files.createTempFile(home, "threads", ".out");
        Process jcmd =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                                String.valueOf(run.pid()),
                                "Thread.print")
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
        assertThat(jcmd.waitFor()).as(Files.readString(out)).isZero();
        Map<String, Long> threads = new TreeMap<>();
        OURS.matcher(Files.readString(out))
                .results()
                .map(thread -> thread.group(1).replaceAll("\\d+", "0"))
                .forEach(name -> threads.merge(name, 1L, Long::sum));
        return threads;
    }
}
