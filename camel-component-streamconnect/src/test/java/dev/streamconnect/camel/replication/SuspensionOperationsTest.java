package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.streamconnect.engine.LinkState;
import java.util.List;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("operation=pause and operation=resume")
class SuspensionOperationsTest extends ReplicationTestSupport {

    @Override
    protected String topicReplications() {
        return toServiceNow("orders-to-sn", "orders", ", route: none")
                + toServiceNow("events-to-sn", "events", ", route: none")
                + toServiceNow("not-running", "idle", ", route: none");
    }

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("replication:orders-to-sn").routeId("orders").to("mock:x");
                from("replication:events-to-sn").routeId("events").to("mock:x");
                from("hermes:alarms?groupId=audit").routeId("alarms").to("mock:x");
            }
        };
    }

    private LinksChanged ask(String options) {
        return template.requestBody("replication:" + options, null, LinksChanged.class);
    }

    private List<String> paused() {
        return engine.status().stream()
                .filter(status -> status.state() == LinkState.PAUSED)
                .map(status -> status.id())
                .sorted()
                .toList();
    }

    @Test
    @DisplayName("answer what they changed and what was so already")
    void answers() throws Exception {
        assertThat(ask("orders-to-sn?operation=pause"))
                .isEqualTo(new LinksChanged(List.of("orders-to-sn"), List.of()));
        assertThat(paused()).containsExactly("orders-to-sn");
        assertThat(ask("orders-to-sn?operation=pause"))
                .isEqualTo(new LinksChanged(List.of(), List.of("orders-to-sn")));
        assertThat(ask("*?operation=pause"))
                .as("topic replications, not consumers of hermes:")
                .isEqualTo(new LinksChanged(List.of("events-to-sn"), List.of("orders-to-sn")));
        assertThat(paused()).containsExactly("events-to-sn", "orders-to-sn");
        assertThat(ask("other*?operation=resume"))
                .isEqualTo(new LinksChanged(List.of(), List.of()));
        assertThat(
                        new ObjectMapper()
                                .readTree(
                                        template.requestBody(
                                                "replication:events*?operation=resume&json=true",
                                                null,
                                                String.class)))
                .isEqualTo(
                        new ObjectMapper()
                                .readTree("{\"changed\":[\"events-to-sn\"],\"unchanged\":[]}"));
        assertThat(ask("*?operation=resume"))
                .isEqualTo(new LinksChanged(List.of("orders-to-sn"), List.of("events-to-sn")));
        assertThat(paused()).isEmpty();
    }

    @Test
    @DisplayName("take a consumer of hermes: by its full id")
    void consumerOfHermes() {
        String id =
                engine.links.keySet().stream()
                        .filter(each -> each.contains("@"))
                        .findFirst()
                        .orElseThrow();
        assertThat(ask(id + "?operation=pause").changed()).containsExactly(id);
        assertThat(paused()).containsExactly(id);
    }

    @Test
    @DisplayName("refuse an unknown id with the near ones, and one that is not open")
    void refuses() {
        assertThatThrownBy(() -> ask("order-to-sn?operation=pause"))
                .hasStackTraceContaining("did you mean orders-to-sn?");
        assertThatThrownBy(() -> ask("not-running?operation=resume"))
                .hasStackTraceContaining("'not-running' is not open on this node; start its route");
    }
}
