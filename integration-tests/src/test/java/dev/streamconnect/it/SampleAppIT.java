package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows samples/app/README.md: its lines are run as they are written, but for Maven's, which the
 * build has run. Replaced are the folders, and the ports, since the sandbox of the tests has free
 * ones.
 */
@DisplayName("The application to copy, with the lines of its README")
class SampleAppIT {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Duration LIMIT = SampleApp.LIMIT;
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\\n(.*?)^```$");
    private static final Pattern POST = Pattern.compile("(?m)^curl -X POST \"([^\"]+)\"$");

    private static Sandbox sandbox;

    @TempDir Path folder;

    @BeforeAll
    static void open() {
        sandbox = Sandbox.start(SandboxOptions.defaults());
    }

    @AfterAll
    static void close() {
        sandbox.close();
    }

    @Test
    @DisplayName("copies in both directions, and its own route filters and changes")
    void copies() throws Exception {
        String readme = Files.readString(ROOT.resolve("samples/app/README.md"));
        post(block(readme, "bash", "name=orders"));
        try (SampleApp app = start(readme)) {
            app.awaitLine("orders-to-sn\",\"state\":\"RUNNING\"");
            app.awaitLine("decisions-from-sn\",\"state\":\"RUNNING\"");
            shell(block(readme, "bash", "ConsoleProducer"));
            awaitText(Side.A, sandbox.topicName("orders"), "an order");
            awaitText(Side.A, sandbox.topicName("alarms"), "A CRITICAL ALARM");
            awaitText(Side.LOCAL, "decisions", "a decision");
            app.awaitLine("\"messages\":1,.*\"messages\":1,.*\"messages\":1,");
            for (String line : block(readme, "bash", "/observe/").lines().toList()) {
                String path = line.replace("curl http://localhost:9876", "");
                assertThat(app.get(path).statusCode()).as(line).isEqualTo(200);
            }
        }
    }

    @Test
    @DisplayName("runs the routes for single topics of README.md; a missing topic is one line each")
    void singleTopics() throws Exception {
        String readme = Files.readString(ROOT.resolve("README.md"));
        List<String> topics = block(readme, "bash", "snc.acme.heartbeats").lines().toList();
        post(topics.get(0));
        Files.writeString(
                folder.resolve("single.yaml"),
                block(readme, "yaml", "hermes:heartbeats")
                        .replace("period: 60000", "period: 1000"));
        try (SampleApp app = start(Files.readString(ROOT.resolve("samples/app/README.md")))) {
            app.awaitLine("no heartbeat sent: .*snc\\.acme\\.heartbeats");
            app.awaitLine("snc\\.acme\\.alarms@snc\\.acme\\.audit");
            assertThat(app.output()).doesNotContain("Message History", "\tat ");
            post(topics.get(1));
            awaitText(Side.A, "snc.acme.heartbeats", "alive");
            post(block(Files.readString(ROOT.resolve("samples/app/README.md")), "bash", "alarms"));
            shell("echo critical | " + producer("localhost:9092") + " --topic alarms");
            app.awaitLine("alarm from side A: CRITICAL");
        }
    }

    private static String producer(String bootstrap) {
        return "java -cp \"samples/hermes-sandbox/target/sandbox/lib/*\" kafka.tools.ConsoleProducer"
                + " --bootstrap-server "
                + bootstrap;
    }

    private void awaitText(Side side, String topic, String text) {
        await(text + " in " + topic)
                .atMost(LIMIT)
                .untilAsserted(
                        () ->
                                assertThat(sandbox.readBack().all(side, topic))
                                        .extracting(ReadBack.Stored::text)
                                        .contains(text));
    }

    /** The block that holds the text. */
    private static String block(String document, String language, String text) {
        return BLOCK.matcher(document)
                .results()
                .filter(block -> block.group(1).equals(language) && block.group(2).contains(text))
                .map(block -> block.group(2))
                .findFirst()
                .orElseThrow();
    }

    private static void post(String lines) throws Exception {
        List<MatchResult> posts = POST.matcher(lines).results().toList();
        assertThat(posts).isNotEmpty();
        for (MatchResult post : posts) {
            HttpResponse<String> answer =
                    HttpClient.newHttpClient()
                            .send(
                                    HttpRequest.newBuilder(URI.create(here(post.group(1))))
                                            .POST(HttpRequest.BodyPublishers.noBody())
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString());
            // 409: the other test has made it
            assertThat(answer.statusCode()).as(answer.body()).isIn(200, 409);
        }
    }

    /** With the ports and the folder of this sandbox. */
    private static String here(String lines) {
        return lines.replace("http://127.0.0.1:4900", sandbox.control().address())
                .replace("localhost:9092", sandbox.bootstrap(Role.local))
                .replace("localhost:4000", sandbox.bootstrap(Role.producer))
                .replace("samples/hermes-sandbox/target/hermes", sandbox.folder().toString())
                .replace("$PWD/" + sandbox.folder(), sandbox.folder().toString());
    }

    private void shell(String lines) throws Exception {
        Path out = folder.resolve("shell.out");
        Process process = process(here(lines), out);
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(out)).isZero();
    }

    private static Process process(String lines, Path out) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin").toString();
        return new ProcessBuilder(
                        "sh",
                        "-e",
                        "-c",
                        lines.replaceAll("(?m)(^|\\| )(java|jar) ", "$1" + java + "/$2 "))
                .directory(ROOT.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(out.toFile())
                .start();
    }

    private SampleApp start(String readme) throws Exception {
        Path copy = folder.resolve("my-replicator");
        String prepare =
                block(readme, "bash", "cp -r")
                        .lines()
                        .filter(line -> !line.startsWith("mvn "))
                        .collect(Collectors.joining("\n"));
        shell(prepare.replace("../my-replicator", copy.toString()));
        SampleApp app = new SampleApp(copy.resolve("replicator"), sandbox);
        Path single = folder.resolve("single.yaml");
        if (Files.exists(single)) {
            Files.copy(single, app.file("conf/routes/single.yaml"));
        }
        String start = block(readme, "bash", "bin/replicator").strip();
        return app.start(List.of("sh", "-c", "exec " + start));
    }
}
