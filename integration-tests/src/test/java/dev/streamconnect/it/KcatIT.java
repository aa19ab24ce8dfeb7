package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.streamconnect.it.Sandbox.Role;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("kcat, a client of another library, with the sandbox's PEM files")
class KcatIT {

    private static final long LIMIT_SECONDS = 30;

    private record Result(int exitCode, String output) {}

    @TempDir Path work;

    private final Sandbox sandbox = Sandbox.shared();
    private final String topic = sandbox.topicName("kcat-" + UUID.randomUUID());

    @BeforeAll
    static void needsKcat() {
        boolean found =
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "kcat")));
        if (!found) {
            System.out.println(
                    "KcatIT is skipped: there is no kcat on the PATH (Debian: apt-get install kcat)");
        }
        assumeTrue(found, "kcat is not installed");
    }

    @BeforeEach
    void createTopic() {
        sandbox.restore();
        sandbox.topics().create(topic, 1);
    }

    @Test
    @DisplayName("produces to the near side and consumes from side A")
    void producesAndConsumes() throws Exception {
        List<String> files = pemFiles(sandbox.folder(), sandbox.folder());

        Result produced = produce(files, "hello");
        Result consumed =
                kcat(
                        "",
                        arguments(
                                Role.consumerA,
                                files,
                                "-C",
                                "-e",
                                "-q",
                                "-o",
                                "beginning",
                                "-t",
                                topic));

        assertThat(produced.exitCode()).as(produced.output()).isZero();
        assertThat(consumed).isEqualTo(new Result(0, "hello\n"));
    }

    @Test
    @DisplayName("is refused without a certificate")
    void withoutCertificate() throws Exception {
        assertRefused(List.of("-X", "ssl.ca.location=" + sandbox.file("ca.pem")));
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
            assertRefused(pemFiles(second.folder(), sandbox.folder()));
        }
    }

    private Result assertRefused(CertificateWish wish) throws Exception {
        return assertRefused(pemFiles(sandbox.folder(), sandbox.issue(wish).folder()));
    }

    private Result assertRefused(List<String> files) throws Exception {
        Result result = produce(files, "must not arrive");
        assertThat(result.exitCode()).as(result.output()).isNotZero();
        assertThat(sandbox.readBack().both(topic)).isEmpty();
        return result;
    }

    private Result produce(List<String> files, String message) throws Exception {
        List<String> withLimit = new ArrayList<>(files);
        withLimit.addAll(List.of("-X", "message.timeout.ms=6000"));
        return kcat(message + "\n", arguments(Role.producer, withLimit, "-P", "-t", topic));
    }

    private static List<String> pemFiles(Path trust, Path client) {
        return List.of(
                "-X", "ssl.ca.location=" + trust.resolve("ca.pem"),
                "-X", "ssl.certificate.location=" + client.resolve("client-cert.pem"),
                "-X", "ssl.key.location=" + client.resolve("client-key.pem"));
    }

    private List<String> arguments(Role role, List<String> files, String... mode) {
        List<String> arguments = new ArrayList<>(List.of(mode));
        arguments.addAll(List.of("-b", sandbox.bootstrap(role), "-X", "security.protocol=SSL"));
        arguments.addAll(files);
        return arguments;
    }

    private Result kcat(String input, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kcat"));
        command.addAll(arguments);
        Path in = Files.writeString(work.resolve("in"), input);
        Path out = work.resolve("out");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectInput(in.toFile())
                        .redirectOutput(out.toFile())
                        .start();
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        String output = Files.readString(out, StandardCharsets.UTF_8);
        return new Result(ended ? process.exitValue() : -1, output);
    }
}
