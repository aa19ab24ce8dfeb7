package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.streamconnect.camel.RecordsStatus;
import dev.streamconnect.cluster.TestStores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.health.HealthCheck;
import org.apache.camel.health.HealthCheckRegistry;
import org.apache.camel.impl.health.DefaultHealthCheckRegistry;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The watch over the records")
class RecordsWatchTest extends LiveRecordsTestSupport {

    private static final String A = toServiceNow("a", "a", "");
    private static final String B = toServiceNow("b", "b", "");
    private static final String C = toServiceNow("c", "c", "");

    @Override
    protected String topicReplications() {
        return A + B;
    }

    @Override
    protected void configure(CamelContext context) throws Exception {
        super.configure(context);
        context.getCamelContextExtension()
                .addContextPlugin(
                        HealthCheckRegistry.class, new DefaultHealthCheckRegistry(context));
    }

    private HealthCheck.Result health() {
        return HealthCheckRegistry.get(context).getCheck("streamconnect").orElseThrow().call();
    }

    private void assertAsBefore(String version) {
        assertNothingOpened();
        assertThat(openLinks()).containsExactly("a", "b");
        assertThat(records().version()).isEqualTo(version);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "   \n",
                "version: 1\nconnections: [",
                "version: 2",
                "version: 1\nconnections: []\nmessageReplications: []\nmore: yes",
                "just a text",
                "- a\n- b"
            })
    @DisplayName("what can't be used changes nothing and is told once, until it is mended")
    void brokenFile(String text) throws Exception {
        String good = Files.readString(file());
        String version = records().version();
        Instant began = Instant.now();

        changeFile(text);
        settle();

        assertAsBefore(version);
        assertThat(refusals()).hasSize(1).first().asString().contains(file().toString());
        RecordsStatus status = records();
        assertThat(status.warning()).startsWith(file().toString());
        assertThat(status.warningSince()).isBetween(began, Instant.now());
        assertThat(health().getState()).isEqualTo(HealthCheck.State.UP);
        assertThat(health().getMessage().orElseThrow())
                .startsWith(
                        "newer replication records are not used since " + status.warningSince());

        changeFile(good);
        assertAsBefore(version);
        assertThat(records().warning()).isNull();
        assertThat(records().warningSince()).isNull();
        assertThat(logs.lines()).last().asString().contains("they are as version " + version);
        assertThat(health().getMessage()).isEmpty();
    }

    @Test
    @DisplayName("a fault is told with file, line and rule; another one anew, and since the first")
    void faults() throws Exception {
        change(A + B + C.replace("topicName", "topicname") + A);
        assertThat(refusals())
                .first()
                .asString()
                .contains(file() + ":12:9: missing-field: 'topicName' is missing")
                .contains("(and 3 more; 'validate' lists all)");
        Instant since = records().warningSince();

        change(A + B + toServiceNow("a2", "a", ""));
        assertThat(refusals()).hasSize(2).last().asString().contains(" same-pair-twice: ");
        assertThat(records().warningSince()).isEqualTo(since);
        assertNothingOpened();

        change(A + B + C);
        assertThat(records().warning()).isNull();
        assertThat(engine.opened).containsExactly("c");
    }

    @Test
    @DisplayName("conflicts are judged over the version as a whole, before anything is touched")
    void loop() throws Exception {
        change(
                A
                        + toServiceNow("b", "other", "")
                        + "- { id: back, direction: fromServiceNow, topicName: a, serviceNowTopic: a }\n");

        assertThat(refusals()).hasSize(1).first().asString().contains(" loop: ");
        assertNothingOpened();
        assertThat(openLinks()).containsExactly("a", "b");
        assertThat(link("b").definition.sourceTopic()).isEqualTo("b");
    }

    @Test
    @DisplayName(
            "a store that can't be opened keeps the old version; it is mended by the store alone")
    void wrongKeystore() throws Exception {
        String text = Files.readString(file());
        changeFile(
                text.replace(
                        "localhost:9092",
                        "localhost:9092\n    ssl: { truststoreLocation: '"
                                + folder.resolve("trust.p12")
                                + "', truststoreType: PKCS12, truststorePassword: secret-word }"));
        settle();
        assertNothingOpened();
        assertThat(openLinks()).containsExactly("a", "b");
        assertThat(refusals())
                .hasSize(1)
                .first()
                .asString()
                .contains("connection 'plant': ssl.truststoreLocation: ")
                .doesNotContain("secret-word");

        Path keystore =
                TestStores.keystore(
                        folder.resolve("k.p12"), "PKCS12", "secret-word", "secret-word", "CN=ca");
        TestStores.truststore(
                folder.resolve("trust.p12"), "PKCS12", "secret-word", keystore, "secret-word");
        component().watch().look();
        assertThat(engine.opened).containsExactlyInAnyOrder("a", "b");
        assertThat(records().warning()).isNull();
    }

    @Test
    @DisplayName("a file that is gone changes nothing; one that comes back as it was, neither")
    void fileGone() throws Exception {
        String version = records().version();
        String good = Files.readString(file());
        Files.delete(file());
        settle();
        assertAsBefore(version);
        assertThat(refusals()).hasSize(1).first().asString().contains("file-unreadable");
        Files.createDirectory(file());
        settle();
        assertAsBefore(version);
        assertThat(refusals()).hasSize(2);
        Files.delete(file());

        changeFile(good);
        assertAsBefore(version);
        assertThat(records().warning()).isNull();
    }

    @Test
    @DisplayName("a version that one look alone has seen is not taken up: it may be half written")
    void halfWritten() throws Exception {
        write(A + B + C);
        String whole = Files.readString(file());
        // A valid file, without its last record.
        Files.writeString(file(), whole.substring(0, whole.indexOf("      - { id: b")));
        component().watch().look();
        Files.writeString(file(), whole.substring(0, whole.indexOf("id: c")));
        component().watch().look();
        Files.writeString(file(), whole);
        component().watch().look();
        assertNothingOpened();
        assertThat(openLinks()).containsExactly("a", "b");

        component().watch().look();
        assertThat(engine.opened).containsExactly("c");
        assertThat(openLinks()).containsExactly("a", "b", "c");
        assertThat(refusals()).isEmpty();
    }

    @Test
    @DisplayName("a write in place of the same size and time is noticed")
    void sameSizeAndTime() throws Exception {
        var time = Files.getLastModifiedTime(file());
        Files.writeString(file(), Files.readString(file()).replace("topicName: a", "topicName: x"));
        Files.setLastModifiedTime(file(), time);
        settle();
        assertThat(engine.opened).containsExactly("a");
    }

    @Test
    @DisplayName("a file renamed over the old one is noticed")
    void renamed() throws Exception {
        Path next = folder.resolve("next");
        Files.writeString(next, Files.readString(file()).replace("topicName: a", "topicName: x"));
        Files.move(next, file(), StandardCopyOption.ATOMIC_MOVE);
        settle();
        assertThat(engine.opened).containsExactly("a");
    }

    @Test
    @DisplayName("records of an earlier time, and back again, are versions like others")
    void backAndForth() throws Exception {
        String version = records().version();
        change(A + B + C);
        change(A + B);
        assertThat(records().version()).isEqualTo(version);
        assertThat(openLinks()).containsExactly("a", "b");
        change(A + B + C);
        assertThat(openLinks()).containsExactly("a", "b", "c");
    }

    @Test
    @DisplayName("operation=status&by=records tells the version in effect, as an object or JSON")
    void status() throws Exception {
        Instant before = Instant.now();
        change(A + B + C);
        RecordsStatus status = records();
        assertThat(status.source()).isEqualTo(file().toString());
        assertThat(status.version()).matches("[0-9a-f]{16}");
        assertThat(status.changed()).isEqualTo(Files.getLastModifiedTime(file()).toInstant());
        assertThat(status.loaded()).isBetween(before, Instant.now());

        changeFile("nonsense");
        JsonNode json =
                new ObjectMapper()
                        .readTree(
                                template.requestBody(
                                        "replication:*?operation=status&by=records&json=true",
                                        null,
                                        String.class));
        assertThat(json.get("version").asText()).isEqualTo(status.version());
        assertThat(json.get("loaded").asText()).isEqualTo(status.loaded().toString());
        assertThat(json.get("warning").asText()).contains("wrong-type");
        assertThat(json.get("warningSince").asText()).isNotEmpty();
        assertThatThrownBy(
                        () ->
                                context.getEndpoint("replication:a?operation=status&by=records")
                                        .createProducer())
                .hasMessage("by: records tells of all records of this node; write replication:*");
        assertThat(List.of(component().getRecordsStatus())).first().asString().contains("warning");
    }
}
