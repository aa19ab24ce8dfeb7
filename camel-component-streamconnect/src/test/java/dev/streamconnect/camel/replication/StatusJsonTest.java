package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.engine.PositionEvent;
import dev.streamconnect.engine.PositionEvent.Kind;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("States as JSON")
class StatusJsonTest {

    private static PositionEvent event(Kind kind, long count) {
        return new PositionEvent(kind, "orders", "A", 0, -1, 0, count, Instant.EPOCH, false);
    }

    @Test
    @DisplayName("have no event for each partition that began where nothing was left out")
    void events() throws Exception {
        LinkStatus status =
                new LinkStatus(
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
                        List.of(event(Kind.START, 0), event(Kind.START, 7), event(Kind.GAP, 0)));
        JsonNode events =
                new ObjectMapper().readTree(StatusJson.of(List.of(status))).at("/0/events");
        assertThat(events)
                .extracting(event -> event.get("kind").asText() + event.get("count"))
                .containsExactly("START7", "GAP0");
    }
}
