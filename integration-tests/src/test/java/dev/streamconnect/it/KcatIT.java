package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.streamconnect.it.Sandbox.Role;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the lines of the README files as they are written there. Only this is replaced, since the
 * sandbox of the tests has free ports and a folder of its own: the host ports and the folder.
 */
@DisplayName("kcat, a client of another library, with the sandbox's PEM files")
class KcatIT {

    private static final long LIMIT_SECONDS = 30;
    private static final Path ROOT = Path.of("..");
    private static final String FOLDER = "samples/hermes-sandbox/target/hermes";
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```\\w*\\n(.*?)^```$");

    /** The topic that the lines use. */
    private static final String TOPIC = "snc.acme.orders";

    private record Result(int exitCode, String output) {}

    @TempDir Path work;

    private final Sandbox sandbox = Sandbox.shared();

    @BeforeAll
    static void needsKcat() {
        for (String command : List.of("kcat", "curl", "sh")) {
            boolean found =
                    Stream.of(System.getenv("PATH").split(File.pathSeparator))
                            .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
            if (!found) {
                System.out.printf(
                        "KcatIT is skipped: there is no %1$s on the PATH (Debian: apt-get install %1$s)%n",
                        command);
            }
            assumeTrue(found, command + " is not installed");
        }
    }

    @BeforeEach
    void restore() {
        sandbox.restore();
    }

    @AfterEach
    void deleteTopic() {
        sandbox.topics().delete(TOPIC);
    }

    @Test
    @DisplayName("produces to the near side as README.md says")
    void readme() throws Exception {
        Result result = shell(ROOT, lines("README.md"));

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(sandbox.readBack().all(Sandbox.Side.A, TOPIC))
                .extracting(ReadBack.Stored::text)
                .containsExactly("hello");
    }

    @Test
    @DisplayName("produces and consumes as the sandbox's README says")
    void readmeOfTheSandbox() throws Exception {
        String lines = lines("samples/hermes-sandbox/README.md");
        Result result = shell(ROOT, withoutKafkaTools(lines));

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output().lines()).contains("hello");
    }

    @Test
    @DisplayName("is refused without a certificate")
    void withoutCertificate() throws Exception {
        Files.copy(sandbox.file("ca.pem"), work.resolve("ca.pem"));
        assertRefused(produceLine().replaceAll(" -X ssl\\.(certificate|key)\\.location=\\S+", ""));
    }

    @Test
    @DisplayName("is refused with a certificate of another authority")
    void otherAuthority() throws Exception {
        assertRefused(CertificateWish.named("kcat-foreign").byOtherAuthority());
    }

    @Test
    @DisplayName("is refused with an expired certificate")
    void expired() throws Exception {
        assertRefused(CertificateWish.named("kcat-expired").expired());
    }

    @Test
    @DisplayName("is refused with a certificate that lacks the right")
    void noRight() throws Exception {
        Result result = assertRefused(CertificateWish.named("kcat-nobody").acl("none"));
        assertThat(result.output()).containsIgnoringCase("authorization failed");
    }

    @Test
    @DisplayName("refuses a sandbox that another authority vouches for")
    void untrustedBroker(@TempDir Path other) throws Exception {
        try (Sandbox second = Sandbox.start(SandboxOptions.defaults(), other)) {
            assertRefused(second.folder(), sandbox.folder());
        }
    }

    private Result assertRefused(CertificateWish wish) throws Exception {
        return assertRefused(sandbox.folder(), sandbox.issue(wish).folder());
    }

    /**
     * @param trust where ca.pem is taken from
     * @param client where certificate and key are taken from
     */
    private Result assertRefused(Path trust, Path client) throws Exception {
        Files.copy(trust.resolve("ca.pem"), work.resolve("ca.pem"));
        for (String file : List.of("client-cert.pem", "client-key.pem")) {
            Files.copy(client.resolve(file), work.resolve(file));
        }
        return assertRefused(produceLine());
    }

    /** A refusal is no answer to kcat, so it gets a limit besides what the README says. */
    private Result assertRefused(String produceLine) throws Exception {
        sandbox.topics().create(TOPIC, 1);
        Result result = shell(work, produceLine + " -X message.timeout.ms=6000");
        assertThat(result.exitCode()).as(result.output()).isNotZero();
        assertThat(sandbox.readBack().both(TOPIC)).isEmpty();
        return result;
    }

    /** The line of README.md that produces, to be run where the PEM files are. */
    private String produceLine() throws IOException {
        return lines("README.md")
                .lines()
                .filter(line -> line.contains("| kcat -P "))
                .findFirst()
                .orElseThrow();
    }

    /** The code block that calls kcat, with the ports and the folder of this sandbox. */
    private String lines(String document) throws IOException {
        String lines =
                BLOCK.matcher(Files.readString(ROOT.resolve(document)))
                        .results()
                        .map(block -> block.group(1))
                        .filter(text -> text.contains("kcat -P "))
                        .collect(Collectors.joining());
        int control = URI.create(sandbox.control().address()).getPort();
        String replaced =
                lines.replace(":4900", ":" + control)
                        .replace("localhost:4000", first(Role.producer))
                        .replace("localhost:4100", first(Role.consumerA))
                        .replace(FOLDER, sandbox.folder().toString());
        assertThat(replaced).contains("kcat", TOPIC, first(Role.producer));
        return replaced;
    }

    private String first(Role role) {
        return sandbox.bootstrap(role).split(",")[0];
    }

    /** Kafka's own tools are not part of this project. */
    private static String withoutKafkaTools(String lines) {
        return lines.lines()
                .filter(line -> !line.startsWith("kafka-"))
                .collect(Collectors.joining("\n"));
    }

    private Result shell(Path folder, String lines) throws IOException, InterruptedException {
        Path out = work.resolve("out");
        Process process =
                new ProcessBuilder("sh", "-e", "-c", lines)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                        .redirectOutput(out.toFile())
                        .start();
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        String output = Files.readString(out, StandardCharsets.UTF_8);
        return new Result(ended ? process.exitValue() : -1, output);
    }
}
