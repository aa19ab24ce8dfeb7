package dev.streamconnect.record;

import static dev.streamconnect.record.RecordsText.faults;
import static dev.streamconnect.record.RecordsText.file;
import static dev.streamconnect.record.RecordsText.read;
import static dev.streamconnect.record.RecordsText.refused;
import static dev.streamconnect.record.RecordsText.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.cluster.NearNames;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordsReaderTest {

    static final String SECRETS =
            """
            version: 1
            connections:
              - id: plant
                bootstrapServers: a:1, b:2
                consumerGroupId: g
                properties: {sasl.jaas.config: 'hushhush required x="hushhush";', linger.ms: 5, x: true}
                ssl:
                  keystoreBase64: aHVzaGh1c2g=
                  keystorePassword: hushhush
                  keyPassword: hushhush
                  truststoreLocation: /t.jks
                  truststorePassword: hushhush
                  disableHostNameVerification: true
                sasl:
                  mechanism: SCRAM-SHA-256
                  username: us"er
                  password: hushhush\\
                  jaasTemplate: 'hushhush required u="${username}" p="${password}";'
            messageReplications: []
            """;

    @Test
    void readsAFileAndFillsInDefaults() {
        ReplicationRecords records =
                read(
                        file(
                                "      - direction: toServiceNow\n",
                                "        topicName: a.b\n",
                                "        serviceNowTopic: orders\n"));

        TopicReplication topic = records.topicReplications().get(0);
        assertThat(topic)
                .isEqualTo(
                        new TopicReplication(
                                "plant-a_b-to-sn",
                                "plant",
                                Direction.TO_SERVICENOW,
                                "a.b",
                                "orders",
                                Optional.empty(),
                                Optional.empty(),
                                StartFrom.EARLIEST,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                "topic-replication",
                                true));
        assertThat(topic.displayName()).isEqualTo("a.b [plant] -> orders [SN]");
        assertThat(topic.buildsRoute()).isTrue();
        assertThat(records.active(topic)).isTrue();
        assertThat(records.connectionOf(topic))
                .contains(KafkaConnection.plain("plant", "localhost:9092"));
        assertThat(records.topicReplication(topic.id())).contains(topic);
    }

    @Test
    void readsTheOtherDirectionATimeAndTheFlags() {
        String text =
                file(
                        "      - id: back\n",
                        "        direction: fromServiceNow\n",
                        "        topicName: t\n",
                        "        serviceNowTopic: s\n",
                        "        namespace: emea\n",
                        "        applicationId: sn_streamconnect\n",
                        "        startFrom: 2026-03-01T07:00:00+01:00\n",
                        "        failoverOrder: drainFirst\n",
                        "        deduplicate: drop\n",
                        "        route: none\n",
                        "        active: false\n");
        ReplicationRecords records = read(text, Optional.of("acme"), value -> null);
        TopicReplication topic = records.topicReplications().get(0);

        assertThat(topic.displayName()).isEqualTo("s [SN] -> t [plant]");
        assertThat(topic.startFrom())
                .isEqualTo(new StartFrom.At(Instant.parse("2026-03-01T06:00:00Z")));
        assertThat(topic.failoverOrder()).contains(FailoverOrder.DRAIN_FIRST);
        assertThat(topic.deduplicate()).contains(Deduplicate.DROP);
        assertThat(topic.buildsRoute()).isFalse();
        assertThat(records.active(topic)).isFalse();
        assertThat(
                        topic.hermesTopic(dev.streamconnect.cluster.HermesInstance.of("acme"))
                                .fullName())
                .isEqualTo("snc.acme.emea.sn_streamconnect.s");
    }

    @Test
    void readsCredentialsAndShowsNoneOfThem() {
        ReplicationRecords records = read(SECRETS);
        KafkaConnection plant = records.connection("plant").orElseThrow();

        assertThat(plant.properties()).containsEntry("linger.ms", "5").containsEntry("x", "true");
        assertThat(plant.ssl().orElseThrow().keystore().orElseThrow().type()).isEmpty();
        assertThat(plant.securityProtocol()).isEqualTo("SASL_SSL");
        SaslCredentials sasl = plant.sasl().orElseThrow();
        assertThat(sasl.jaasConfig().reveal())
                .isEqualTo("hushhush required u=\"us\\\"er\" p=\"hushhush\\\\\";");
        assertThat(records.toString())
                .contains("***")
                .doesNotContain("hush")
                .doesNotContain("aHVz");
        assertThat(sasl.jaasConfig()).hasToString("***");
    }

    @Test
    void showsNoSecretInAnyFaultWhateverCharacterOfTheFileIsBroken() {
        for (int i = 0; i < SECRETS.length(); i++) {
            for (String broken :
                    List.of("", "*", "&", "!", "\t", "{{", "'", "[", ": ", "%", "\\")) {
                String text = SECRETS.substring(0, i) + broken + SECRETS.substring(i + 1);
                try {
                    read(text);
                } catch (RecordsException e) {
                    assertThat(e.toString())
                            .doesNotContainIgnoringCase("shhush")
                            .doesNotContainIgnoringCase("hushhus");
                }
            }
        }
    }

    @Test
    void resolvesPlaceholdersAlsoForFlags() {
        String text =
                """
                version: 1
                connections:
                  - {id: plant, bootstrapServers: "{{servers}}"}
                messageReplications:
                  - {name: plant, connection: plant, active: "{{on}}"}
                """;
        ReplicationRecords records =
                read(
                        text,
                        Optional.empty(),
                        value -> value.replace("{{servers}}", "h:1").replace("{{on}}", "false"));

        assertThat(records.connection("plant").orElseThrow().bootstrapServers()).isEqualTo("h:1");
        assertThat(records.messageReplications().get(0).active()).isFalse();
    }

    @Test
    void namesThePlaceholderThatCannotBeResolvedAndNotItsDefault() {
        String text =
                """
                version: 1
                connections:
                  - {id: plant, bootstrapServers: "{{servers}}"}
                  - {id: two, bootstrapServers: 'x:1', consumerGroupId: "a{{env:G:hush}}"}
                messageReplications:
                  - name: plant
                    connection: plant
                    active: {{on}}
                """;
        assertThat(faults(text))
                .containsExactly(
                        "3 unresolved-placeholder", "4 unresolved-placeholder", "8 yaml-syntax");
        assertThat(refused(text))
                .hasMessageContaining("{{servers}}")
                .hasMessageContaining("{{env:G}}");
        assertThat(refused(text)).message().doesNotContain("hush");
        assertThatThrownBy(
                        () ->
                                read(
                                        text,
                                        Optional.empty(),
                                        value -> {
                                            throw new IllegalStateException("hush");
                                        }))
                .isInstanceOf(RecordsException.class)
                .message()
                .doesNotContain("hush");
    }

    @Test
    void reportsAllFaultsOfAFileAtOnceInTheOrderOfTheirLines() {
        String text =
                """
                version: 1
                connections:
                  - id: plant
                    bootstrapServers: localhost
                    bootstrapservers: x
                  - id: other
                messageReplications:
                  - name: plant
                    connection: plan
                    active: perhaps
                    topicReplications:
                      - direction: sideways
                        topicName: 7
                      - id: a b
                        direction: toServiceNow
                        topicName: __consumer_offsets
                        serviceNowTopic: SNC.acme.t
                        startFrom: noon
                        topicName: x
                """;
        assertThat(faults(text))
                .containsExactly(
                        "4 bad-bootstrap-servers",
                        "5 unknown-field",
                        "6 missing-field",
                        "9 unknown-connection",
                        "10 wrong-value",
                        "12 missing-field",
                        "12 wrong-value",
                        "13 wrong-type",
                        "14 bad-id",
                        "16 internal-topic",
                        "17 bad-servicenow-topic",
                        "18 bad-start-from",
                        "19 duplicate-field");
        assertThat(refused(text).getMessage().lines().toList())
                .hasSize(14)
                .first()
                .isEqualTo("13 faults in the replication records:");
        assertThat(refused(text).getMessage())
                .contains("records.yaml:5:5: unknown-field")
                .contains("did you mean bootstrapServers?")
                .contains("use one of toServiceNow, fromServiceNow")
                .contains("put it in quotes")
                .contains("use true or false");
        assertThat(refused(text).getStackTrace()).isEmpty();
    }

    @Test
    void refusesWhatIsOfTheTwoSidesTowardServiceNow() {
        String text =
                file(
                        "      - direction: toServiceNow\n",
                        "        topicName: t\n",
                        "        serviceNowTopic: s\n",
                        "        failoverOrder: drainFirst\n",
                        "        deduplicate: never\n");
        assertThat(refused(text))
                .hasMessageContaining(
                        "wrong-value: 'failoverOrder' goes with 'direction: fromServiceNow' alone;"
                                + " leave it out")
                .hasMessageContaining("use one of none, count, drop");
    }

    @Test
    void namesTheKnownFieldsWhereNoneIsNear() {
        assertThat(refused("version: 1\nconnections: []\nmessageReplications: []\nzzz: 1\n"))
                .hasMessageContaining(
                        "known here: connections, credentials, messageReplications, version");
    }

    @Test
    void aBrokenRecordMakesNoFollowingFaults() {
        String text =
                """
                version: 1
                connections:
                  - {id: plant}
                messageReplications:
                  - {name: plant, connection: plant}
                """;
        assertThat(faults(text)).containsExactly("3 missing-field");
        assertThat(faults(text.replace("id: plant", "id: 5")))
                .containsExactly("3 missing-field", "3 wrong-type");
    }

    @Test
    void refusesEachUnreadableFileWithOneFault(@TempDir Path folder) throws Exception {
        RecordsReader reader = RecordsReader.plain();
        Path file = folder.resolve("r.yaml");

        assertOne(() -> reader.read(file), RecordRule.FILE_UNREADABLE);
        assertOne(() -> reader.read(folder), RecordRule.FILE_UNREADABLE);
        Files.write(file, new byte[0]);
        assertOne(() -> reader.read(file), RecordRule.FILE_EMPTY);
        Files.writeString(file, "# nothing but a comment\n");
        assertOne(() -> reader.read(file), RecordRule.FILE_EMPTY);
        Files.writeString(file, "---\n");
        assertOne(() -> reader.read(file), RecordRule.FILE_EMPTY);
        Files.write(file, "version: 1 # ü".getBytes(StandardCharsets.ISO_8859_1));
        assertOne(() -> reader.read(file), RecordRule.FILE_ENCODING);
        Files.write(file, file("").getBytes(StandardCharsets.UTF_16));
        assertOne(() -> reader.read(file), RecordRule.FILE_ENCODING);
        Files.writeString(file, "#".repeat(RecordsFile.MAX_BYTES + 1));
        assertOne(() -> reader.read(file), RecordRule.FILE_TOO_LARGE);
        Files.writeString(file, "\uFEFF" + file(to("a", "b", "c")));
        assertThat(reader.read(file).topicReplications()).hasSize(1);
    }

    @Test
    void refusesWhatIsNoPlainYamlWithOneFault() {
        assertThat(faults("version: 1\n\tconnections: []\n")).containsExactly("2 yaml-syntax");
        assertThat(refused("version: 1\n\tconnections: []\n")).hasMessageContaining("tab");
        assertThat(faults("version: 1\nconnections: [\n")).containsExactly("3 yaml-syntax");
        assertThat(faults("version: 1\n---\nversion: 1\n")).containsExactly("2 yaml-syntax");
        assertThat(faults("- version: 1\n")).containsExactly("1 wrong-type");
        assertThat(faults("hello\n")).containsExactly("1 wrong-type");
        assertThat(faults("version: 2\nanything: goes\n")).containsExactly("1 unsupported-version");
        assertThat(faults("version: 1.0\n")).containsExactly("1 unsupported-version");
        assertThat(faults("version: '1'\nconnections: []\nmessageReplications: []\n"))
                .containsExactly("1 wrong-type");
        assertThat(faults("connections: []\nmessageReplications: []\n"))
                .containsExactly("1 missing-field");
        assertThat(faults("a: " + "[".repeat(100_000))).containsExactly("1 yaml-syntax");
        assertThat(faults("a: &a [*a, *a]\n")).containsExactly("1 yaml-syntax");
        assertThat(faults("version: !x 1\nconnections: []\nmessageReplications: []\n"))
                .containsExactly("1 yaml-syntax");
    }

    @Test
    void refusesAliasesThatBlowUp() {
        StringBuilder text = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++) {
            String before = "*a" + (i - 1);
            text.append(
                    "a%d: &a%d [%s]\n"
                            .formatted(
                                    i,
                                    i,
                                    String.join(", ", List.of(before, before, before, before))));
        }
        assertThat(faults(text.toString())).containsExactly("1 yaml-syntax");
    }

    @Test
    void takesAliasesInModeration() {
        String text =
                file(to("a", "b", "c"))
                        .replace("localhost:9092", "&s localhost:9092")
                        .replace(
                                "messageReplications",
                                "  - {id: two, bootstrapServers: *s}\nmessageReplications");
        assertThat(read(text).connections()).hasSize(2);
    }

    @Test
    void leavesTheStreamOpen() {
        boolean[] closed = new boolean[1];
        ByteArrayInputStream stream =
                new ByteArrayInputStream(file(to("a", "b", "c")).getBytes(StandardCharsets.UTF_8)) {
                    @Override
                    public void close() {
                        closed[0] = true;
                    }
                };
        RecordsReader.plain().read(stream, "s");
        assertThat(closed[0]).isFalse();
    }

    private static void assertOne(Runnable read, RecordRule rule) {
        assertThatThrownBy(read::run)
                .isInstanceOfSatisfying(
                        RecordsException.class,
                        e ->
                                assertThat(e.faults())
                                        .singleElement()
                                        .extracting(RecordFault::rule)
                                        .isEqualTo(rule));
    }

    @Test
    void refusesTagsOfYamlItself() {
        assertThat(refused("version: !!int 1\n").getMessage())
                .contains("records.yaml:1:10: yaml-syntax: tags are not taken");
        assertThat(refused(file().replace("id: plant", "id: ! plant")).getMessage())
                .contains("records.yaml:3:9: yaml-syntax: tags are not taken");
        assertThat(refused("!!map\nversion: 1\n").getMessage())
                .contains("records.yaml:1:1: yaml-syntax: tags are not taken");
    }

    @Test
    void namesThePlaceOfAControlCharacter() {
        assertThat(refused("version: 1\nconnections: \u0000[]\n").getMessage())
                .contains("records.yaml:2:14: yaml-syntax: a control character; remove it");
    }

    @Test
    void refusesClientPropertiesOfTheEngine() {
        String text =
                file().replace(
                                "    bootstrapServers: localhost:9092\n",
                                "    bootstrapServers: localhost:9092\n"
                                        + "    properties:\n"
                                        + "      linger.ms: 5\n"
                                        + "      group.id: mine\n"
                                        + "      acks: 1\n");
        assertThat(refused(text).getMessage())
                .contains(
                        "records.yaml:7:7: managed-property: 'group.id' is set by the engine and would be ignored; use"
                                + " the field consumerGroupId",
                        "records.yaml:8:7: managed-property: 'acks'")
                .doesNotContain("linger.ms");
    }

    @Test
    void saysHowToMendAWrongType() {
        assertThat(refused("version: one\nconnections: []\nmessageReplications: []\n").getMessage())
                .contains("'version' must be a number, but is text; write digits without quotes");
        assertThat(refused("version: 1\nconnections: x\nmessageReplications: []\n").getMessage())
                .contains("'connections' must be a list, but is text; begin each entry with '- '");
        assertThat(refused(file().replace(":9092", "")).getMessage())
                .contains("'localhost' has no port; write it as localhost:9092");
    }

    @Test
    void knowsTwoLettersTheWrongWayRound() {
        assertThat(NearNames.of("bacth", List.of("batch", "json"))).containsExactly("batch");
        assertThat(NearNames.of("bth", List.of("batch"))).isEmpty();
    }
}
