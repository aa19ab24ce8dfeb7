package dev.streamconnect.servicenow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.record.KafkaConnection;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.TopicReplication;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The guide to the records of an instance")
class DocumentedInstanceTest {

    private static String doc() throws Exception {
        return Files.readString(Path.of("..", "docs", "servicenow-records.md"));
    }

    @Test
    @DisplayName("its overlay is one, and does what it says")
    void overlay() throws Exception {
        Matcher yaml = Pattern.compile("(?s)```yaml\\n(.*?)```").matcher(doc());
        assertThat(yaml.find()).isTrue();
        Overlay overlay = Overlay.parse(yaml.group(1), "overlay.yaml", text -> "resolved");
        TableNames topics = overlay.of(InstanceTable.TOPIC_REPLICATIONS);
        assertThat(topics.table()).isEqualTo("x_acme_topic_replication");
        assertThat(topics.columns()).containsEntry("direction", "u_direction");
        assertThat(overlay.of(InstanceTable.CONNECTIONS).columns())
                .doesNotContainKey("consumerGroupId");

        String connection = "5f0c1d2e3a4b5c6d7e8f901234567890";
        String topic = "6a1b2c3d4e5f60718293a4b5c6d7e8f9";
        InstanceRows rows =
                new InstanceRows(
                        Map.of("m", Map.of("name", "P", "connection", "alias", "active", "true")),
                        Map.of(
                                topic,
                                new TreeMap<>(
                                        Map.of(
                                                "direction", "To ServiceNow",
                                                "topicName", "orders",
                                                "serviceNowTopic", "orders",
                                                "messageReplication", "m",
                                                "active", "true"))),
                        Map.of(
                                connection,
                                Map.of(
                                        "alias", "alias",
                                        "bootstrapServers", "elsewhere:9092",
                                        "active", "true")));
        ReplicationRecords records =
                new RowsToRecords(rows, overlay, InstanceUrl.parse("https://acme.service-now.com"))
                        .records(Optional.of(HermesInstance.of("acme")));
        KafkaConnection of = records.connection(connection).orElseThrow();
        assertThat(of.bootstrapServers()).isEqualTo("kafka1.example.com:9093");
        assertThat(of.securityProtocol()).isEqualTo("SASL_SSL");
        TopicReplication orders = records.topicReplication("orders-to-sn").orElseThrow();
        assertThat(orders.buildsRoute()).isFalse();
        assertThat(orders.startFrom()).hasToString("2026-03-01T05:45:00Z");
        assertThat(overlay.direction("Outbound")).isPresent();
    }

    @Test
    @DisplayName("it names each table, field and column by default, and each field of the overlay")
    void names() throws Exception {
        String doc = doc();
        for (InstanceTable table : InstanceTable.values()) {
            assertThat(doc).contains("| `" + table.key() + "`: `" + table.table() + "` |");
            table.columns()
                    .forEach(
                            (field, column) ->
                                    assertThat(doc)
                                            .containsPattern(
                                                    "`" + field + "`( \\| |: )`" + column + "`"));
        }
        assertThat(doc)
                .contains("`" + String.join("`, `", Overlay.CONNECTION_FIELDS) + "`")
                .contains("`" + String.join("`, `", Overlay.TOPIC_FIELDS) + "`");
    }
}
