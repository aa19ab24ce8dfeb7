package dev.streamconnect.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The quickstart as a process")
class QuickstartIT {

    private static final Path HOME =
            Path.of(System.getProperty("quickstart.home", "target/quickstart"));
    private static final long LIMIT_SECONDS = 240;

    @Test
    @DisplayName(
            "delivers both directions through refusals, a missing topic and fail-overs, and leaves nothing")
    void delivers() throws Exception {
        Process process = start(Map.of("quickstart.seconds", "12", "quickstart.freePorts", "true"));
        List<ProcessHandle> children = new ArrayList<>();
        try (var lines = process.inputReader()) {
            List<String> output =
                    lines.lines()
                            .peek(
                                    line -> {
                                        if (line.contains("sending")) {
                                            process.descendants().forEach(children::add);
                                        }
                                    })
                            .toList();

            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            for (String told :
                    List.of(
                            "quickstart: sent 3 to shipments that Hermes refuses: .*",
                            "quickstart: stored 3 of shipments: .* over the limit of 1048576 bytes.*",
                            "quickstart: stored 3 of customers: .*without a key.*",
                            "quickstart: created the missing topic snc.acme.returns",
                            "quickstart: the topic of shipments has max.message.bytes=2097152 now",
                            "quickstart: retry delivered 3 of shipments",
                            "quickstart: retry delivered 3 of customers",
                            "quickstart: fail-over: side B is near now",
                            "quickstart: fail-over: side A is near now",
                            "replicator \\| .* metrics - .*decisions-from-sn \\(From ServiceNow, .*",
                            "quickstart: to ServiceNow:   sent=\\d{4,} delivered=\\d{4,} undelivered=0 lost=0 .*",
                            "quickstart: from ServiceNow: sent=\\d{4,} delivered=\\d{4,} undelivered=0 lost=0 .*",
                            "replicator \\| .* metrics - .*orders-to-sn \\(To ServiceNow, .*")) {
                assertThat(output).anyMatch(line -> line.matches(told));
            }
            assertThat(output.get(output.size() - 1))
                    .as(String.join("\n", output))
                    .matches(
                            "quickstart: sent=\\d{4,} delivered=\\d{4,} undelivered=0 lost=0 duplicates=\\d+");
            assertThat(process.exitValue()).isZero();
            assertThat(children).hasSize(2);
            await().atMost(Duration.ofSeconds(5))
                    .until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(HOME.resolve("failed")).doesNotExist();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    @DisplayName("takes its children with it when it is killed")
    void killed() throws Exception {
        Process process = start(Map.of("quickstart.freePorts", "true"));
        List<ProcessHandle> children = new ArrayList<>();
        try (var lines = process.inputReader()) {
            for (String line = lines.readLine();
                    line != null && !line.contains("sending");
                    line = lines.readLine()) {
                assertThat(line).doesNotContain("do not run");
            }
            process.descendants().forEach(children::add);
        } finally {
            process.destroyForcibly();
        }
        assertThat(children).hasSize(2);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    @DisplayName("says at once that the local Hermes ended, and ends")
    void sandboxKilled() throws Exception {
        Process process = start(Map.of("quickstart.freePorts", "true"));
        List<String> output = new ArrayList<>();
        try (var lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.add(line);
                if (line.contains("sending")) {
                    sandbox(process).destroyForcibly();
                }
            }
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(output)
                .as("first before the rest ends, and as the last line")
                .filteredOn(line -> line.contains("the local Hermes ended"))
                .hasSize(2)
                .last()
                .isEqualTo(output.get(output.size() - 1));
    }

    private static ProcessHandle sandbox(Process quickstart) {
        return quickstart
                .descendants()
                .filter(child -> child.info().commandLine().orElse("").contains("HermesSandbox"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("names a port in use and the option that moves it, in one line")
    void busyPort() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            Process process =
                    start(
                            Map.of(
                                    "quickstart.seconds", "5",
                                    "quickstart.basePort", "17000",
                                    "quickstart.localPort", port));
            List<String> output;
            try (var lines = process.inputReader()) {
                output = lines.lines().toList();
            }
            assertThat(process.waitFor()).isEqualTo(1);
            assertThat(output)
                    .hasSize(2)
                    .last()
                    .asString()
                    .contains("port " + port, "-Dquickstart.localPort", "-Dquickstart.freePorts");
            assertThat(HOME.resolve("failed")).exists();
            assertThat(process.descendants()).isEmpty();
        }
    }

    private static Process start(Map<String, String> options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx256m");
        command.add("-Dsandbox.home=" + System.getProperty("sandbox.home"));
        command.add("-Dquickstart.home=" + HOME);
        options.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.addAll(List.of("-cp", HOME + "/lib/*", Quickstart.class.getName()));
        assertThat(Files.exists(HOME.resolve("lib"))).isTrue();
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
