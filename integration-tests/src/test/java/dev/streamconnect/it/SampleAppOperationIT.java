package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

@DisplayName("The application from its zip, on a server")
class SampleAppOperationIT {

    private static final Path PROMETHEUS = Path.of("..", "samples/app/prometheus");
    private static final Pattern METER = Pattern.compile("streamconnect_\\w+");
    private static final int SIGTERM = 128 + 15;

    private static Sandbox sandbox;

    @TempDir Path folder;

    @BeforeAll
    static void open() {
        sandbox = Sandbox.start(SandboxOptions.defaults());
        for (String topic : List.of("orders", "alarms", "decisions")) {
            sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
            sandbox.topics().create(sandbox.topicName(topic), 1);
        }
    }

    @AfterAll
    static void close() {
        sandbox.close();
    }

    @Test
    @DisplayName("is not ready while a topic replication is FAILED or STALLED, but alive")
    void probes() throws Exception {
        try (SampleApp app =
                SampleApp.unpack(folder, sandbox)
                        .edit(
                                "conf/replications.yaml",
                                text -> text.replace("Topic: decisions", "Topic: later"))
                        .set("CAMEL_COMPONENT_REPLICATION_MISSINGTIMEOUT", "2s")
                        .start()) {
            app.awaitReadiness(
                    503,
                    "\"name\":\"streamconnect\",\"status\":\"DOWN\",\"message\":\"decisions-from-sn is FAILED since ");
            assertAlive(app);
            app.awaitSample("streamconnect_healthy\\{.*decisions-from-sn.*} 0.0");
            app.awaitSample("streamconnect_healthy\\{.*orders-to-sn.*} 1.0");

            sandbox.topics().create(sandbox.topicName("later"), 1);
            app.awaitReadiness(200, "UP");
            app.awaitSample("streamconnect_healthy\\{.*decisions-from-sn.*} 1.0");

            sandbox.down(Role.producer);
            try (LocalRecords records = new LocalRecords(sandbox, "orders")) {
                records.put(0, "during", "the outage");
            }
            app.awaitReadiness(503, "orders-to-sn is STALLED since ");
            assertAlive(app);
            sandbox.heal();
            app.awaitReadiness(200, "UP");
        }
    }

    private static void assertAlive(SampleApp app) throws Exception {
        assertThat(app.get("/observe/health/live").statusCode()).isEqualTo(200);
        assertThat(app.get("/observe/health/live").body()).contains("\"status\":\"UP\"");
    }

    @Test
    @DisplayName("keeps what is refused in a file over a clean stop, and delivers it later")
    void embedded() throws Exception {
        try (SampleApp app = SampleApp.unpack(folder, sandbox)) {
            storesAndDelivers(app);
            assertThat(app.file("data/undelivered.mv.db")).isRegularFile();
        }
    }

    @Test
    @DisplayName("keeps it in a PostgreSQL with the lines of application.properties uncommented")
    void postgreSql() throws Exception {
        try (EmbeddedPostgres postgres =
                        EmbeddedPostgres.builder()
                                .setOverrideWorkingDirectory(folder.resolve("work").toFile())
                                .setDataDirectory(folder.resolve("postgres"))
                                .start();
                SampleApp app = SampleApp.unpack(folder, sandbox)) {
            String url = "jdbc:postgresql://localhost:" + postgres.getPort();
            try (Connection connection =
                            DriverManager.getConnection(url + "/postgres", "postgres", "");
                    Statement statement = connection.createStatement()) {
                statement.execute("create user replicator password 'only-for-this-test'");
                statement.execute("create database replicator owner replicator");
            }
            app.edit(
                            "conf/application.properties",
                            text ->
                                    text.replace("#camel.component", "camel.component")
                                            .replace("jdbc:postgresql://localhost:5432", url))
                    .set("DATABASE_PASSWORD", "only-for-this-test");
            storesAndDelivers(app);
            assertThat(app.file("data")).doesNotExist();
        }
    }

    private void storesAndDelivers(SampleApp app) throws Exception {
        String topic = sandbox.topicName("orders");
        limit(topic, "100000");
        app.set("CAMEL_COMPONENT_REPLICATION_RETRYINTERVAL", "1s")
                .set("CAMEL_COMPONENT_REPLICATION_UNDELIVEREDRETRYINITIAL", "1")
                .start();
        byte[] large = new byte[200_000];
        try (LocalRecords records = new LocalRecords(sandbox, "orders")) {
            records.put(0, null, folder.toString(), large);
        }
        app.awaitSample("streamconnect_stored_total\\{.*orders-to-sn.*} 1.0");

        assertThat(app.stop()).isEqualTo(SIGTERM);
        assertThat(app.output()).contains("(replicator) shutdown in ");

        limit(topic, "1000000");
        app.start().awaitSample("streamconnect_retried_total\\{.*orders-to-sn.*} 1.0");
        await("the message")
                .atMost(SampleApp.LIMIT)
                .untilAsserted(
                        () ->
                                assertThat(sandbox.readBack().all(Side.A, topic))
                                        .filteredOn(s -> folder.toString().equals(s.keyText()))
                                        .singleElement()
                                        .satisfies(s -> assertThat(s.value()).isEqualTo(large)));
    }

    private static void limit(String topic, String bytes) {
        for (Side side : List.of(Side.A, Side.B)) {
            sandbox.topics().configure(side, topic, Map.of("max.message.bytes", bytes));
        }
    }

    @Test
    @DisplayName("shows Prometheus the meters, with their tags, that the alerts name")
    void prometheus() throws Exception {
        List<String> samples;
        try (SampleApp app =
                SampleApp.unpack(folder, sandbox)
                        .set("CAMEL_COMPONENT_REPLICATION_NODE", "node-1")
                        .start()) {
            app.awaitSample("streamconnect_last_retry_run_seconds\\{.*orders-to-sn.*} \\d.*");
            samples = app.samples();
        }
        String tags = "{direction=\"To ServiceNow\",node=\"node-1\",replication=\"orders-to-sn\"} ";
        Set<String> meters =
                samples.stream()
                        .filter(line -> line.contains(tags))
                        .map(line -> line.substring(0, line.indexOf('{')))
                        .collect(Collectors.toSet());
        assertThat(expressions())
                .contains(
                        "streamconnect_healthy",
                        "streamconnect_lag",
                        "streamconnect_oldest_age_seconds",
                        "streamconnect_time_to_loss_seconds",
                        "streamconnect_stored_total")
                .isSubsetOf(meters);
    }

    /** Meters in the expressions of the alerts. */
    private static Set<String> expressions() throws IOException {
        Map<?, ?> scrape = yaml("prometheus.yml");
        assertThat(scrape.get("rule_files")).isEqualTo(List.of("alerts.yml"));
        assertThat(scrape.get("scrape_configs").toString())
                .contains("job_name=streamconnect", "metrics_path=/observe/metrics");
        Map<?, ?> group = (Map<?, ?>) ((List<?>) yaml("alerts.yml").get("groups")).get(0);
        return ((List<?>) group.get("rules"))
                .stream()
                        .map(Map.class::cast)
                        .peek(
                                rule ->
                                        assertThat(rule)
                                                .containsKeys("alert", "labels", "annotations"))
                        .map(rule -> rule.get("expr").toString())
                        .flatMap(expression -> METER.matcher(expression).results())
                        .map(MatchResult::group)
                        .collect(Collectors.toSet());
    }

    private static Map<?, ?> yaml(String file) throws IOException {
        String text = Files.readString(PROMETHEUS.resolve(file));
        return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text);
    }

    @Test
    @DisplayName("says in one line why it does not start, with exit code 1")
    void notStarted() throws Exception {
        try (SampleApp app =
                SampleApp.unpack(folder, sandbox).set("HERMES_PASSWORD", null).start()) {
            assertThat(app.awaitEnd()).isEqualTo(1);
            assertThat(app.output().lines())
                    .filteredOn(line -> line.startsWith("not started: "))
                    .singleElement()
                    .asString()
                    .contains("environment variable HERMES_PASSWORD is not set");
        }
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("localhost"));
                SampleApp app =
                        new SampleApp(folder.resolve("replicator"), sandbox)
                                .set("MANAGEMENT_PORT", String.valueOf(other.getLocalPort()))
                                .start()) {
            assertThat(app.awaitEnd()).isEqualTo(1);
            assertThat(app.output())
                    .contains(
                            "not started: camel.management.port: localhost:"
                                    + other.getLocalPort()
                                    + " can't be taken: ")
                    .doesNotContain("\tat ");
        }
    }
}
