package dev.streamconnect.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ValidateCommandTest {

    private static final String GOOD =
            """
            version: 1
            connections:
              - id: plant
                bootstrapServers: "{{servers}}"
                sasl: {mechanism: PLAIN, username: u, password: hush}
            messageReplications:
              - name: plant
                connection: plant
                topicReplications:
                  - {id: a, direction: toServiceNow, topicName: x, serviceNowTopic: y}
                  - {id: b, direction: fromServiceNow, topicName: p, serviceNowTopic: q, active: false}
            """;

    @TempDir Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path good;
    private Path bad;

    @BeforeEach
    void writeFiles() throws IOException {
        good = Files.writeString(folder.resolve("good.yaml"), GOOD);
        bad =
                Files.writeString(
                        folder.resolve("bad.yaml"), GOOD.replace("topicName: x", "topicname: x"));
    }

    @Test
    void listsValidRecords() {
        assertThat(run("validate", "-Dservers=h:1", good.toString())).isZero();
        assertThat(out.toString().lines().toList())
                .hasSize(4)
                .satisfies(
                        lines -> {
                            assertThat(lines.get(0)).contains("topic replications=2 (active=1)");
                            assertThat(lines.get(2))
                                    .matches(
                                            "  a +To ServiceNow +x +y +yes +x \\[plant] -> y \\[SN]");
                            assertThat(lines.get(3))
                                    .contains(" no ")
                                    .endsWith("q [SN] -> p [plant]");
                        });
        assertThat(out.toString() + err).doesNotContain("hush");
    }

    @Test
    void listsAllFaultsOfAllFiles() {
        assertThat(run("validate", bad.toString(), folder.resolve("none.yaml").toString()))
                .isEqualTo(1);
        assertThat(err.toString())
                .startsWith("warning: ")
                .contains("bad.yaml:5:53: secret-in-clear")
                .contains("4 faults")
                .contains("bad.yaml:10:42: unknown-field")
                .contains("bad.yaml:10:9: missing-field")
                .contains("unresolved-placeholder: cannot resolve {{servers}}")
                .contains("none.yaml: file-unreadable")
                .doesNotContain("hush")
                .doesNotContain("\tat ");
    }

    @Test
    void answersMachinesInJson() throws Exception {
        assertThat(run("validate", "--json", "-Dservers=h:1", good.toString())).isZero();
        JsonNode root = new ObjectMapper().readTree(out.toString());
        assertThat(root.path("valid").asBoolean()).isTrue();
        assertThat(root.at("/topicReplications/1/direction").asText()).isEqualTo("fromServiceNow");

        out.getBuffer().setLength(0);
        assertThat(run("validate", "--json", "-Dservers=h:1", bad.toString())).isEqualTo(1);
        root = new ObjectMapper().readTree(out.toString());
        assertThat(root.path("valid").asBoolean()).isFalse();
        assertThat(root.at("/faults/0/rule").asText()).isEqualTo("missing-field");
        assertThat(root.at("/faults/1/line").asInt()).isEqualTo(10);
    }

    @Test
    void takesPropertiesFromAFileTheEnvironmentAndDefaults() throws Exception {
        Path properties = Files.writeString(folder.resolve("p.properties"), "servers = h:1\n");
        assertThat(run("validate", "--properties", properties.toString(), good.toString()))
                .isZero();
        Files.writeString(good, GOOD.replace("{{servers}}", "{{none:h}}:{{env:NO_SUCH_NAME:1}}"));
        assertThat(run("validate", good.toString())).isZero();
    }

    @Test
    void checksTheInstance() throws IOException {
        Files.writeString(good, GOOD.replace("serviceNowTopic: y", "serviceNowTopic: snc.prod.y"));
        assertThat(run("validate", "-Dservers=h:1", "--instance", "acme", good.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("instance-mismatch");
        assertThat(run("validate", "-Dservers=h:1", "--instance", "prod", good.toString()))
                .isZero();
    }

    @Test
    void answersWrongUsageWithTwo() {
        assertThat(run("validate")).isEqualTo(2);
        assertThat(run("validate", "--nonsense", good.toString())).isEqualTo(2);
        assertThat(run("validate", "--instance", "A.B", good.toString())).isEqualTo(2);
        assertThat(run("validate", "--properties", "/no/such", good.toString())).isEqualTo(2);
        assertThat(run("unknown")).isEqualTo(2);
    }

    @Test
    void saysWrongUsageInOneSentence() {
        assertUsage("there is no file /no/such; correct the path", "--properties", "/no/such");
        assertUsage("Unknown option: '--nonsense'", "--nonsense");
        assertUsage("Value for option '--property' ", "-D", "x");
    }

    private void assertUsage(String told, String... options) {
        err.getBuffer().setLength(0);
        List<String> all = new ArrayList<>(List.of("validate", good.toString()));
        all.addAll(List.of(options));
        assertThat(run(all.toArray(String[]::new))).isEqualTo(2);
        List<String> lines = err.toString().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).contains(told);
        assertThat(lines.get(1)).isEqualTo("Try 'streamconnect validate --help' for its usage.");
    }

    @Test
    void warnsOfSecretsInClearAndOfStoreFilesThatAreNotHere() throws Exception {
        Files.writeString(
                good,
                GOOD.replace(
                        "sasl:",
                        "ssl: {keystoreLocation: /no/k.p12, truststoreLocation: "
                                + good
                                + "}\n    sasl:"));
        assertThat(run("validate", "-Dservers=h:1", good.toString())).isZero();
        assertThat(err.toString()).doesNotContain("hush");
        assertThat(err.toString().lines().toList())
                .hasSize(2)
                .satisfies(
                        lines -> {
                            assertThat(lines.get(0))
                                    .contains("good.yaml:6:53: secret-in-clear: 'password'");
                            assertThat(lines.get(1))
                                    .contains(
                                            "connection 'plant': keystoreLocation: there is no file"
                                                    + " '/no/k.p12' here");
                        });

        assertThat(run("validate", "--json", "-Dservers=h:1", good.toString())).isZero();
        String json = out.toString().substring(out.toString().indexOf("{\n"));
        assertThat(new ObjectMapper().readTree(json).path("warnings")).hasSize(2);
    }

    private int run(String... args) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(args);
    }
}
