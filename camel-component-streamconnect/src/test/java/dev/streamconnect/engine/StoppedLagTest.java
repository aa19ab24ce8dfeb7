package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.PLANT;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("case-R5")
@DisplayName("The lag of a partition that stopped")
class StoppedLagTest {

    private static final TopicPartition ORDERS = new TopicPartition("orders", 3);

    private final MovedClock clock = new MovedClock();
    private final FakeProbe cluster = new FakeProbe();
    private final StoppedLag lag = new StoppedLag(PLANT, clock, cluster);
    private final LinkMonitor monitor =
            new LinkMonitor(Fixtures.link("orders-to-sn", LinkOptions.defaults(true)), clock);

    private long lagAfter(Duration time) {
        clock.move(time);
        lag.look();
        return monitor.snapshot().lag();
    }

    @Test
    @DisplayName("is all that its source has for it, and grows with it")
    void grows() {
        lag.stopped(ORDERS, 3, monitor);
        cluster.stableEnds.put(ORDERS, 402L);
        assertThat(lagAfter(Duration.ZERO)).isEqualTo(399);
        cluster.stableEnds.put(ORDERS, 500L);
        assertThat(lagAfter(Duration.ofSeconds(1))).as("not asked for at once").isEqualTo(399);
        assertThat(lagAfter(Duration.ofSeconds(10))).isEqualTo(497);
    }

    @Test
    @DisplayName(
            "stays while the cluster does not tell, and is the consumer's again when it goes on")
    void goesOn() {
        lag.stopped(ORDERS, 0, monitor);
        cluster.stableEnds.put(ORDERS, 5L);
        assertThat(lagAfter(Duration.ZERO)).isEqualTo(5);
        cluster.stableEnds.clear();
        assertThat(lagAfter(Duration.ofSeconds(10))).isEqualTo(5);
        lag.forget(ORDERS);
        cluster.stableEnds.put(ORDERS, 9L);
        assertThat(lagAfter(Duration.ofSeconds(10))).isEqualTo(5);
        assertThat(cluster.endsAsked).hasValue(2);
    }
}
