package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.PLANT;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Messages behind an open transaction")
class OpenTransactionsTest {

    private static final TopicPartition ORDERS = new TopicPartition("orders", 3);

    private final MovedClock clock = new MovedClock();
    private final FakeProbe cluster = new FakeProbe();
    private final OpenTransactions transactions = new OpenTransactions(PLANT, clock, cluster);
    private final LinkMonitor monitor =
            new LinkMonitor(Fixtures.link("orders-to-sn", LinkOptions.defaults(true)), clock);

    @BeforeEach
    void assigned() {
        monitor.assigned("CUSTOMER", 1);
        transactions.readTo(ORDERS, 7, monitor);
    }

    private LinkState stateAfter(Duration time) {
        for (Duration left = time; left.toSeconds() > 0; left = left.minusSeconds(1)) {
            clock.move(Duration.ofSeconds(1));
            transactions.look();
        }
        return monitor.snapshot().state();
    }

    @Test
    @DisplayName("are a state after two minutes without progress, with place and time")
    void blocked() {
        cluster.logEnds.put(ORDERS, 12L);
        cluster.stableEnds.put(ORDERS, 7L);
        assertThat(stateAfter(Duration.ofSeconds(110))).isEqualTo(LinkState.RUNNING);
        assertThat(monitor.snapshot().errorSince()).as("maybe it ends soon").isNull();
        assertThat(stateAfter(Duration.ofSeconds(15))).isEqualTo(LinkState.BLOCKED_BY_TRANSACTION);
        LinkStatus status = monitor.snapshot();
        assertThat(status.reason())
                .contains("orders-3", "plant", "5 offset(s) from 7 on", "2026-01-01T00:00:01Z");
        assertThat(status.errorSince()).isEqualTo(MovedClock.START.plusSeconds(1));
    }

    @Test
    @DisplayName("that end are over at once, and a later transaction has its own two minutes")
    void ended() {
        cluster.logEnds.put(ORDERS, 12L);
        cluster.stableEnds.put(ORDERS, 7L);
        assertThat(stateAfter(Duration.ofSeconds(130))).isEqualTo(LinkState.BLOCKED_BY_TRANSACTION);
        transactions.forget(ORDERS);
        assertThat(monitor.snapshot().state()).isEqualTo(LinkState.RUNNING);
        transactions.readTo(ORDERS, 12, monitor);
        cluster.logEnds.put(ORDERS, 20L);
        cluster.stableEnds.put(ORDERS, 12L);
        assertThat(stateAfter(Duration.ofSeconds(110))).isEqualTo(LinkState.RUNNING);
    }

    @Test
    @DisplayName("that were aborted and read past without a message are over, too")
    void positionMoved() {
        cluster.logEnds.put(ORDERS, 12L);
        cluster.stableEnds.put(ORDERS, 7L);
        stateAfter(Duration.ofSeconds(130));
        transactions.readTo(ORDERS, 12, monitor);
        assertThat(monitor.snapshot().state()).isEqualTo(LinkState.RUNNING);
    }

    @Test
    @DisplayName("are not what is just written and not read yet")
    void onlyNew() {
        cluster.logEnds.put(ORDERS, 12L);
        cluster.stableEnds.put(ORDERS, 12L);
        assertThat(stateAfter(Duration.ofMinutes(5))).isEqualTo(LinkState.RUNNING);
    }

    @Test
    @DisplayName("are looked for twelve times a minute, and not where there is something to read")
    void seldom() {
        cluster.logEnds.put(ORDERS, 7L);
        stateAfter(Duration.ofSeconds(60));
        assertThat(cluster.endsAsked).hasValue(12);
        transactions.forget(ORDERS);
        stateAfter(Duration.ofSeconds(60));
        assertThat(cluster.endsAsked).hasValue(12);
    }
}
