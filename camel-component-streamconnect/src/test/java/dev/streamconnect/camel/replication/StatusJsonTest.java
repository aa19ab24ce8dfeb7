package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.MissingRight;
import dev.streamconnect.cluster.OptionalRight;
import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.engine.PositionEvent;
import dev.streamconnect.engine.PositionEvent.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("States as JSON")
class StatusJsonTest {

    private static PositionEvent event(Kind kind, long count) {
        return new PositionEvent(kind, "orders", "A", 0, -1, 0, count, Instant.EPOCH, false);
    }

    private static final MissingRight MISSING =
            MissingRight.of(
                    new ConnectionSettings(
                            "plant", ClientRole.CUSTOMER, "localhost:9092", "g", Map.of()),
                    OptionalRight.SOURCE_SETTINGS,
                    "orders");

    private static LinkStatus status() {
        return new LinkStatus(
                "orders-to-sn",
                LinkState.RUNNING,
                "",
                Instant.EPOCH,
                null,
                "orders",
                "",
                1,
                1,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                "",
                List.of(MISSING),
                List.of(event(Kind.START, 0), event(Kind.START, 7), event(Kind.GAP, 0)));
    }

    @Test
    @DisplayName("have no event for each partition that began where nothing was left out")
    void events() throws Exception {
        JsonNode events =
                new ObjectMapper().readTree(StatusJson.of(List.of(status()))).at("/0/events");
        assertThat(events)
                .extracting(event -> event.get("kind").asText() + event.get("count"))
                .containsExactly("START7", "GAP0");
    }

    @Test
    @DisplayName("say which optional rights are missing, what is lost and who gives them")
    void missingRights() throws Exception {
        JsonNode missing =
                new ObjectMapper()
                        .readTree(StatusJson.of(List.of(status())))
                        .at("/0/missingRights/0");
        assertThat(missing.get("side").asText()).isEqualTo("plant (localhost:9092)");
        assertThat(missing.get("right").asText()).isEqualTo("DescribeConfigs");
        assertThat(missing.get("resource").asText()).isEqualTo("topic orders");
        assertThat(missing.get("principal").asText()).isEqualTo("User:ANONYMOUS");
        assertThat(missing.get("lost").asText()).contains("hoursToLoss");
        assertThat(missing.get("mend").asText())
                .isEqualTo(
                        "kafka-acls.sh --add --allow-principal \"User:ANONYMOUS\" --operation"
                                + " DescribeConfigs --topic orders");
    }
}
