package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * The Camel CLI of a user: each command is a process of its own, which a shell starts in the user's
 * folder. Its home folder is a clean one; the Maven repository there has the component as {@code
 * mvn install} leaves it, and links to what this machine's repository has of others.
 */
final class CamelCli {

    static final Duration LIMIT = Duration.ofSeconds(180);

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path CLI = ROOT.resolve("integration-tests/camel-cli/target");
    private static final String VERSION = "0.1.0-SNAPSHOT";
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");

    private final Map<String, String> environment = new HashMap<>();
    private final Path home;

    private CamelCli(Path home) {
        this.home = home;
    }

    static CamelCli inHome(Path home) throws IOException {
        assertThat(CLI.resolve("lib")).as("build module integration-tests/camel-cli").exists();
        Path repository = Files.createDirectories(home.resolve(".m2/repository"));
        String here = System.getProperty("maven.repo.local");
        linkAll(
                here == null
                        ? Paths.get(System.getProperty("user.home"), ".m2/repository")
                        : Path.of(here),
                repository,
                List.of("dev", "streamconnect"));
        Path ours = Files.createDirectories(repository.resolve("dev/streamconnect"));
        String component = "camel-component-streamconnect";
        install(ours, "camel-streamconnect-parent", ROOT.resolve("pom.xml"), ".pom");
        install(ours, component, ROOT.resolve(component + "/pom.xml"), ".pom");
        install(
                ours,
                component,
                ROOT.resolve(component + "/target/" + component + "-" + VERSION + ".jar"),
                ".jar");
        return new CamelCli(home);
    }

    /** Links what is in a folder, but for a path of which the rest is linked. */
    private static void linkAll(Path from, Path to, List<String> without) throws IOException {
        Files.createDirectories(to);
        if (Files.notExists(from)) {
            return;
        }
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Path link = to.resolve(file.getFileName());
                if (!file.getFileName().toString().equals(without.get(0))) {
                    Files.createSymbolicLink(link, file.toAbsolutePath());
                } else if (without.size() > 1) {
                    linkAll(file, link, without.subList(1, without.size()));
                }
            }
        }
    }

    private static void install(Path group, String artifact, Path file, String ending)
            throws IOException {
        Path folder = Files.createDirectories(group.resolve(artifact).resolve(VERSION));
        Files.copy(file, folder.resolve(artifact + "-" + VERSION + ending));
    }

    /** Sets an environment variable. */
    CamelCli set(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /**
     * Starts a command.
     *
     * @param folder where it is typed
     * @param line {@code camel …} as a shell takes it
     */
    Run start(Path folder, String line) throws IOException {
        assertThat(line).startsWith("camel ");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        String camel =
                "exec '%s' -Xmx384m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 '-Duser.home=%s' -cp '%s:%s/*' dev.streamconnect.cli.CamelCli "
                        .formatted(java, home, CLI.resolve("classes"), CLI.resolve("lib"));
        Path out = Files.createTempFile(home, "camel", ".out");
        ProcessBuilder builder =
                new ProcessBuilder("sh", "-c", camel + line.substring("camel ".length()))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                        .redirectOutput(out.toFile());
        builder.environment().putAll(environment);
        return new Run(builder.start(), out);
    }

    /** What a command prints, when it has ended by itself. */
    String run(Path folder, String line) throws IOException, InterruptedException {
        try (Run run = start(folder, line)) {
            run.awaitEnd();
            return run.output();
        }
    }

    /** A command that runs, and ends with this. */
    static final class Run implements AutoCloseable {

        private final Process process;
        private final Path out;

        private Run(Process process, Path out) {
            this.process = process;
            this.out = out;
        }

        long pid() {
            return process.pid();
        }

        String output() {
            try {
                return COLOUR.matcher(Files.readString(out)).replaceAll("");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Lines in which the pattern is found. */
        List<MatchResult> found(String regex) {
            return Pattern.compile(regex).matcher(output()).results().toList();
        }

        /** Waits until the pattern is found so many times. */
        List<MatchResult> await(String regex, int times) {
            Awaitility.await(regex)
                    .atMost(LIMIT)
                    .failFast("it ended", () -> assertThat(process.isAlive()).as(output()).isTrue())
                    .untilAsserted(
                            () -> assertThat(found(regex)).hasSizeGreaterThanOrEqualTo(times));
            return found(regex);
        }

        int awaitEnd() throws InterruptedException {
            assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).as(output()).isTrue();
            return process.exitValue();
        }

        /** Sends SIGTERM and answers the exit code. */
        int stop() throws InterruptedException {
            process.destroy();
            return awaitEnd();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
