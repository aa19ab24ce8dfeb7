package dev.streamconnect.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@DisplayName("The command preflight")
class PreflightCommandTest {

    @TempDir Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path application;
    private int closed;

    @BeforeEach
    void writeFiles() throws IOException {
        try (ServerSocket port = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = port.getLocalPort();
        }
        Path records =
                Files.writeString(
                        folder.resolve("records.yaml"),
                        """
                        version: 1
                        connections:
                          - id: plant
                            bootstrapServers: "{{servers}}"
                        messageReplications:
                          - name: plant
                            connection: plant
                            topicReplications:
                              - {id: a, direction: toServiceNow, topicName: x, serviceNowTopic: y}
                              - {id: b, direction: fromServiceNow, topicName: p, serviceNowTopic: q}
                        """);
        application =
                Files.writeString(
                        folder.resolve("application.properties"),
                        """
                        servers = localhost:%d
                        camel.component.replication.records = file:%s
                        camel.component.hermes.instance = acme
                        camel.component.hermes.anyPorts = true
                        camel.component.hermes.producerBootstrapServers = localhost:%d
                        camel.component.hermes.consumerABootstrapServers = 127.0.0.2:%d
                        camel.component.hermes.consumerBBootstrapServers = 127.0.0.3:%d
                        camel.component.hermes.keystore = /no/such.p12
                        camel.component.hermes.keystorePassword = hush-hush
                        camel.main.routesIncludePattern = file:no-such-route.yaml
                        """
                                .formatted(closed, records, closed + 1, closed, closed));
    }

    @Test
    @DisplayName("prints a table with a mend below each red line, and answers 1")
    void red() {
        assertThat(run(application.toString())).isEqualTo(1);
        List<String> lines = out.toString().lines().toList();
        assertThat(lines.get(0)).containsSubsequence("WHERE", "STAGE", "WHAT", "FOUND");
        int refused = index(lines, "FAIL +plant customer +TCP +localhost:%d +connection refused");
        assertThat(lines.get(refused + 1)).contains("-> start what listens there");
        index(lines, "SKIPPED +plant customer +topic +x +no bootstrap address can be used");
        int store = index(lines, "FAIL +hermes side B +own certificate +client .*/no/such.p12.*");
        assertThat(lines.get(store + 1)).contains("-> ");
        assertThat(lines.get(lines.size() - 1)).startsWith("preflight: red: ok=");
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString()).doesNotContain("hush-hush").doesNotContain("\tat ");
    }

    private int index(List<String> lines, String pattern) {
        String regex = pattern.formatted(closed);
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).matches(regex)) {
                found.add(i);
            }
        }
        assertThat(found).as("%s in%n%s", regex, out).hasSize(1);
        return found.get(0);
    }

    @Test
    @DisplayName("answers machines in JSON, and looks at one topic replication if told so")
    void json() throws Exception {
        assertThat(run("--json", "--id", "a", application.toString())).isEqualTo(1);
        JsonNode root = new ObjectMapper().readTree(out.toString());
        assertThat(root.path("green").asBoolean()).isFalse();
        assertThat(root.at("/findings/0/stage").asText()).isEqualTo("dns");
        List<String> subjects = root.path("findings").findValuesAsText("subject");
        assertThat(subjects).contains("x", "snc.acme.y").doesNotContain("p", "snc.acme.q");
        assertThat(root.path("findings").findValuesAsText("side"))
                .contains("customer", "producer", "side A", "side B");
    }

    @Test
    @DisplayName("takes a property of its own, which wins over the file")
    void property() {
        assertThat(run("-D", "servers=no-such-host.invalid:1", application.toString()))
                .isEqualTo(1);
        assertThat(out.toString())
                .containsPattern("FAIL .* no-such-host.invalid +the host name is unknown");
    }

    @Test
    @DisplayName("says a mistake in options or records in one line, and answers 1")
    void mistakes() throws Exception {
        assertThat(run("-D", "camel.component.hermes.instance=A.B", application.toString()))
                .isEqualTo(1);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("no preflight: instance: 'A.B' is more than a name");
        err.getBuffer().setLength(0);
        assertThat(run("--id", "c", application.toString())).isEqualTo(1);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .contains("there is no topic replication 'c'");
        err.getBuffer().setLength(0);
        Files.writeString(folder.resolve("records.yaml"), "version: 1\nconnection: []\n");
        assertThat(run(application.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("unknown-field").doesNotContain("\tat ");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    @DisplayName("answers wrong usage with 2")
    void usage() {
        assertThat(run("/no/such")).isEqualTo(2);
        assertThat(err.toString()).startsWith("there is no file /no/such; correct the path");
        assertThat(run("--nonsense")).isEqualTo(2);
        assertThat(run(application.toString(), "more")).isEqualTo(2);
        assertThat(run("--help")).isZero();
    }

    private int run(String... args) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        List<String> all = new ArrayList<>(List.of("preflight"));
        all.addAll(List.of(args));
        return commandLine.execute(all.toArray(String[]::new));
    }
}
