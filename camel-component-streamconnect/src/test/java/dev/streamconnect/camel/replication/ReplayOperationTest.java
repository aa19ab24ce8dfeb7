package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.streamconnect.camel.CapturedLogs;
import dev.streamconnect.engine.ReplayedPartition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.camel.builder.RouteBuilder;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("operation=replay")
class ReplayOperationTest extends ReplicationTestSupport {

    @Override
    protected String topicReplications() {
        return toServiceNow("orders-to-sn", "orders", ", route: none")
                + toServiceNow("not-running", "idle", ", route: none");
    }

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("replication:orders-to-sn").routeId("orders").to("mock:x");
                from("hermes:alarms?groupId=audit").routeId("alarms").to("mock:x");
            }
        };
    }

    private Object ask(String options, Map<String, Object> headers) {
        return template.requestBodyAndHeaders("replication:" + options, null, headers);
    }

    private List<String> replays() {
        return engine.links.get("orders-to-sn").replays;
    }

    @Test
    @DisplayName("takes earliest, a time, or an offset with its partition")
    void positions() {
        List<?> answer =
                (List<?>) ask("orders-to-sn?operation=replay&replayFrom=earliest", Map.of());
        assertThat(answer)
                .first()
                .isEqualTo(
                        new ReplayedPartition(null, 0, ReplayedPartition.Outcome.MOVED, 9, 2, ""));
        ask("orders-to-sn?operation=replay&replayFrom=2026-01-31T08:00:00Z", Map.of());
        ask("orders-to-sn?operation=replay&replayFrom=17&partition=3&side=b", Map.of());
        assertThat(replays())
                .containsExactly(
                        "Earliest[] null null",
                        "At[time=2026-01-31T08:00:00Z] null null",
                        "Offset[offset=17] 3 B");
    }

    @Test
    @DisplayName("takes headers in the place of the options, and those of a message not")
    void headers() {
        ask(
                "orders-to-sn?operation=replay&replayFrom=earliest",
                Map.of(
                        ReplicationConstants.REPLAY_FROM, 5,
                        ReplicationConstants.REPLAY_PARTITION, 2,
                        ReplicationConstants.REPLAY_SIDE, "A"));
        ask(
                "orders-to-sn?operation=replay",
                Map.of(ReplicationConstants.REPLAY_FROM, Instant.EPOCH));
        ask(
                "orders-to-sn?operation=replay&replayFrom=earliest",
                Map.of(ReplicationConstants.PARTITION, 2, ReplicationConstants.OFFSET, 7L));
        assertThat(replays())
                .containsExactly(
                        "Offset[offset=5] 2 A",
                        "At[time=1970-01-01T00:00:00Z] null null",
                        "Earliest[] null null");
    }

    @Test
    @DisplayName("answers JSON, and leaves one log line")
    void json() throws Exception {
        try (CapturedLogs logs = new CapturedLogs("dev.streamconnect", Level.INFO)) {
            Object json =
                    ask("orders-to-sn?operation=replay&replayFrom=earliest&json=true", Map.of());
            assertThat(new ObjectMapper().readTree(json.toString()))
                    .isEqualTo(
                            new ObjectMapper()
                                    .readTree(
                                            """
                                            [{"partition":0,"outcome":"MOVED","reason":"","from":9,"to":2},
                                             {"partition":1,"outcome":"NOT_OWNED","reason":"this node does not read it"}]
                                            """));
            assertThat(logs.lines())
                    .containsExactly(
                            "'orders-to-sn' is replayed by an operator: partition 0 MOVED from 9 to 2");
        }
    }

    @Test
    @DisplayName("takes a consumer of hermes: by its full id")
    void consumerOfHermes() {
        ask("snc.acme.alarms@snc.acme.audit?operation=replay&replayFrom=earliest", Map.of());
        assertThat(engine.links.get("snc.acme.alarms@snc.acme.audit").replays).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "orders-to-sn?operation=replay | replayFrom: is missing; give earliest, a time such as",
                "orders-to-sn?operation=replay&replayFrom=17 | partition: is missing; an offset belongs to one",
                "orders-to-sn?operation=replay&replayFrom=latest | replayFrom: latest would skip messages; use",
                "orders-to-sn?operation=replay&replayFrom=yesterday | replayFrom: 'yesterday' is not a time; write it as",
                "orders-to-sn?operation=replay&replayFrom=-1&partition=0 | replayFrom: '-1' is not a time",
                "orders-to-sn?operation=replay&replayFrom=99999999999999999999&partition=0 | is not a number; use 0 or more",
                "orders-to-sn?operation=replay&replayFrom=5&partition=-1 | partition: -1 is out of bounds; use 0 or more",
                "orders-to-sn?operation=replay&replayFrom=earliest&side=C | side: there is no 'C'; did you mean A or B?",
                "orders-to-sn?operation=replay&replayFrom=earliest&reason=SIZE | operation=replay takes none of them",
                "orders-to-sn?operation=status&replayFrom=earliest | replayFrom, partition and side go with operation=replay alone",
                "orders-to-sn?partition=3 | replayFrom, partition and side go with operation=replay alone",
                "*?operation=replay&replayFrom=earliest | needs the id of one topic replication, not a pattern",
                "order-to-sn?operation=replay&replayFrom=earliest | did you mean orders-to-sn?",
                "not-running?operation=replay&replayFrom=earliest | 'not-running' is not open on this node",
            })
    @DisplayName("refuses in one line")
    void refusals(String options, String message) {
        assertThatThrownBy(() -> ask(options.strip(), Map.of())).hasStackTraceContaining(message);
        assertThat(replays()).isEmpty();
    }
}
