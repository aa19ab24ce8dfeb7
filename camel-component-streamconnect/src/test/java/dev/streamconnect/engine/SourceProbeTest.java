package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.PLANT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The mock's byte counter never moves: a consumer that hears nothing. */
@Tag("case-O25")
class SourceProbeTest {

    private final MovedClock clock = new MovedClock();
    private final FakeProbe cluster = new FakeProbe();
    private final SourceProbe probe = new SourceProbe(PLANT, "me", clock, cluster);
    private final MockConsumer<byte[], byte[]> consumer =
            new MockConsumer<>(OffsetResetStrategy.NONE);
    private final HandDrivenLink link = HandDrivenLink.with(Fixtures.options(true, 1, 10), clock);
    private final SourceTopic orders = new SourceTopic("orders", link);
    private final SourceTopic closed = new SourceTopic("closed", link);

    private boolean housekeep() {
        probe.probe(List.of(orders, closed));
        return probe.watch(consumer, true, List.of(orders, closed));
    }

    private boolean housekeepFor(int seconds) {
        boolean rebuild = false;
        for (int i = 0; i < seconds * 4; i++) {
            clock.move(Duration.ofMillis(250));
            rebuild |= housekeep();
        }
        return rebuild;
    }

    @Test
    @Tag("case-S12")
    @DisplayName(
            "silence while the cluster answers a new client means a new consumer, within seconds")
    void silentThoughTheClusterAnswers() {
        housekeep();
        assertThat(housekeepFor(19)).isFalse();
        assertThat(link.monitor().snapshot().state()).isEqualTo(LinkState.STALLED);
        assertThat(housekeepFor(6)).isTrue();
        probe.restarted();
        assertThat(housekeep()).isFalse();
    }

    @Test
    @DisplayName("silence while the cluster does not answer either is an outage: no new consumer")
    void outage() {
        housekeep();
        cluster.fails("orders", new FailureVerdict.Transient("away"));
        cluster.fails("closed", new FailureVerdict.Transient("away"));
        assertThat(housekeepFor(120)).isFalse();
        assertThat(link.monitor().snapshot().state()).isEqualTo(LinkState.STALLED);
    }

    @Test
    @DisplayName("while no consumer is built, because nothing answers, it is an outage, too")
    void noConsumer() {
        housekeep();
        cluster.fails("orders", new FailureVerdict.Transient("away"));
        cluster.fails("closed", new FailureVerdict.Transient("away"));
        for (int i = 0; i < 40; i++) {
            clock.move(Duration.ofMillis(250));
            assertThat(probe.watch(null, true, List.of(orders, closed))).isFalse();
        }
        assertThat(link.monitor().snapshot().state()).isEqualTo(LinkState.STALLED);
        assertThat(link.monitor().snapshot().reason()).contains("does not answer");
    }

    @Test
    @DisplayName("silence is told after six seconds where a new client gets no answer either")
    void toldSooner() {
        housekeep();
        cluster.fails("orders", new FailureVerdict.Transient("away"));
        cluster.fails("closed", new FailureVerdict.Transient("away"));
        housekeepFor(5);
        assertThat(link.monitor().snapshot().reason()).doesNotContain("does not answer");
        housekeepFor(2);
        assertThat(link.monitor().snapshot().state()).isEqualTo(LinkState.STALLED);
        assertThat(link.monitor().snapshot().reason()).contains("does not answer");
    }

    @Test
    @DisplayName("silence is told after eight seconds where a new client gets an answer")
    void onlyThisClient() {
        housekeep();
        housekeepFor(7);
        assertThat(link.monitor().snapshot().state()).isNotEqualTo(LinkState.STALLED);
        housekeepFor(2);
        assertThat(link.monitor().snapshot().state()).isEqualTo(LinkState.STALLED);
    }

    /** A consumer that hears something all the time. */
    private static final class HearingConsumer extends MockConsumer<byte[], byte[]> {
        private double bytes;

        HearingConsumer() {
            super(OffsetResetStrategy.NONE);
        }

        @Override
        public synchronized Map<MetricName, ? extends Metric> metrics() {
            MetricName name =
                    new MetricName("incoming-byte-total", "consumer-metrics", "", Map.of());
            double now = ++bytes;
            return Map.of(
                    name,
                    new Metric() {
                        @Override
                        public MetricName metricName() {
                            return name;
                        }

                        @Override
                        public Object metricValue() {
                            return now;
                        }
                    });
        }
    }

    @Test
    @Tag("case-S2")
    @DisplayName("an outage of one side of Hermes shows though the other side is heard")
    void oneSideIsAway() {
        FakeProbe otherCluster = new FakeProbe();
        SourceProbe sideA = new SourceProbe(side(ClientRole.HERMES_A), "me", clock, cluster);
        SourceProbe sideB = new SourceProbe(side(ClientRole.HERMES_B), "me", clock, otherCluster);
        SourceTopic ordersOfB = new SourceTopic("orders", link);
        HearingConsumer hearing = new HearingConsumer();
        for (int i = 0; i < 80; i++) {
            sideB.probe(List.of(ordersOfB));
            sideB.watch(consumer, true, List.of(ordersOfB));
            sideA.probe(List.of(orders));
            sideA.watch(hearing, true, List.of(orders));
            // It was read before: from here on only the silence tells.
            otherCluster.fails("orders", new FailureVerdict.Transient("away"));
            clock.move(Duration.ofMillis(250));
        }
        assertThat(link.monitor().snapshot().state()).isEqualTo(LinkState.STALLED);
        assertThat(link.monitor().snapshot().reason()).contains("localhost:2");
        assertThat(link.monitor().snapshot().errorSince()).isNotNull();
    }

    private static ConnectionSettings side(ClientRole role) {
        return new ConnectionSettings(
                "hermes",
                role,
                "localhost:" + (role == ClientRole.HERMES_B ? 2 : 1),
                "g",
                Map.of());
    }

    @Test
    @Tag("case-S1")
    @DisplayName("a forbidden topic is probed ten times in a minute at most, whatever the silence")
    void forbiddenTopic() {
        cluster.fails("closed", new FailureVerdict.Unauthorized("no READ"));
        orders.nextProbe(MovedClock.START.plus(Duration.ofDays(1)));
        housekeepFor(60);
        assertThat(cluster.asked.get()).isBetween(2, 10);
        assertThat(link.monitor().snapshot().state()).isEqualTo(LinkState.FAILED);
    }

    @Test
    @DisplayName("while it is silent a readable topic is probed about once a second")
    void readableTopicInSilence() {
        housekeep();
        housekeepFor(10);
        int before = cluster.asked.get();
        housekeepFor(10);
        assertThat(cluster.asked.get() - before).isBetween(10, 25);
    }

    @Test
    @DisplayName("an outage takes back neither a missing topic nor a missing right")
    void knownBeforeTheOutage() {
        cluster.fails("closed", new FailureVerdict.Unauthorized("no READ"));
        housekeep();
        cluster.fails("closed", new FailureVerdict.Transient("away"));
        cluster.fails("orders", new FailureVerdict.Transient("away"));
        housekeepFor(120);
        assertThat(link.monitor().snapshot().state()).isEqualTo(LinkState.FAILED);
        assertThat(link.monitor().snapshot().reason()).contains("no READ");
        cluster.answers.clear();
        housekeepFor(300);
        // What is left is the silence of the mock.
        assertThat(link.monitor().snapshot().state()).isEqualTo(LinkState.STALLED);
    }
}
