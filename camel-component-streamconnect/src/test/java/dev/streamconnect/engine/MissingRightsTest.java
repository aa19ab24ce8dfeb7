package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.MissingRight;
import dev.streamconnect.cluster.OptionalRight;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Missing optional rights")
class MissingRightsTest {

    private final LogLines lines = new LogLines(MissingRights.class.getName());
    private final MissingRights rights = new MissingRights();

    @AfterEach
    void close() {
        lines.close();
    }

    private static List<MissingRight> lacks(String... topics) {
        return List.of(topics).stream()
                .map(topic -> MissingRight.of(Fixtures.PLANT, OptionalRight.SOURCE_SETTINGS, topic))
                .toList();
    }

    @Test
    @DisplayName(
            "are one line for each side and right, whatever links lack them, and one at the end")
    void once() {
        Map<String, List<MissingRight>> all = Map.of("a", lacks("a"), "b", lacks("b"));
        rights.tell(all);
        rights.tell(all);
        rights.tell(Map.of("a", lacks("a"), "b", List.of(), "c", lacks("c")));
        assertThat(lines.lines()).hasSize(1);
        assertThat(lines.lines().get(0))
                .contains("DescribeConfigs on topic ", "hoursToLoss", "kafka-acls.sh --add");
        rights.tell(Map.of("a", List.of(), "b", List.of(), "c", List.of()));
        assertThat(lines.lines()).hasSize(2);
        assertThat(lines.lines().get(1))
                .endsWith("the optional right DescribeConfigs is there now");
        rights.tell(all);
        assertThat(lines.lines()).as("taken again").hasSize(3);
    }

    @Test
    @DisplayName("of a link that is closed are not told as given")
    void closed() {
        rights.tell(Map.of("a", lacks("a")));
        rights.tell(Map.of());
        assertThat(lines.lines()).hasSize(1);
    }
}
