package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.streamconnect.camel.main.StreamConnectMain;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.camel.main.Main;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A mistake is one clear error that names the place and the mend")
class BadInputIT {

    private static final long LIMIT_SECONDS = 60;
    private static final String SECRET = "not-the-password";
    private static final String RECORDS =
            """
            version: 1
            connections:
              - { id: plant, bootstrapServers: "localhost:9092" }
            messageReplications:
              - name: plant
                connection: plant
                topicReplications:
            """;

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    /**
     * A mistake.
     *
     * @param make puts it into settings that would be good; gets a folder for files
     * @param told what the error must say
     */
    record Mistake(String name, BiConsumer<ReplicatorSettings, Path> make, List<String> told) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Mistake> mistakes() {
        return Stream.of(records(), options(), stores(), routes()).flatMap(all -> all);
    }

    private static Stream<Mistake> records() {
        return Stream.of(
                property("no records", "replication.records", "file:/none/r.yaml", "/none/r.yaml"),
                records("an empty file", "", "replications.yaml", "empty"),
                records("text that is no YAML", "version: [1", "replications.yaml:1"),
                records(
                        "an unknown field",
                        topics("", "toServiceNow o o").yaml().replace("connection:", "conection:"),
                        "replications.yaml:6:",
                        "unknown-field",
                        "did you mean connection?"),
                records("another version", RECORDS.replace("1", "7"), "version"),
                topics("two destinations of a source", "toServiceNow o a", "toServiceNow o b")
                        .told("replications.yaml:9:", "'r0'"),
                topics("one destination used twice", "toServiceNow a o", "toServiceNow b o")
                        .told("replications.yaml:9:", "'r0'"),
                topics("a loop", "toServiceNow o o", "fromServiceNow o o").told("loop", "'r0'"),
                topics(
                                "a loop over two hops",
                                "toServiceNow a b",
                                "fromServiceNow b c",
                                "toServiceNow c d",
                                "fromServiceNow d a")
                        .told("loop"),
                topics("a bad name", "toServiceNow o o/x").told("replications.yaml:8:", "o/x"),
                topics("an internal topic", "toServiceNow __consumer_offsets o")
                        .told("__consumer_offsets"),
                topics("a topic of another instance", "toServiceNow o snc.other.o")
                        .told("other", "acme"),
                topics("a long name", "toServiceNow o " + "x".repeat(200)).told("200"),
                records(
                        "an unknown connection",
                        topics("", "toServiceNow o o")
                                .yaml()
                                .replace("connection: plant", "connection: plnt"),
                        "'plnt'",
                        "known: plant"));
    }

    private static Stream<Mistake> options() {
        return Stream.of(
                property("a missing instance", "hermes.instance", "", "instance"),
                property(
                        "a port of another range",
                        "hermes.consumerABootstrapServers",
                        "localhost:7",
                        "consumerABootstrapServers",
                        "port 7"),
                property(
                        "a port that is none",
                        "hermes.producerBootstrapServers",
                        "localhost:x",
                        "producerBootstrapServers"),
                property("zstd", "hermes.compressionType", "zstd", "compressionType", "lz4"),
                property("snappy", "hermes.compressionType", "snappy", "compressionType", "lz4"),
                property("a bound of 0", "replication.maxUncommitted", "0", "maxUncommitted"),
                property(
                        "a number that is none",
                        "hermes.portBase",
                        "abc",
                        "camel.component.hermes.portBase:",
                        "'abc' is no whole number"),
                property(
                        "an unset environment variable",
                        "hermes.domain",
                        "{{env:NO_SUCH_NAME}}",
                        "environment variable NO_SUCH_NAME is not set"),
                property(
                        "an unknown option",
                        "replication.recrods",
                        "x",
                        "camel.component.replication.recrods:"));
    }

    private static Stream<Mistake> stores() {
        return Stream.of(
                property(
                        "a wrong store password",
                        "hermes.keystorePassword",
                        SECRET,
                        "keystorePassword: does not open"),
                property(
                        "a wrong truststore password",
                        "hermes.truststorePassword",
                        SECRET,
                        "truststorePassword: does not open"),
                property(
                        "a wrong key password",
                        "hermes.keyPassword",
                        SECRET,
                        "keyPassword: does not open the key"),
                property(
                        "no store",
                        "hermes.keystore",
                        "/none/k.p12",
                        "keystore: file '/none/k.p12'"),
                file(
                        "a file that is no store",
                        "hermes.keystore",
                        "hello",
                        "is no PKCS12 or JKS store and no PEM"),
                file(
                        "PEM",
                        "hermes.keystore",
                        "-----BEGIN CERTIFICATE-----",
                        "holds no private key"),
                certificate("an expired certificate", "expired on ", CertificateWish::expired),
                certificate(
                        "a certificate of the future",
                        "is not valid before",
                        CertificateWish::notYetValid),
                certificate(
                        "a certificate of another instance",
                        "instance 'other'",
                        wish -> wish.principal("other.service-now.com")));
    }

    private static Stream<Mistake> routes() {
        return Stream.of(
                route("an unknown id", "replication:god", "replication:good", "did you mean good?"),
                route("a second reader", "replication:good", "direct:y", "'topic-replication'"),
                route("an unknown id to write to", "direct:x", "replication:god", "'god'"),
                route("no group", "hermes:good", "direct:y", "groupId: is missing"),
                route("a bad topic", "direct:x", "hermes:a/b", "a/b"),
                route(
                        "an unknown option",
                        "hermes:good?grupId=x",
                        "direct:y",
                        "grupId",
                        "did you mean groupId?"),
                route(
                        "a misspelt password",
                        "direct:x",
                        "hermes:good?keystorePasword=" + SECRET,
                        "keystorePasword",
                        "did you mean keystorePassword?"),
                route(
                        "an unknown option of a replication",
                        "direct:x",
                        "replication:good?bach=true",
                        "bach",
                        "did you mean batch?"),
                route("a wrong value", "direct:x", "hermes:good?delivery=sometimes", "delivery"),
                route("an unknown operation", "direct:x", "replication:*?operation=st", "status"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    @DisplayName("of a start: exit code 1, a line on standard error, no stack trace, no secret")
    void refused(Mistake mistake) throws Exception {
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, "bad").replicate("good");
        mistake.make().accept(settings, folder);
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        try (LogLines log = new LogLines()) {
            String[] arguments = {settings.writeTo(folder).toString()};
            Main main = new Main();
            int code =
                    CompletableFuture.supplyAsync(
                                    () ->
                                            StreamConnectMain.run(
                                                    main, arguments, new PrintStream(errors)))
                            .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                            .whenComplete((result, failure) -> main.completed())
                            .get();
            String told = errors.toString(StandardCharsets.UTF_8);
            assertThat(code).isEqualTo(1);
            assertThat(told).contains(mistake.told()).doesNotContain("\tat ", SECRET, "Exception");
            assertThat(told.strip().lines().count()).isLessThanOrEqualTo(3);
            assertThat(log.withStackTrace()).isEmpty();
            assertThat(log.with(SECRET)).isEmpty();
        }
    }

    @Test
    @DisplayName("a process ends with exit code 1 and the line is all that it says")
    void process() throws Exception {
        Path application =
                new ReplicatorSettings(sandbox, "bad")
                        .replicate("good")
                        .set("camel.component.hermes.keystorePassword", SECRET)
                        .writeTo(folder);
        try (ReplicatorProcess replicator = ReplicatorProcess.launch(application, List.of())) {
            assertThat(replicator.exitCode(Duration.ofSeconds(LIMIT_SECONDS))).isEqualTo(1);
            assertThat(replicator.output().strip().lines())
                    .singleElement()
                    .asString()
                    .startsWith("not started: keystorePassword: does not open ");
        }
        try (ReplicatorProcess replicator =
                ReplicatorProcess.launch(folder.resolve("none.properties"), List.of())) {
            assertThat(replicator.exitCode(Duration.ofSeconds(LIMIT_SECONDS))).isEqualTo(1);
            assertThat(replicator.output()).contains("not started: there is no file");
        }
    }

    @Test
    @DisplayName("an unreachable host is no mistake: it starts, and the status names the host")
    void unreachable() throws Exception {
        startsAndNames("no-such-port", "localhost:1");
    }

    @Test
    @DisplayName("the same for a host name that is not known yet")
    void unknownHost() throws Exception {
        startsAndNames("no-such-host", "no-such-host.invalid:9092");
    }

    @Test
    @DisplayName("a connection without TLS to a port that speaks it is named, in both directions")
    void tlsPort() throws Exception {
        sandbox.topics().create("snc.acme.no-tls", 1);
        sandbox.topics().create("snc.acme.no-tls-back", 1);
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, "no-tls")
                        .replicate("no-tls")
                        .replicateFrom("no-tls-back")
                        .bootstrap(sandbox.bootstrap(Sandbox.Role.producer));
        try (ReplicatorProcess replicator = ReplicatorProcess.start(settings, folder)) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(LIMIT_SECONDS))
                    .untilAsserted(
                            () -> {
                                JsonNode status = replicator.status();
                                assertThat(status).hasSize(2);
                                assertThat(status)
                                        .allSatisfy(
                                                each -> {
                                                    assertThat(each.path("state").asText())
                                                            .isEqualTo("FAILED");
                                                    assertThat(each.path("reason").asText())
                                                            .startsWith("no-tls (localhost:")
                                                            .contains(
                                                                    " speaks TLS, and the connection does not; configure ssl");
                                                });
                            });
            assertThat(replicator.output())
                    .doesNotContain("\tat ", "OutOfMemoryError", "heap", "has exited");
        }
    }

    private void startsAndNames(String name, String host) throws Exception {
        sandbox.topics().create("snc.acme." + name, 1);
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, name).replicate(name).bootstrap(host);
        try (ReplicatorProcess replicator = ReplicatorProcess.start(settings, folder)) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(LIMIT_SECONDS))
                    .untilAsserted(
                            () -> {
                                JsonNode status = replicator.status().path(0);
                                assertThat(status.path("reason").asText())
                                        .contains(host)
                                        .doesNotContain("Exception");
                                assertThat(status.path("errorSince").asText()).isNotEmpty();
                            });
            assertThat(replicator.output()).doesNotContain("\tat ");
        }
    }

    // ---- mistakes

    private static Mistake property(String name, String property, String value, String... told) {
        return new Mistake(
                name,
                (settings, folder) -> settings.set("camel.component." + property, value),
                List.of(told));
    }

    private static Mistake records(String name, String yaml, String... told) {
        return new Mistake(name, (settings, folder) -> settings.records(yaml), List.of(told));
    }

    private record Topics(String name, String yaml) {
        Mistake told(String... told) {
            return records(name, yaml, told);
        }
    }

    private static Topics topics(String name, String... directionsAndTopics) {
        StringBuilder yaml = new StringBuilder(RECORDS);
        for (int i = 0; i < directionsAndTopics.length; i++) {
            String[] parts = directionsAndTopics[i].split(" ");
            boolean to = parts[0].equals("toServiceNow");
            yaml.append("      - { id: r").append(i).append(", direction: ").append(parts[0]);
            yaml.append(", topicName: \"").append(to ? parts[1] : parts[2]);
            yaml.append("\", serviceNowTopic: \"")
                    .append(to ? parts[2] : parts[1])
                    .append("\" }\n");
        }
        return new Topics(name, yaml.toString());
    }

    private static Mistake file(String name, String property, String content, String told) {
        return new Mistake(
                name,
                (settings, folder) -> {
                    try {
                        Path file = Files.writeString(folder.resolve("store.p12"), content);
                        settings.set("camel.component." + property, file.toString());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                List.of(told));
    }

    private static Mistake certificate(
            String name, String told, UnaryOperator<CertificateWish> kind) {
        return new Mistake(
                name,
                (settings, folder) ->
                        settings.certificate(
                                Sandbox.shared()
                                        .issue(
                                                kind.apply(
                                                        CertificateWish.named(
                                                                name.replace(' ', '-'))))),
                List.of("keystore", told).subList(told.startsWith("instance") ? 1 : 0, 2));
    }

    private static Mistake route(String name, String from, String to, String... told) {
        return new Mistake(
                name,
                (settings, folder) ->
                        settings.routes(
                                "- route:\n    id: mine\n    from:\n      uri: \""
                                        + from
                                        + "\"\n      steps:\n        - to: \""
                                        + to
                                        + "\"\n"),
                List.of(told));
    }
}
