package dev.streamconnect.record;

import static dev.streamconnect.record.RecordsText.SOURCE;
import static dev.streamconnect.record.RecordsText.faults;
import static dev.streamconnect.record.RecordsText.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("All faults of a file at once")
class AllFaultsAtOnceTest {

    private static String topics(String... lines) {
        return RecordsText.file("      " + String.join("\n      ", lines) + "\n");
    }

    private static String connections(String... lines) {
        return """
                version: 1
                messageReplications: []
                connections:
                """
                + "  "
                + String.join("\n  ", lines)
                + "\n";
    }

    @Test
    @DisplayName("a field of a topic replication that is missing hides no rule of its others")
    void topicReplication() {
        assertThat(
                        faults(
                                topics(
                                        "- {id: a b, topicName: __x, serviceNowTopic: SNC.acme.t, route: 'r r'}",
                                        "- {id: c, direction: toServiceNow, topicName: t, namespace: sn_x}",
                                        "- {id: d, direction: toServiceNow, serviceNowTopic: s, deduplicate: drop}",
                                        "- {id: d, direction: sideways, topicName: t, serviceNowTopic: u}")))
                .containsExactly(
                        "9 missing-field",
                        "9 bad-id",
                        "9 internal-topic",
                        "9 bad-servicenow-topic",
                        "9 bad-route",
                        "10 missing-field",
                        "10 bad-namespace",
                        "11 missing-field",
                        "11 wrong-value",
                        "12 duplicate-id",
                        "12 wrong-value");
    }

    @Test
    @DisplayName("a conflict is told beside a fault of form in the same and in other records")
    void conflicts() {
        assertThat(
                        faults(
                                topics(
                                        "- {id: a, direction: toServiceNow, topicName: t, serviceNowTopic: s, onGap: 7}",
                                        "- {id: b, direction: toServiceNow, topicName: t, serviceNowTopic: u}",
                                        "- {id: c, direction: fromServiceNow, topicName: t, serviceNowTopic: s, colour: red}",
                                        "- {id: 4}")))
                .contains("10 source-with-two-destinations", "11 loop", "9 wrong-type");
    }

    @Test
    @DisplayName("no conflict is told from a field that is at fault")
    void noConflictFromFaults() {
        assertThat(
                        faults(
                                topics(
                                        "- {id: a, direction: toServiceNow, topicName: t, serviceNowTopic: s}",
                                        "- {id: b, direction: toServiceNow, topicName: t, serviceNowTopic: u, active: perhaps}",
                                        "- {id: c, direction: sideways, topicName: t, serviceNowTopic: v, deduplicate: drop}",
                                        "- {id: d, direction: toServiceNow, topicName: x, serviceNowTopic: s, namespace: 7}")))
                .containsExactly("10 wrong-value", "11 wrong-value", "12 wrong-type");
    }

    @Test
    @DisplayName("the same of a message replication: its name, connection and flag")
    void messageReplication() {
        String text =
                """
                version: 1
                connections:
                  - {id: plant, bootstrapServers: 'h:1'}
                messageReplications:
                  - name: 7
                    connection: plan
                    topicReplications:
                      - {direction: toServiceNow, topicName: t, serviceNowTopic: s}
                      - {direction: toServiceNow, topicName: t, serviceNowTopic: s}
                  - name: "  "
                    topicReplications:
                      - {id: a, direction: toServiceNow, topicName: u, serviceNowTopic: s}
                  - name: off
                    connection: plant
                    active: perhaps
                    topicReplications:
                      - {id: b, direction: toServiceNow, topicName: u, serviceNowTopic: s}
                  - name: on
                    connection: plant
                    topicReplications:
                      - {id: a, direction: toServiceNow, topicName: u, serviceNowTopic: s}
                """;
        assertThat(faults(text))
                .containsExactly(
                        "5 wrong-type",
                        "6 unknown-connection",
                        "10 missing-field",
                        "10 bad-name",
                        "15 wrong-value",
                        "21 duplicate-id");
        assertThat(refused(text)).hasMessageContaining("is that of another topic replication");
    }

    @Test
    @DisplayName("a topic replication conflicts though the name above it is at fault")
    void conflictBelowNameless() {
        assertThat(
                        faults(
                                """
                                version: 1
                                connections:
                                  - {id: plant, bootstrapServers: 'h:1'}
                                messageReplications:
                                  - connection: plant
                                    topicReplications:
                                      - {id: a, direction: toServiceNow, topicName: t, serviceNowTopic: s}
                                      - {id: b, direction: toServiceNow, topicName: t, serviceNowTopic: s}
                                """))
                .containsExactly("5 missing-field", "8 same-pair-twice");
    }

    @Test
    @DisplayName("a connection without id or servers is judged by its other fields")
    void connection() {
        assertThat(
                        faults(
                                connections(
                                        "- {bootstrapServers: h, properties: {group.id: x, linger.ms: soon}}",
                                        "- {id: a b, consumerGroupId: ' ', credential: none}",
                                        "- {id: c, bootstrapServers: 7, ssl: {keystoreBase64: '!'}}",
                                        "- {id: c, bootstrapServers: 'h:1', ssl: {keystoreLocation: 7}}")))
                .containsExactlyInAnyOrder(
                        "4 missing-field",
                        "4 bad-bootstrap-servers",
                        "4 managed-property",
                        "4 bad-property",
                        "5 missing-field",
                        "5 bad-id",
                        "5 bad-group-id",
                        "5 unknown-credential",
                        "6 wrong-type",
                        "6 bad-store",
                        "7 duplicate-connection",
                        "7 wrong-type");
    }

    @Test
    @DisplayName("no group is shared, and no connection unknown, by what can't be read")
    void connectionsUnread() {
        assertThat(
                        faults(
                                """
                                version: 1
                                connections:
                                  - {id: a, bootstrapServers: 'h:1', consumerGroupId: acme-consumer-b}
                                  - {id: b, bootstrapServers: 'h:1', consumerGroupId: 7}
                                  - plant
                                messageReplications:
                                  - {name: n, connection: plant}
                                """,
                                Optional.of("acme")))
                .containsExactly("4 wrong-type", "5 wrong-type");
    }

    @Test
    @DisplayName("credentials: without id, and SASL with a field missing or without its mechanism")
    void credentials() {
        assertThat(
                        faults(
                                """
                                version: 1
                                credentials:
                                  - {properties: {group.id: x}, ssl: {keyPassword: p}}
                                  - {id: a, sasl: {mechanism: OAUTHBEARER, tokenEndpointUrl: x, clientId: c}}
                                  - {id: b, sasl: {mechanism: PLAIN, username: u, clientId: c}}
                                  - {id: c, sasl: {username: u}}
                                connections:
                                  - {id: plant, bootstrapServers: 'h:1', credential: d}
                                messageReplications: []
                                """))
                .containsExactlyInAnyOrder(
                        "3 missing-field",
                        "3 managed-property",
                        "3 bad-store",
                        "4 missing-field",
                        "4 bad-sasl",
                        "5 missing-field",
                        "5 wrong-value",
                        "6 missing-field");
    }

    @Test
    @DisplayName("warnings are told beside faults")
    void warnings() {
        List<RecordFault> told = new ArrayList<>();
        RecordsReader reader = new RecordsReader(text -> null, Optional.empty(), told::addAll);
        String text =
                connections(
                        "- {id: a, bootstrapServers: h, properties: {linger.msec: 5}}",
                        "- {id: b, ssl: {keystorePassword: hushhush}}");
        assertThatThrownBy(() -> reader.parse(text, SOURCE))
                .isInstanceOf(RecordsException.class)
                .message()
                .doesNotContain("hush");
        assertThat(told)
                .extracting(fault -> fault.line() + " " + fault.rule().id())
                .containsExactly("4 unknown-property", "5 secret-in-clear");
        assertThat(told).asString().doesNotContain("hush");
    }

    @Test
    @DisplayName("a list that is none has its one fault, and no warning is looked for in it")
    void noList() {
        assertThat(
                        faults(
                                """
                                version: 1
                                connections: {plant: {sasl: {password: hush}}}
                                messageReplications:
                                  - {name: n, connection: plant}
                                """))
                .containsExactly("2 wrong-type");
    }
}
