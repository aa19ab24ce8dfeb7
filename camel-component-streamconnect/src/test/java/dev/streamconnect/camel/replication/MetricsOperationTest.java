package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.metrics.Backlog;
import dev.streamconnect.metrics.HandCountedLink;
import dev.streamconnect.spi.MetricsRecord;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MetricsOperationTest extends ReplicationTestSupport {

    private final HandCountedLink orders = HandCountedLink.toServiceNow("orders-to-sn");
    private final HandCountedLink events = HandCountedLink.fromServiceNow("events");
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<Object> passed = new ArrayList<>();
    private volatile boolean refuses;

    @Override
    protected String topicReplications() {
        return toServiceNow("orders-to-sn", "orders", ", route: none");
    }

    @Override
    protected void configure(CamelContext context) throws Exception {
        super.configure(context);
        context.getRegistry().bind("metricsRegistry", MeterRegistry.class, meters);
    }

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:pass")
                        .to("replication:*?operation=metrics&reader=pass")
                        .process(
                                exchange -> {
                                    if (refuses) {
                                        throw new IllegalStateException("refused");
                                    }
                                    passed.addAll(exchange.getMessage().getBody(List.class));
                                });
            }
        };
    }

    @BeforeEach
    void open() {
        ContextEngine.of(context).engine();
        engine.metrics.opened(orders);
        engine.metrics.opened(events);
    }

    private void window(int ofOrders, int ofEvents) {
        orders.counters().moved(ofOrders, ofOrders * 10L);
        events.counters().moved(ofEvents, ofEvents * 10L);
        engine.clock.move(Duration.ofSeconds(60));
        engine.metrics.tick();
    }

    @SuppressWarnings("unchecked")
    private List<MetricsRecord> ask(String uri) {
        return template.requestBody(uri, null, List.class);
    }

    @Test
    @Tag("case-R5")
    @DisplayName("the closed windows that match, oldest first; asking twice changes nothing")
    void windows() {
        window(10, 20);
        window(1, 2);
        orders.counters().moved(5, 5);
        assertThat(ask("replication:*?operation=metrics"))
                .extracting(MetricsRecord::channelReplication, MetricsRecord::messageCount)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("events", 20L),
                        org.assertj.core.groups.Tuple.tuple("orders-to-sn", 10L),
                        org.assertj.core.groups.Tuple.tuple("events", 2L),
                        org.assertj.core.groups.Tuple.tuple("orders-to-sn", 1L));
        assertThat(ask("replication:orders*?operation=metrics")).hasSize(2);
        assertThat(ask("replication:events?operation=metrics")).hasSize(2);
        assertThat(ask("replication:events?operation=metrics")).hasSize(2);
        assertThat(ask("replication:other?operation=metrics")).isEmpty();
        assertThat(ask("replication:events?operation=metrics&period=30000"))
                .extracting(MetricsRecord::messageCount)
                .containsExactly(2L);
    }

    @Test
    @DisplayName("as JSON with clear names")
    void json() throws Exception {
        orders.backlog = new Backlog(3L, 1_500L, null);
        window(10, 0);
        JsonNode json =
                new ObjectMapper()
                        .readTree(
                                template.requestBody(
                                        "replication:orders-to-sn?operation=metrics&json=true",
                                        null,
                                        String.class));
        assertThat(json).hasSize(1);
        assertThat(json.get(0))
                .isEqualTo(
                        new ObjectMapper()
                                .readTree(
                                        """
                                        {"collectionTime":"2026-01-01T00:01:00Z","collectionIntervalSeconds":60,
                                         "channelReplication":"orders-to-sn","messageCount":10,"byteCount":100,
                                         "lagMessages":3,"source":"orders-to-sn","destination":"snc.acme.orders-to-sn",
                                         "direction":"To ServiceNow","node":"n1","stored":0,"retried":0,"parked":0,
                                         "heldBehindKey":0,"throttleMillis":0,
                                         "gapMessages":0,"positionEvents":0,"assignedPartitions":1,
                                         "totalPartitions":1,"oldestAgeMillis":1500,
                                         "hoursToLoss":null,"lastRetryRun":null,"reordered":0,"repeated":0,
                                         "drainLimitsHit":0,"returned":0}
                                        """));
    }

    @Test
    @DisplayName("a reader passes each window once, and again what failed")
    void reader() {
        window(1, 0);
        template.sendBody("direct:pass", null);
        assertThat(passed).hasSize(2);
        template.sendBody("direct:pass", null);
        assertThat(passed).hasSize(2);
        window(2, 0);
        refuses = true;
        template.send("direct:pass", exchange -> {});
        refuses = false;
        window(3, 0);
        template.sendBody("direct:pass", null);
        template.sendBody("direct:pass", null);
        assertThat(passed)
                .map(MetricsRecord.class::cast)
                .filteredOn(window -> window.channelReplication().equals("orders-to-sn"))
                .extracting(MetricsRecord::messageCount)
                .containsExactly(1L, 2L, 3L);
        assertThat(passed).hasSize(6);
        assertThat(ask("replication:*?operation=metrics&reader=other")).hasSize(6);
    }

    @Test
    @DisplayName("a meter registry of the context has the counters")
    void micrometer() {
        orders.counters().moved(7, 70);
        assertThat(
                        meters.get("streamconnect.messages")
                                .tags("replication", "orders-to-sn", "node", "n1")
                                .functionCounter()
                                .count())
                .isEqualTo(7);
        engine.metrics.ended(orders);
        engine.metrics.ended(events);
        assertThat(meters.getMeters()).isEmpty();
    }
}
