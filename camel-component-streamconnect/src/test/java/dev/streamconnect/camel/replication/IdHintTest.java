package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.record.RecordsReader;
import dev.streamconnect.record.ReplicationRecords;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class IdHintTest {

    private static final ReplicationRecords NO_RECORDS = ReplicationRecords.NONE;

    private static String hint(String id, String... known) {
        return new IdHint(NO_RECORDS).of(id, List.of(known));
    }

    @Test
    @DisplayName("a part of an id, and an id with more, name that id")
    void part() {
        assertThat(hint("orders", "stock-to-sn", "orders-to-sn"))
                .isEqualTo("did you mean orders-to-sn?");
        assertThat(hint("TO-SN", "stock-to-sn", "orders-to-sn", "other"))
                .isEqualTo("did you mean orders-to-sn or stock-to-sn?");
        assertThat(hint("orders-to-sn-0", "stock-to-sn", "orders-to-sn"))
                .isEqualTo("did you mean orders-to-sn?");
        assertThat(hint("sn", "orders-to-sn")).as("part of everything").startsWith("known: ");
    }

    @Test
    @DisplayName("a mistyped one comes before those that contain it, three at most")
    void order() {
        assertThat(hint("ordes", "ordes-1", "orders", "ordes-2", "ordes-3"))
                .isEqualTo("did you mean orders or ordes-1 or ordes-2?");
    }

    @Test
    @DisplayName("the name of a topic names the known topic replications that have it")
    void topic() {
        ReplicationRecords records =
                RecordsReader.plain()
                        .read(
                                new ByteArrayInputStream(
                                        """
                                version: 1
                                connections:
                                  - {id: plant, bootstrapServers: localhost:9092}
                                messageReplications:
                                  - name: plant
                                    connection: plant
                                    topicReplications:
                                      - {id: first, direction: toServiceNow, topicName: orders, serviceNowTopic: calls}
                                      - {id: second, direction: toServiceNow, topicName: stock, serviceNowTopic: stock}
                                """
                                                .getBytes(StandardCharsets.UTF_8)),
                                "records");
        IdHint hint = new IdHint(records);
        List<String> known = List.of("first", "second");
        assertThat(hint.of("orders", known)).isEqualTo("did you mean first?");
        assertThat(hint.of("calls", known)).isEqualTo("did you mean first?");
        assertThat(hint.of("snc.acme.stock", known)).isEqualTo("did you mean second?");
        assertThat(hint.of("orders", List.of("second"))).isEqualTo("known: second");
    }

    @Test
    @DisplayName("where nothing is near the known ones are listed, ten at most")
    void known() {
        String[] many = IntStream.range(10, 30).mapToObj(n -> "id-" + n).toArray(String[]::new);
        assertThat(hint("xyzxyz", many))
                .isEqualTo(
                        "known: id-10, id-11, id-12, id-13, id-14, id-15, id-16, id-17, id-18, id-19, ...");
        assertThat(hint("xyzxyz", "b", "a")).isEqualTo("known: a, b");
        assertThat(hint("xyzxyz")).isEqualTo("none is known");
    }
}
