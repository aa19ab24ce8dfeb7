package dev.streamconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.MovedClock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LinkMetersTest {

    private static final String TAGS =
            "{direction=\"To ServiceNow\",node=\"n1\",replication=\"orders\"}";

    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MetricsWindows metrics = new MetricsWindows("n1", new MovedClock());
    private final HandCountedLink orders = HandCountedLink.toServiceNow("orders");

    private List<String> lines() {
        return registry.scrape().lines().filter(line -> !line.startsWith("#")).toList();
    }

    @Test
    @DisplayName("what Prometheus reads: names with units, and three tags")
    void scrape() {
        metrics.opened(orders);
        metrics.listen(new LinkMeters(registry, "n1"));
        orders.counters().moved(10, 640);
        orders.counters().stored(1);
        orders.counters().retried(2);
        orders.counters().parked(3);
        orders.counters().throttled(1_500);
        orders.counters().reordered(6);
        orders.counters().repeated(7);
        orders.counters().drainLimitHit();
        orders.counters().returned(8);
        orders.counters().positionTrouble(40);
        orders.counters().positionTrouble(0);
        orders.counters().heldBehindKey("orders-0", 4);
        orders.counters().retryRunEnded(Instant.ofEpochSecond(1_000));
        orders.backlog = new Backlog(5L, 2_500L, 1.5);
        assertThat(lines())
                .containsExactlyInAnyOrder(
                        "streamconnect_messages_total" + TAGS + " 10.0",
                        "streamconnect_bytes_total" + TAGS + " 640.0",
                        "streamconnect_stored_total" + TAGS + " 1.0",
                        "streamconnect_retried_total" + TAGS + " 2.0",
                        "streamconnect_parked_total" + TAGS + " 3.0",
                        "streamconnect_throttled_seconds_total" + TAGS + " 1.5",
                        "streamconnect_reordered_total" + TAGS + " 6.0",
                        "streamconnect_repeated_total" + TAGS + " 7.0",
                        "streamconnect_drain_limits_total" + TAGS + " 1.0",
                        "streamconnect_returned_total" + TAGS + " 8.0",
                        "streamconnect_gap_messages_total" + TAGS + " 40.0",
                        "streamconnect_position_events_total" + TAGS + " 2.0",
                        "streamconnect_partitions_assigned" + TAGS + " 1.0",
                        "streamconnect_partitions" + TAGS + " 1.0",
                        "streamconnect_lag" + TAGS + " 5.0",
                        "streamconnect_held" + TAGS + " 4.0",
                        "streamconnect_former" + TAGS + " 2.0",
                        "streamconnect_oldest_age_seconds" + TAGS + " 2.5",
                        "streamconnect_time_to_loss_seconds" + TAGS + " 5400.0",
                        "streamconnect_last_retry_run_seconds" + TAGS + " 1000.0",
                        "streamconnect_healthy" + TAGS + " 1.0",
                        "streamconnect_own_client" + TAGS + " 0.0");
        orders.healthy = false;
        assertThat(lines()).contains("streamconnect_healthy" + TAGS + " 0.0");
    }

    @Test
    @DisplayName("they are there from the opening of a link to its end, whoever came first")
    void comeAndGo() {
        metrics.listen(new LinkMeters(registry, "n1"));
        assertThat(lines()).isEmpty();
        metrics.opened(orders);
        assertThat(lines()).hasSize(22);
        metrics.ended(orders);
        assertThat(lines()).isEmpty();
    }

    @Test
    @DisplayName("a link that is opened before its forerunner has ended keeps its own")
    void overlap() {
        metrics.listen(new LinkMeters(registry, "n1"));
        metrics.opened(orders);
        orders.counters().moved(100, 100);
        HandCountedLink again = HandCountedLink.toServiceNow("orders");
        metrics.opened(again);
        again.counters().moved(1, 1);
        metrics.ended(orders);
        assertThat(lines()).contains("streamconnect_messages_total" + TAGS + " 1.0");
        metrics.ended(again);
        assertThat(registry.getMeters()).extracting(Meter::getId).isEmpty();
    }

    @Test
    @DisplayName("rows of topic replications that are gone are a gauge as long as there are some")
    void absent() {
        metrics.listen(new LinkMeters(registry, "n1"));
        metrics.absent(Map.of("gone", 3L, "off", 1L));
        metrics.absent(Map.of("gone", 2L));
        assertThat(lines())
                .containsExactly("streamconnect_absent{node=\"n1\",replication=\"gone\"} 2.0");
        metrics.absent(Map.of());
        assertThat(lines()).isEmpty();
    }

    @Test
    @DisplayName("none is left in a registry that outlives them, and none comes back")
    void closed() {
        LinkMeters meters = new LinkMeters(registry, "n1");
        metrics.listen(meters);
        metrics.opened(orders);
        metrics.absent(Map.of("gone", 3L));
        assertThat(registry.getMeters()).hasSize(23);
        meters.close();
        assertThat(registry.getMeters()).isEmpty();
        metrics.absent(Map.of("gone", 2L));
        metrics.opened(HandCountedLink.toServiceNow("late"));
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    @DisplayName("what is unknown is no number")
    void unknown() {
        metrics.listen(new LinkMeters(registry, "n1"));
        metrics.opened(orders);
        assertThat(lines()).contains("streamconnect_lag" + TAGS + " NaN");
    }
}
