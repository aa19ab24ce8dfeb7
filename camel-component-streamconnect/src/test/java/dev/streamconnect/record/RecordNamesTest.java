package dev.streamconnect.record;

import static dev.streamconnect.record.RecordsText.faults;
import static dev.streamconnect.record.RecordsText.file;
import static dev.streamconnect.record.RecordsText.from;
import static dev.streamconnect.record.RecordsText.read;
import static dev.streamconnect.record.RecordsText.refused;
import static dev.streamconnect.record.RecordsText.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.GroupNames;
import dev.streamconnect.cluster.HermesInstance;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordNamesTest {

    private static final Optional<String> ACME = Optional.of("acme");

    @Test
    @Tag("case-F24")
    @DisplayName("F24: a customer's topic has 249 characters at most")
    void lengthOfACustomersTopic() {
        assertThat(read(file(to("a", "x".repeat(249), "y"))).topicReplications()).hasSize(1);
        assertThat(faults(file(to("a", "x".repeat(250), "y")))).containsExactly("9 bad-topic-name");
    }

    @Test
    @Tag("case-F24")
    @Tag("case-H9")
    @DisplayName("H9, F24: a ServiceNow topic has 200 characters at most, snc.<instance> included")
    void lengthOfAServiceNowTopic() {
        int prefix = "snc.acme.".length();
        assertThat(
                        read(file(to("a", "x", "y".repeat(199 - prefix))), ACME, v -> v)
                                .topicReplications())
                .hasSize(1);
        assertThat(
                        read(file(to("a", "x", "y".repeat(200 - prefix))), ACME, v -> v)
                                .topicReplications())
                .hasSize(1);
        assertThat(faults(file(to("a", "x", "y".repeat(201 - prefix))), ACME))
                .containsExactly("9 bad-servicenow-topic");
        assertThat(faults(file(to("a", "x", "y".repeat(200)))))
                .containsExactly("9 bad-servicenow-topic");
    }

    @Test
    @Tag("case-H9")
    @DisplayName(
            "H9: wrong case and empty parts are refused with the reason, 4 and 5 parts are taken")
    void shapeOfAServiceNowTopic() {
        assertThat(refused(file(to("a", "x", "SNC.acme.t"))))
                .hasMessageContaining("case-sensitive");
        assertThat(refused(file(to("a", "x", "snc.acme..t")))).hasMessageContaining("empty part");
        assertThat(refused(file(to("a", "x", "a..t")))).hasMessageContaining("empty part");
        assertThat(
                        read(
                                        file(
                                                to("a", "x", "snc.acme.sn_streamconnect.t"),
                                                to("b", "y", "snc.acme.ns.sn_streamconnect.t")),
                                        ACME,
                                        v -> v)
                                .topicReplications())
                .hasSize(2);
    }

    @Test
    @Tag("case-H15")
    @DisplayName("H15: a full name of another instance is refused, and two instances in one file")
    void topicOfAnotherInstance() {
        assertThat(faults(file(to("a", "x", "snc.prod.t")), ACME))
                .containsExactly("9 instance-mismatch");
        assertThat(refused(file(to("a", "x", "snc.prod.t")), ACME))
                .hasMessageContaining("'prod'")
                .hasMessageContaining("'acme'");
        assertThat(read(file(to("a", "x", "snc.prod.t"))).topicReplications()).hasSize(1);
        assertThat(faults(file(to("a", "x", "snc.prod.t"), to("b", "y", "snc.test.t"))))
                .containsExactly("10 instance-mismatch");
    }

    @Test
    @Tag("case-L3")
    @DisplayName("L3: internal topics are refused on either end")
    void internalTopics() {
        assertThat(faults(file(to("a", "__consumer_offsets", "y"), from("b", "__x", "z"))))
                .containsExactly("9 internal-topic", "10 internal-topic");
        assertThat(faults(file(to("a", "x", "snc.acme.__y")))).containsExactly("9 internal-topic");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "ä", "'.'", "'..'", "a/b", "'a*'", "''"})
    void refusesNamesThatKafkaRefuses(String name) {
        assertThat(faults(file(to("a", name, "y")))).containsExactly("9 bad-topic-name");
    }

    @Test
    void checksNamespaceAndApplicationId() {
        assertThat(faults(file(to("a", "x", "y").replace("}", ", namespace: sn_emea}"))))
                .containsExactly("9 bad-namespace");
        assertThat(faults(file(to("a", "x", "y").replace("}", ", namespace: a.b}"))))
                .containsExactly("9 bad-namespace");
        assertThat(faults(file(to("a", "x", "y").replace("}", ", applicationId: sn_other}"))))
                .containsExactly("9 bad-application-id");
        assertThat(
                        read(file(to("a", "x", "y").replace("}", ", applicationId: own}")))
                                .topicReplications())
                .hasSize(1);
        assertThat(faults(file(to("a", "x", "snc.acme.y").replace("}", ", namespace: emea}"))))
                .containsExactly("9 bad-servicenow-topic");
    }

    @Test
    void idsAreUniqueAlsoWithTheDefaultOnes() {
        String twoDefaults =
                file(to("a", "x.y", "p"), to("b", "x_y", "q")).replaceAll("id: [ab], ", "");
        assertThat(faults(twoDefaults)).containsExactly("10 duplicate-id");
        assertThat(refused(twoDefaults))
                .hasMessageContaining("'plant-x_y-to-sn'")
                .hasMessageContaining("give an explicit 'id'");
        assertThat(refused(file(to("a", "x", "p"), to("a", "y", "q"))))
                .hasMessageContaining("rename one of them");
        assertThat(faults(file(to("a", "x".repeat(240), "p")).replace("id: a, ", "")))
                .containsExactly("9 bad-id");
    }

    @Test
    void checksIdsNamesAndRoutes() {
        assertThat(faults(file(to("a.b", "x", "y")))).containsExactly("9 bad-id");
        assertThat(faults(file(to("a", "x", "y")).replace("name: plant", "name: ' '")))
                .containsExactly("6 bad-name");
        assertThat(
                        faults(
                                file(to("a", "x", "y"))
                                        .replace("name: plant", "name: " + "n".repeat(101))))
                .containsExactly("6 bad-name");
        assertThat(faults(file(to("a", "x", "y").replace("}", ", route: 'a b'}"))))
                .containsExactly("9 bad-route");
        assertThat(faults(file(to("a", "x", "y").replace("}", ", startFrom: 2026-03-01}"))))
                .containsExactly("9 bad-start-from");
    }

    @Test
    void connectionsAndMessageReplicationsAreUniqueAndKnown() {
        String text =
                """
                version: 1
                connections:
                  - {id: plant, bootstrapServers: 'a:1'}
                  - {id: plant, bootstrapServers: 'b:1'}
                messageReplications:
                  - {name: one, connection: plant}
                  - {name: one, connection: plant}
                  - {name: two, connection: nowhere}
                """;
        assertThat(faults(text))
                .containsExactly(
                        "4 duplicate-connection",
                        "7 duplicate-message-replication",
                        "8 unknown-connection");
        assertThat(refused(text)).hasMessageContaining("known: plant");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"host", "host:0", "host:70000", "a:1,,b:2", "http://a:1", "a:1 b:2", ":1"})
    void refusesBadBootstrapServers(String servers) {
        String text = file(to("a", "x", "y")).replace("localhost:9092", "'" + servers + "'");
        assertThat(faults(text)).containsExactly("4 bad-bootstrap-servers");
    }

    @Test
    void neverQuotesABootstrapEntryWithAPassword() {
        String text = file(to("a", "x", "y")).replace("localhost:9092", "'user:hush@h:1'");
        assertThat(refused(text)).message().doesNotContain("hush");
    }

    @Test
    void connectionsToOneClusterHaveTheirOwnGroups() {
        String text =
                """
                version: 1
                connections:
                  - {id: one, bootstrapServers: 'a:1,b:1', consumerGroupId: g}
                  - {id: two, bootstrapServers: 'c:1,B:1', consumerGroupId: g}
                  - {id: three, bootstrapServers: 'd:1', consumerGroupId: g}
                  - {id: four, bootstrapServers: 'a:1', consumerGroupId: acme-consumer-five}
                  - {id: five, bootstrapServers: 'a:1'}
                messageReplications: []
                """;
        assertThat(faults(text)).containsExactly("4 shared-group-id");
        assertThat(faults(text, ACME)).containsExactly("4 shared-group-id", "7 shared-group-id");
        assertThat(faults(text.replace("consumerGroupId: g", "consumerGroupId: ' '")))
                .containsExactly("3 bad-group-id", "4 bad-group-id", "5 bad-group-id");
    }

    @Test
    void emptyTextsAreCalledSo() {
        String text =
                file(to("a", "x", "y"))
                        .replace(
                                "localhost:9092\n",
                                "h:1\n    sasl: {mechanism: PLAIN, username: '', password: p}\n");
        assertThat(faults(text)).containsExactly("5 wrong-value");
        assertThat(refused(text)).hasMessageContaining("'username' is empty");
    }

    @Test
    void theLongestConnectionIdStillGivesValidGroupIds() {
        HermesInstance longest = HermesInstance.of("i".repeat(63));
        String id = "c".repeat(100);
        assertThat(GroupNames.customer(longest, id)).hasSizeLessThan(GroupNames.MAX_LENGTH);
        assertThat(GroupNames.hermes(longest, id)).hasSizeLessThan(GroupNames.MAX_LENGTH);
        assertThat(faults(file(to("a", "x", "y")).replace(": plant\n", ": " + id + "c\n")))
                .containsExactly("3 bad-id", "6 bad-name");
    }

    @Test
    void storesHaveOneContentAndItIsBase64() {
        String text = file(to("a", "x", "y"));
        assertThat(faults(with(text, "{keystoreLocation: /k, keystoreBase64: aHVzaA==}")))
                .containsExactly("5 bad-store");
        assertThat(faults(with(text, "{truststoreBase64: 'h%sh'}"))).containsExactly("5 bad-store");
        assertThat(faults(with(text, "{keystorePassword: hush}"))).containsExactly("5 bad-store");
        assertThat(faults(with(text, "{keyPassword: hush}"))).containsExactly("5 bad-store");
        assertThat(read(with(text, "{}")).connections().get(0).securityProtocol()).isEqualTo("SSL");
    }

    @Test
    void validatesRecordsThatCameFromNoFile() {
        ReplicationRecords records = read(file(to("a", "x", "snc.prod.y"), to("b", "z", "q")));
        List<RecordFault> faults =
                new RecordsValidator(Optional.of(HermesInstance.of("acme")))
                        .validate(records, "store");
        assertThat(faults)
                .singleElement()
                .asString()
                .startsWith("store: instance-mismatch: ")
                .doesNotContain("line");
        assertThat(new RecordsValidator(Optional.empty()).validate(records, "store")).isEmpty();
    }

    private static String with(String text, String ssl) {
        return text.replace("localhost:9092\n", "localhost:9092\n    ssl: " + ssl + "\n");
    }
}
