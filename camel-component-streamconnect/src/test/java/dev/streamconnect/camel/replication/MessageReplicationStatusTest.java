package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.streamconnect.camel.MessageReplicationStatus;
import dev.streamconnect.camel.console.Consoles;
import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.console.DevConsole;
import org.apache.camel.console.DevConsoleRegistry;
import org.apache.camel.impl.console.DefaultDevConsoleRegistry;
import org.apache.camel.util.json.JsonObject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The state of a message replication")
class MessageReplicationStatusTest extends ReplicationTestSupport {

    private static final Instant EARLY = Instant.parse("2026-01-31T08:00:00Z");
    private static final Instant LATE = Instant.parse("2026-01-31T09:00:00Z");

    @Override
    protected String topicReplications() {
        return toServiceNow("a", "a", ", route: none")
                + toServiceNow("b", "b", ", route: none")
                + toServiceNow("c", "c", ", route: none")
                + toServiceNow("off", "off", ", route: none")
                        .replace("active: true", "active: false");
    }

    @Override
    Path write(String topicReplications) throws IOException {
        Path file = super.write(topicReplications);
        return Files.writeString(
                file,
                Files.readString(file)
                        + """
                          - name: asleep
                            connection: plant
                            active: false
                            topicReplications:
                              - { id: d, direction: toServiceNow, topicName: d, serviceNowTopic: d }
                          - name: empty
                            connection: plant
                            topicReplications: []
                        """
                                .indent(0));
    }

    @Override
    protected void configure(CamelContext context) throws Exception {
        super.configure(context);
        DevConsoleRegistry consoles = new DefaultDevConsoleRegistry(context);
        context.getCamelContextExtension().addContextPlugin(DevConsoleRegistry.class, consoles);
    }

    private static LinkStatus state(
            String id, LinkState state, String reason, Instant since, Instant errorSince) {
        return new LinkStatus(
                id,
                state,
                reason,
                since,
                errorSince,
                "s",
                "d",
                1,
                1,
                5,
                50,
                0,
                0,
                0,
                0,
                0,
                "",
                List.of(),
                List.of());
    }

    private List<MessageReplicationStatus> ask(String options) {
        List<?> answer =
                template.requestBody(
                        "replication:" + options + "operation=status&by=messageReplication",
                        null,
                        List.class);
        return answer.stream().map(MessageReplicationStatus.class::cast).toList();
    }

    private MessageReplicationStatus plant(LinkStatus... states) {
        engine.states = List.of(states);
        return ask("plant?").get(0);
    }

    @Test
    @DisplayName("is the worst of its active topic replications, with the first time and reason")
    void worst() {
        assertThat(
                        plant(
                                state("a", LinkState.RUNNING, "", EARLY, null),
                                state("b", LinkState.FAILED, "no right", LATE, EARLY),
                                state("c", LinkState.STALLED, "away", EARLY, LATE),
                                state("x@g", LinkState.FAILED, "a consumer", EARLY, EARLY)))
                .isEqualTo(
                        new MessageReplicationStatus(
                                "plant",
                                "n1",
                                LinkState.FAILED,
                                "b: no right",
                                LATE,
                                EARLY,
                                4,
                                3,
                                1,
                                1,
                                Map.of(
                                        LinkState.RUNNING, 1,
                                        LinkState.FAILED, 1,
                                        LinkState.STALLED, 1)));
        MessageReplicationStatus quiet =
                plant(
                        state("a", LinkState.IDLE, "", LATE, null),
                        state("b", LinkState.RUNNING, "", LATE, null),
                        state("c", LinkState.RUNNING, "", EARLY, null));
        assertThat(quiet.state()).isEqualTo(LinkState.RUNNING);
        assertThat(quiet.since()).isEqualTo(EARLY);
        assertThat(quiet.reason()).isEmpty();
        assertThat(quiet.errorSince()).isNull();
        assertThat(quiet.running()).isEqualTo(3);
        assertThat(
                        plant(
                                        state("a", LinkState.PAUSED, "", LATE, null),
                                        state("b", LinkState.RUNNING, "", LATE, null),
                                        state("c", LinkState.IDLE, "", EARLY, null))
                                .state())
                .isEqualTo(LinkState.PAUSED);
        assertThat(plant(state("a", LinkState.RUNNING, "", LATE, null)).state())
                .as("b and c have no route")
                .isEqualTo(LinkState.FAILED);
    }

    @Test
    @DisplayName("has an order for every state")
    void everyState() {
        for (LinkState state : LinkState.values()) {
            MessageReplicationStatus found =
                    plant(
                            state("a", LinkState.IDLE, "", EARLY, null),
                            state("b", state, "why", LATE, null),
                            state("c", LinkState.IDLE, "", EARLY, null));
            assertThat(found.state()).isEqualTo(state);
        }
    }

    @Test
    @DisplayName("is told for all, also for those that are not active, and as JSON")
    void all() throws Exception {
        engine.states = List.of(state("a", LinkState.RUNNING, "", EARLY, null));
        assertThat(ask("*?"))
                .extracting(MessageReplicationStatus::name)
                .containsExactly("plant", "asleep", "empty");
        assertThat(ask("asleep?").get(0).state()).isEqualTo(LinkState.STOPPED);
        assertThat(ask("asleep?").get(0).reason()).isEqualTo("it is not active");
        assertThat(ask("empty?").get(0).reason())
                .isEqualTo("none of its topic replications is active");
        String json =
                template.requestBody(
                        "replication:asleep?operation=status&by=messageReplication&json=true",
                        null,
                        String.class);
        assertThat(new ObjectMapper().readTree(json))
                .isEqualTo(
                        new ObjectMapper()
                                .readTree(
                                        """
                                        [{"name":"asleep","node":"n1","state":"STOPPED","reason":"it is not active",
                                          "since":null,"errorSince":null,"topicReplications":1,"active":0,
                                          "running":0,"failed":0,"states":{}}]
                                        """));
    }

    @Test
    @DisplayName("is in the dev console")
    void console() {
        engine.states =
                List.of(
                        state("a", LinkState.RUNNING, "", EARLY, null),
                        state("b", LinkState.WAITING, "topic b is missing", EARLY, EARLY),
                        state("c", LinkState.RUNNING, "", EARLY, null));
        Consoles.register(context);
        DevConsole console =
                (DevConsole)
                        context.getCamelContextExtension()
                                .getContextPlugin(DevConsoleRegistry.class)
                                .getConsole("streamconnect")
                                .orElseThrow();
        assertThat(console.call(DevConsole.MediaType.TEXT).toString())
                .contains(
                        "message replication plant: WAITING, 3 of 4 active, 2 running, 0 failed: b: topic b is missing");
        assertThat(((JsonObject) console.call(DevConsole.MediaType.JSON)).toJson())
                .contains("\"name\":\"plant\"")
                .contains("\"running\":2");
    }

    @Test
    @DisplayName("is refused for a name that nothing has, and with other operations")
    void refusals() {
        assertThatThrownBy(() -> ask("plan?"))
                .hasStackTraceContaining("no message replication matches; did you mean plant?");
        assertThatThrownBy(
                        () ->
                                template.requestBody(
                                        "replication:*?operation=pause&by=messageReplication",
                                        (Object) null))
                .hasStackTraceContaining("by: messageReplication goes with operation=status alone");
    }
}
