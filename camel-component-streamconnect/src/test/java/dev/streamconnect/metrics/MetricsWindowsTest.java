package dev.streamconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.engine.MovedClock;
import dev.streamconnect.spi.MetricsRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MetricsWindowsTest {

    private static final Duration MINUTE = Duration.ofSeconds(60);

    private final MovedClock clock = new MovedClock();
    private final MetricsWindows metrics = new MetricsWindows("n1", clock);
    private final HandCountedLink orders = HandCountedLink.toServiceNow("orders");

    private List<MetricsRecord> all() {
        return metrics.closedSince(Instant.EPOCH, null);
    }

    private List<MetricsRecord> all(String id) {
        return metrics.closedSince(Instant.EPOCH, id);
    }

    private void pass(Duration time) {
        clock.move(time);
        metrics.tick();
    }

    private static List<Long> counts(List<MetricsRecord> windows) {
        return windows.stream().map(MetricsRecord::messageCount).toList();
    }

    @Test
    @Tag("case-R5")
    @DisplayName(
            "two replications in opposite directions, 10 and 20 messages: one record each, 10 and 20")
    void bothDirections() {
        HandCountedLink decisions = HandCountedLink.fromServiceNow("decisions");
        metrics.opened(orders);
        metrics.opened(decisions);
        for (int i = 0; i < 5; i++) {
            orders.counters().moved(2, 20);
            decisions.counters().moved(4, 400);
        }
        pass(MINUTE);
        assertThat(all()).hasSize(2);
        MetricsRecord to = all("orders").get(0);
        assertThat(to.messageCount()).isEqualTo(10);
        assertThat(to.byteCount()).isEqualTo(100);
        assertThat(to.direction()).isEqualTo("To ServiceNow");
        assertThat(to.source()).isEqualTo("orders");
        assertThat(to.destination()).isEqualTo("snc.acme.orders");
        MetricsRecord from = all("decisions").get(0);
        assertThat(from.messageCount()).isEqualTo(20);
        assertThat(from.byteCount()).isEqualTo(2_000);
        assertThat(from.direction()).isEqualTo("From ServiceNow");
        assertThat(from.node()).isEqualTo("n1");
    }

    @Test
    @DisplayName("a window ends at whole minutes of the clock, and only then")
    void boundaries() {
        pass(Duration.ofSeconds(20));
        metrics.opened(orders);
        orders.counters().moved(1, 1);
        pass(Duration.ofMillis(39_999));
        assertThat(all()).isEmpty();
        orders.counters().moved(2, 2);
        pass(Duration.ofMillis(1));
        orders.counters().moved(4, 4);
        for (int i = 0; i < 59; i++) {
            pass(Duration.ofSeconds(1));
        }
        assertThat(counts(all())).containsExactly(3L);
        pass(Duration.ofSeconds(1));
        assertThat(counts(all())).containsExactly(3L, 4L);
        assertThat(all().get(0).collectionTime()).isEqualTo(MovedClock.START.plusSeconds(60));
        assertThat(all().get(0).collectionIntervalSeconds()).isEqualTo(40);
        assertThat(all().get(1).collectionTime()).isEqualTo(MovedClock.START.plusSeconds(120));
        assertThat(all().get(1).collectionIntervalSeconds()).isEqualTo(60);
    }

    @Test
    @DisplayName("a window without messages is a record, too")
    void emptyWindows() {
        metrics.opened(orders);
        pass(MINUTE);
        pass(MINUTE);
        assertThat(counts(all())).containsExactly(0L, 0L);
    }

    @Test
    @DisplayName("a process that stood still has one long window, not many")
    void stoodStill() {
        metrics.opened(orders);
        orders.counters().moved(7, 7);
        pass(Duration.ofSeconds(600 + 15));
        assertThat(counts(all())).containsExactly(7L);
        assertThat(all().get(0).collectionIntervalSeconds()).isEqualTo(615);
        pass(Duration.ofSeconds(45));
        assertThat(all().get(1).collectionIntervalSeconds()).isEqualTo(45);
    }

    @Test
    @DisplayName("a clock that is set back does not keep a window open until it has caught up")
    void clockSetBack() {
        metrics.opened(orders);
        pass(MINUTE);
        orders.counters().moved(3, 3);
        pass(Duration.ofHours(-1));
        pass(MINUTE);
        assertThat(counts(all())).hasSize(3).contains(3L);
        assertThat(all()).allMatch(window -> window.collectionIntervalSeconds() >= 0);
    }

    @Test
    @DisplayName("the end of a link closes its last window, a restart begins a new one at zero")
    void restart() {
        metrics.opened(orders);
        orders.counters().moved(5, 50);
        pass(MINUTE);
        orders.counters().moved(3, 30);
        clock.move(Duration.ofSeconds(10));
        metrics.ended(orders);
        metrics.ended(orders);
        assertThat(counts(all())).containsExactly(5L, 3L);
        assertThat(all().get(1).collectionIntervalSeconds()).isEqualTo(10);
        pass(Duration.ofSeconds(20));
        HandCountedLink again = HandCountedLink.toServiceNow("orders");
        metrics.opened(again);
        again.counters().moved(2, 20);
        pass(Duration.ofSeconds(30));
        assertThat(counts(all())).containsExactly(5L, 3L, 2L);
        assertThat(all().get(2).collectionIntervalSeconds()).isEqualTo(30);
    }

    @Test
    @DisplayName("a link that ends at the moment its window ended leaves no empty window")
    void endsAtTheBoundary() {
        metrics.opened(orders);
        orders.counters().moved(1, 1);
        pass(MINUTE);
        metrics.ended(orders);
        assertThat(counts(all())).containsExactly(1L);
    }

    @Test
    @DisplayName(
            "what was counted at that moment is not lost, and its window has an end of its own")
    void countedAtTheBoundary() {
        metrics.opened(orders);
        pass(MINUTE);
        orders.counters().moved(1, 1);
        metrics.ended(orders);
        assertThat(counts(all())).containsExactly(0L, 1L);
        assertThat(all().get(1).collectionTime()).isAfter(all().get(0).collectionTime());
    }

    @Test
    @DisplayName("closing closes the windows of all links that are open")
    void close() {
        metrics.opened(orders);
        orders.counters().moved(4, 4);
        clock.move(Duration.ofSeconds(3));
        metrics.close(Duration.ZERO);
        metrics.close(Duration.ZERO);
        assertThat(counts(all())).containsExactly(4L);
    }

    @Test
    @DisplayName("reading twice changes nothing, neither what is read nor what comes next")
    void readingTwice() {
        metrics.opened(orders);
        orders.counters().moved(1, 1);
        pass(MINUTE);
        orders.counters().moved(2, 2);
        clock.move(Duration.ofSeconds(30));
        List<MetricsRecord> first = all();
        assertThat(all()).isEqualTo(first).hasSize(1);
        pass(Duration.ofSeconds(30));
        assertThat(counts(all())).containsExactly(1L, 2L);
    }

    @Test
    @DisplayName("the windows add up to the counters, whenever they are closed")
    void addUp() {
        Random random = new Random(7);
        metrics.opened(orders);
        long sent = 0;
        long stored = 0;
        for (int i = 0; i < 400; i++) {
            int more = random.nextInt(100);
            sent += more;
            orders.counters().moved(more, more * 3L);
            if (random.nextInt(5) == 0) {
                stored++;
                orders.counters().stored(1);
            }
            pass(Duration.ofMillis(random.nextInt(9_000)));
        }
        metrics.ended(orders);
        assertThat(all()).hasSizeBetween(2, ClosedWindows.KEPT);
        assertThat(all().stream().mapToLong(MetricsRecord::messageCount).sum()).isEqualTo(sent);
        assertThat(all().stream().mapToLong(MetricsRecord::byteCount).sum()).isEqualTo(sent * 3);
        assertThat(all().stream().mapToLong(MetricsRecord::stored).sum()).isEqualTo(stored);
    }

    @Test
    @DisplayName("counts are of the window, gauges of its end")
    void allFigures() {
        metrics.opened(orders);
        orders.counters().moved(100, 1);
        orders.counters().stored(1);
        pass(MINUTE);
        orders.counters().stored(2);
        orders.counters().retried(3);
        orders.counters().parked(4);
        orders.counters().throttled(5);
        orders.counters().heldBehindKey("orders-0", 9);
        orders.counters().heldBehindKey("orders-1", 2);
        orders.counters().heldBehindKey("orders-2", 8);
        orders.counters().heldBehindKey("orders-0", 4);
        orders.counters().heldBehindKey("orders-2", 0);
        orders.counters().retryRunEnded(MovedClock.START.plusSeconds(90));
        orders.counters().reordered(10);
        orders.counters().repeated(11);
        orders.counters().drainLimitHit();
        orders.counters().returned(12);
        orders.totalPartitions = 4;
        orders.counters().positionTrouble(40);
        orders.counters().positionTrouble(0);
        orders.backlog = new Backlog(7L, 8_000L, 0.5);
        pass(MINUTE);
        assertThat(all().get(1))
                .isEqualTo(
                        new MetricsRecord(
                                MovedClock.START.plusSeconds(120),
                                60,
                                "orders",
                                0,
                                0,
                                7L,
                                "orders",
                                "snc.acme.orders",
                                "To ServiceNow",
                                "n1",
                                2,
                                3,
                                4,
                                6,
                                5,
                                40,
                                2,
                                1,
                                4,
                                8_000L,
                                0.5,
                                MovedClock.START.plusSeconds(90),
                                10,
                                11,
                                1,
                                12));
        assertThat(all().get(1))
                .hasToString(
                        "2026-01-01 00:02:00Z orders (To ServiceNow, orders -> snc.acme.orders):"
                                + " 0 messages, 0 bytes in 60 s, lag 7, stored 2, retried 3,"
                                + " parked 4, held behind a key 6, throttled 5 ms, reordered 10,"
                                + " repeated 11, drain limits hit 1, returned 12, gap of 40 message(s),"
                                + " position events 2, partitions 1 of 4, oldest not replicated 8000 ms,"
                                + " 0.5 h to loss, node n1");
        pass(MINUTE);
        assertThat(all().get(2).stored()).isZero();
        assertThat(all().get(2).reordered()).isZero();
        assertThat(all().get(2).heldBehindKey()).isEqualTo(6);
    }

    @Test
    @DisplayName("what is unknown is null")
    void unknown() {
        metrics.opened(orders);
        pass(MINUTE);
        assertThat(all().get(0).lagMessages()).isNull();
        assertThat(all().get(0).oldestAgeMillis()).isNull();
        assertThat(all().get(0).hoursToLoss()).isNull();
        assertThat(all().get(0).lastRetryRun()).isNull();
        assertThat(all().get(0).toString()).contains("lag unknown, node n1");
    }

    @Test
    @DisplayName("memory holds the last 60 windows of each topic replication")
    void bounded() {
        metrics.opened(orders);
        for (int i = 0; i < 100; i++) {
            orders.counters().moved(i, i);
            pass(MINUTE);
        }
        assertThat(counts(all())).hasSize(60).startsWith(40L).endsWith(99L);
    }

    @Test
    @DisplayName("a topic replication that is gone is forgotten after 60 intervals")
    void forgotten() {
        HandCountedLink other = HandCountedLink.toServiceNow("other");
        metrics.opened(orders);
        metrics.opened(other);
        pass(MINUTE);
        metrics.ended(orders);
        for (int i = 0; i < 60; i++) {
            pass(MINUTE);
        }
        assertThat(all("orders")).hasSize(1);
        pass(MINUTE);
        assertThat(all("orders")).isEmpty();
    }

    @Test
    @DisplayName("the interval can be another")
    void interval() {
        metrics.every(Duration.ofSeconds(2));
        metrics.opened(orders);
        pass(Duration.ofSeconds(2));
        pass(Duration.ofSeconds(2));
        assertThat(all()).hasSize(2);
        assertThatThrownBy(() -> metrics.every(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("counts never go back")
    void neverBack() {
        assertThatThrownBy(() -> orders.counters().stored(-1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
