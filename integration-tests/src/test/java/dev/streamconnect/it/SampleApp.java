package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.it.Sandbox.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The unpacked zip of samples/app and its process, which its own script starts. */
final class SampleApp implements AutoCloseable {

    static final Duration LIMIT = Duration.ofSeconds(120);

    private static final Path ZIP =
            Path.of("..", "samples/app/target/replicator-1.0-SNAPSHOT.zip").toAbsolutePath();
    private static final Pattern PORT = Pattern.compile("HttpServer started on localhost:(\\d+)");
    private static final long STOP_SECONDS = 60;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, String> environment = new HashMap<>();
    private final Path home;
    private final Path out;
    private Process process;

    /**
     * @param home the unpacked folder
     */
    SampleApp(Path home, Sandbox sandbox) {
        this.home = home;
        this.out = home.resolveSibling("app.out");
        set("JAVA_HOME", System.getProperty("java.home"));
        set("JAVA_OPTS", "-Xmx256m -XX:+UseSerialGC");
        set("MANAGEMENT_PORT", "0");
        set("LOCAL_BOOTSTRAP", sandbox.bootstrap(Role.local));
        set("HERMES_FILES", sandbox.folder().toString());
        set("HERMES_PASSWORD", sandbox.password());
        set("CAMEL_COMPONENT_HERMES_PORT_BASE", String.valueOf(sandbox.basePort()));
        set("CAMEL_COMPONENT_HERMES_PRODUCERBOOTSTRAPSERVERS", sandbox.bootstrap(Role.producer));
        set(
                "CAMEL_COMPONENT_HERMES_CONSUMER_A_BOOTSTRAP_SERVERS",
                sandbox.bootstrap(Role.consumerA));
        set(
                "CAMEL_COMPONENT_HERMES_CONSUMER_B_BOOTSTRAP_SERVERS",
                sandbox.bootstrap(Role.consumerB));
    }

    /** Unpacks as {@code unzip} does, with the permissions in the zip. */
    static SampleApp unpack(Path folder, Sandbox sandbox) throws IOException {
        try (FileSystem zip =
                        FileSystems.newFileSystem(ZIP, Map.of("enablePosixFileAttributes", true));
                Stream<Path> files = Files.walk(zip.getPath("/"))) {
            for (Path file : files.toList()) {
                Path to = folder.resolve(file.toString().substring(1));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(to);
                } else {
                    Files.copy(file, to);
                    Files.setPosixFilePermissions(to, Files.getPosixFilePermissions(file));
                }
            }
        }
        return new SampleApp(folder.resolve("replicator"), sandbox);
    }

    Path file(String name) {
        return home.resolve(name);
    }

    /** Sets an environment variable; null removes it. */
    SampleApp set(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Changes a file of the unpacked folder. */
    SampleApp edit(String name, UnaryOperator<String> change) throws IOException {
        String text = Files.readString(file(name));
        String changed = change.apply(text);
        assertThat(changed).as(name).isNotEqualTo(text);
        Files.writeString(file(name), changed);
        return this;
    }

    SampleApp start() throws IOException {
        return start(List.of(file("bin/replicator").toString()));
    }

    /**
     * Starts it from the folder that holds the unpacked one.
     *
     * @param command becomes the replicator's process
     */
    SampleApp start(List<String> command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(home.getParent().toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile());
        environment.forEach(
                (variable, value) -> {
                    if (value == null) {
                        builder.environment().remove(variable);
                    } else {
                        builder.environment().put(variable, value);
                    }
                });
        process = builder.start();
        return this;
    }

    String output() {
        try {
            return Files.readString(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitLine(String regex) {
        Pattern pattern = Pattern.compile(regex);
        await(regex)
                .atMost(LIMIT)
                .failFast("it ended", () -> assertThat(process.isAlive()).as(output()).isTrue())
                .untilAsserted(
                        () ->
                                assertThat(output().lines())
                                        .anyMatch(line -> pattern.matcher(line).find()));
    }

    /** What its HTTP port answers. */
    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        awaitLine(PORT.pattern());
        Matcher port = PORT.matcher(output());
        assertThat(port.find()).isTrue();
        URI uri = URI.create("http://localhost:" + port.group(1) + path);
        return http.send(
                HttpRequest.newBuilder(uri).timeout(LIMIT).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Lines of the metrics page that are samples. */
    List<String> samples() throws IOException, InterruptedException {
        HttpResponse<String> page = get("/observe/metrics");
        assertThat(page.statusCode()).isEqualTo(200);
        return page.body().lines().filter(line -> !line.startsWith("#")).toList();
    }

    void awaitSample(String regex) {
        await(regex)
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(samples()).anyMatch(line -> line.matches(regex)));
    }

    /** Waits for the readiness with a status and a text in its body. */
    void awaitReadiness(int status, String text) {
        await("readiness " + status + " with " + text)
                .atMost(LIMIT)
                .untilAsserted(
                        () -> {
                            HttpResponse<String> answer = get("/observe/health/ready");
                            assertThat(answer.body()).contains(text);
                            assertThat(answer.statusCode()).isEqualTo(status);
                        });
    }

    /** Sends SIGTERM and answers the exit code. */
    int stop() throws InterruptedException {
        process.destroy();
        return awaitEnd();
    }

    /** The exit code of a process that ends by itself. */
    int awaitEnd() throws InterruptedException {
        assertThat(process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)).as(output()).isTrue();
        return process.exitValue();
    }

    @Override
    public void close() throws InterruptedException {
        if (process != null && process.isAlive()) {
            process.destroy();
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        }
    }
}
