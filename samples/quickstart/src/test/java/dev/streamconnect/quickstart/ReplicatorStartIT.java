package dev.streamconnect.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.DevelopmentStores;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.LocalCertificateIssuer;
import dev.streamconnect.certificate.Validity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The replicator, started in a copy of this sample as its README says")
class ReplicatorStartIT {

    private static final Path SAMPLE = Path.of("").toAbsolutePath();
    private static final Path HOME = Path.of(System.getProperty("quickstart.home"));
    private static final String PASSWORD = "only-for-this-test";
    private static final long LIMIT_SECONDS = 120;

    @TempDir static Path stores;

    @TempDir Path copy;

    @BeforeAll
    static void makeStores() throws Exception {
        Clock clock = Clock.systemUTC();
        DevelopmentStores.ensure(
                stores,
                new LocalCertificateIssuer(
                        CertificateAuthority.create(
                                HermesSubject.authority("acme-ca", "acme"),
                                Validity.of(clock.instant(), Duration.ofDays(1))),
                        Duration.ofHours(1),
                        clock),
                "acme",
                "start",
                PASSWORD.toCharArray());
    }

    /**
     * A slip of a user.
     *
     * @param file of the sample, or {@code HERMES_PASSWORD}
     * @param edit its text with the slip; null removes it
     * @param told what the line must say
     */
    record Slip(String name, String file, UnaryOperator<String> edit, List<String> told) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Slip> slips() {
        String records = "replications.yaml";
        String application = "application.properties";
        return Stream.of(
                new Slip("no records", records, text -> null, List.of("there is no", records)),
                edit("empty records", records, text -> "", records + ": file-empty: "),
                edit("records no YAML", records, text -> "version: [1", records + ":1:"),
                replace("a field", records, "route: n", "ruote: n", "unknown-field", "route?"),
                new Slip(
                        "no password in the environment",
                        "HERMES_PASSWORD",
                        text -> null,
                        List.of("environment variable HERMES_PASSWORD is not set")),
                edit(
                        "a wrong password",
                        "HERMES_PASSWORD",
                        text -> "not-it",
                        "keystorePassword: does not open"),
                replace(
                        "no store",
                        application,
                        "/keystore.p12",
                        "/k.p12",
                        "k.p12' does not exist"),
                replace(
                        "a port out of range",
                        application,
                        "localhost:4003",
                        "localhost:4203",
                        "producerBootstrapServers: port 4203",
                        "4000-4050"),
                replace(
                        "a port that is none",
                        application,
                        "portBase = 4000",
                        "portBase = abc",
                        "camel.component.hermes.portBase: ",
                        "'abc' is no whole number"),
                replace(
                        "an unknown option",
                        application,
                        "replication.records",
                        "replication.recrods",
                        "camel.component.replication.recrods: there is no such option"),
                replace(
                        "an undefined property",
                        application,
                        "local.bootstrap",
                        "local.bootstrp",
                        "replications.yaml:6:",
                        "{{local.bootstrap}}"),
                new Slip(
                        "no application.properties", application, text -> null, List.of("no file")),
                replace(
                        "an unknown id",
                        "routes/alarms.yaml",
                        "replication:alarms-to-sn\n",
                        "replication:alarms-to-s\n",
                        "route 'alarms' (alarms.yaml:",
                        "did you mean alarms-to-sn?"),
                replace(
                        "an unknown option of an endpoint",
                        "routes/alarms.yaml",
                        "replication:alarms-to-sn\n",
                        "replication:alarms-to-sn?bacth=true\n",
                        "route 'alarms' (alarms.yaml:",
                        "did you mean batch?"),
                replace(
                        "an operation",
                        "routes/status.yaml",
                        "operation=status",
                        "operation=explode",
                        "route 'status' (status.yaml:",
                        "operation: 'explode'"),
                replace(
                        "a step that is none",
                        "routes/alarms.yaml",
                        "- filter:",
                        "- fliter:",
                        "routes/alarms.yaml:8:",
                        "fliter"));
    }

    @ParameterizedTest
    @MethodSource("slips")
    @DisplayName("says a mistake in one line and ends with exit code 1")
    void mistake(Slip slip) throws Exception {
        for (String file :
                List.of(
                        "application.properties",
                        "log4j2.properties",
                        "replications.yaml",
                        "routes/alarms.yaml",
                        "routes/status.yaml")) {
            String text = Files.readString(SAMPLE.resolve(file));
            String changed = slip.file().equals(file) ? slip.edit().apply(text) : text;
            Files.createDirectories(copy.resolve(file).getParent());
            if (changed != null) {
                Files.writeString(copy.resolve(file), changed);
                assertThat(slip.file().equals(file)).isEqualTo(!changed.equals(text));
            }
        }
        Path output = copy.resolve("output");
        ProcessBuilder builder =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-Xmx256m",
                                "-Dhermes.files=" + stores,
                                "-Dlog4j2.configurationFile=log4j2.properties",
                                "-cp",
                                HOME.resolve("lib") + "/*",
                                Replicator.class.getName())
                        .directory(copy.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        String password =
                slip.file().equals("HERMES_PASSWORD") ? slip.edit().apply(PASSWORD) : PASSWORD;
        builder.environment().remove("HERMES_PASSWORD");
        if (password != null) {
            builder.environment().put("HERMES_PASSWORD", password);
        }
        assertSaid(builder, output, slip);
    }

    private static void assertSaid(ProcessBuilder builder, Path output, Slip slip)
            throws IOException, InterruptedException {
        Process process = builder.start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as("%s", lines).isEqualTo(1);
        assertThat(lines)
                .filteredOn(line -> !line.endsWith("Apache Camel (Main) 4.18.0 is starting"))
                .singleElement()
                .asString()
                .startsWith("not started: ")
                .contains(slip.told())
                .doesNotContain("Exception");
    }

    private static Slip edit(String name, String file, UnaryOperator<String> edit, String told) {
        return new Slip(name, file, edit, List.of(told));
    }

    private static Slip replace(String name, String file, String from, String to, String... told) {
        return new Slip(name, file, text -> text.replace(from, to), List.of(told));
    }
}
