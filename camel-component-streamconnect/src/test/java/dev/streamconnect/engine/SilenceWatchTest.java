package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.HERMES;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("case-P3")
class SilenceWatchTest {

    private final MovedClock clock = new MovedClock();
    private final SilenceWatch watch =
            new SilenceWatch(HERMES, Duration.ofSeconds(5), Duration.ofSeconds(20));
    private final DestinationTopic orders = new DestinationTopic("orders", Fixtures.sizeLimit(100));
    private final DestinationTopic stock = new DestinationTopic("stock", Fixtures.sizeLimit(100));
    private final List<ShipmentAttempt> inFlight = new ArrayList<>();
    private long acknowledgements;

    private ShipmentAttempt attempt(DestinationTopic topic) {
        return attempt(new Shipment.Raw(Fixtures.polled(0, 10), 4, null), topic);
    }

    private static ShipmentAttempt attempt(Shipment shipment, DestinationTopic topic) {
        return new ShipmentAttempt(
                shipment, topic, new ProducerGeneration(done -> {}, changed -> {}));
    }

    /** The client has had its first acknowledgement. */
    private void acknowledgeOnce() {
        acknowledgements++;
        look();
    }

    private SilenceWatch.Finding look() {
        return watch.look(inFlight, List.of(orders, stock), acknowledgements, clock.instant());
    }

    private SilenceWatch.Finding lookAfter(int seconds) {
        clock.move(Duration.ofSeconds(seconds));
        return look();
    }

    @Test
    @DisplayName("nothing in flight is no silence, however long")
    void quiet() {
        look();
        SilenceWatch.Finding finding = lookAfter(3_600);
        assertThat(finding.silent()).isEmpty();
        assertThat(finding.outage()).isFalse();
        assertThat(finding.rebuild()).isFalse();
    }

    @Test
    @DisplayName(
            "pending without acknowledgement: told after 5 s, rebuilt after 20 s, then in 20 s steps")
    void silence() {
        acknowledgeOnce();
        inFlight.add(attempt(orders));
        look();
        assertThat(lookAfter(5).silent()).isEmpty();
        assertThat(lookAfter(1).silent()).containsExactly(orders);
        assertThat(look().outage()).isTrue();
        assertThat(look().rebuild()).isFalse();
        assertThat(lookAfter(15).rebuild()).isTrue();
        watch.tell(look(), clock.instant());
        watch.restart();
        look();
        assertThat(lookAfter(10).rebuild()).isFalse();
        assertThat(lookAfter(11).rebuild()).isTrue();
    }

    @Test
    @DisplayName("a client that has no acknowledgement yet gets three times as long")
    void firstAcknowledgement() {
        inFlight.add(attempt(orders));
        stock.doubt(clock.instant());
        stock.monitors()
                .add(new LinkMonitor(Fixtures.link("x", LinkOptions.defaults(true)), clock));
        look();
        assertThat(lookAfter(15).silent()).isEmpty();
        SilenceWatch.Finding finding = lookAfter(1);
        assertThat(finding.silent()).containsExactly(orders, stock);
        assertThat(finding.outage()).isTrue();
    }

    @Test
    @DisplayName("a client that was built anew, as after a fail-over, gets it again")
    void firstAcknowledgementOfTheNext() {
        acknowledgeOnce();
        watch.restart();
        inFlight.add(attempt(orders));
        look();
        assertThat(lookAfter(15).silent()).isEmpty();
        assertThat(lookAfter(1).outage()).isTrue();
    }

    @Test
    @DisplayName("a topic that stalls while another gets on is no outage of the connection")
    void oneTopic() {
        inFlight.add(attempt(orders));
        look();
        for (int i = 0; i < 10; i++) {
            acknowledgements += 100;
            SilenceWatch.Finding finding = lookAfter(3);
            assertThat(finding.outage()).isFalse();
            assertThat(finding.rebuild()).isFalse();
        }
        assertThat(look().silent()).containsExactly(orders);
    }

    @Test
    @DisplayName("new messages all the time do not hide that nothing is acknowledged")
    void youngChunksAreNoProgress() {
        boolean outage = false;
        boolean rebuild = false;
        for (int second = 0; second < 30; second++) {
            inFlight.add(attempt(orders));
            SilenceWatch.Finding finding = lookAfter(1);
            outage |= finding.outage();
            rebuild |= finding.rebuild();
        }
        assertThat(outage).isTrue();
        assertThat(rebuild).isTrue();
    }

    @Test
    @DisplayName("sending the same shipment once more is no progress, an acknowledged record is")
    void anotherAttempt() {
        acknowledgeOnce();
        Shipment shipment = new Shipment.Raw(Fixtures.polled(0, 10), 4, null);
        inFlight.add(attempt(shipment, orders));
        look();
        for (int i = 0; i < 3; i++) {
            inFlight.set(0, attempt(shipment, orders));
            lookAfter(2);
        }
        assertThat(look().silent()).containsExactly(orders);
        shipment.ack(0);
        SilenceWatch.Finding finding = look();
        assertThat(finding.silent()).isEmpty();
        assertThat(finding.answering()).containsExactly(orders);
    }

    @Test
    @DisplayName("a topic that can't be probed for 5 s is silent, too")
    void doubt() {
        acknowledgeOnce();
        stock.doubt(clock.instant());
        assertThat(lookAfter(6).silent()).as("nobody waits for it or watches it").isEmpty();
        stock.monitors()
                .add(new LinkMonitor(Fixtures.link("x", LinkOptions.defaults(true)), clock));
        assertThat(look().silent()).containsExactly(stock);
        assertThat(look().rebuild()).as("a new producer would not help").isFalse();
        stock.probed(FakeProbe.there(Map.of()), clock.instant());
        assertThat(look().answering()).containsExactly(stock);
    }

    @Test
    @Tag("case-S13")
    @DisplayName("an outage is one line when it begins and one when it ends; links know meanwhile")
    void told() {
        LinkMonitor monitor =
                new LinkMonitor(Fixtures.link("x", LinkOptions.defaults(true)), clock);
        monitor.assigned("A", 1);
        orders.monitors().add(monitor);
        try (LogLines log = new LogLines(SilenceWatch.class.getName())) {
            inFlight.add(attempt(orders));
            look();
            for (int i = 0; i < 60; i++) {
                watch.tell(lookAfter(1), clock.instant());
            }
            assertThat(monitor.snapshot().state()).isEqualTo(LinkState.STALLED);
            assertThat(monitor.snapshot().reason())
                    .contains("orders", "localhost:2: connection refused");
            inFlight.clear();
            acknowledgements++;
            watch.tell(lookAfter(1), clock.instant());
            assertThat(monitor.snapshot().state()).isEqualTo(LinkState.RUNNING);
            assertThat(log.lines()).hasSize(2);
            assertThat(log.lines().get(0)).startsWith("WARN").contains("does not answer");
            assertThat(log.lines().get(1))
                    .as("from the first message that was not acknowledged")
                    .startsWith("INFO")
                    .contains("answers again after 61 s");
        }
    }

    @Test
    @Tag("case-S13")
    @DisplayName("a client built anew, with nothing in flight yet, does not end the outage")
    void newClient() {
        inFlight.add(attempt(orders));
        look();
        watch.tell(lookAfter(21), clock.instant());
        inFlight.clear();
        watch.restart();
        SilenceWatch.Finding finding = lookAfter(1);
        assertThat(finding.outage()).isTrue();
        assertThat(finding.answering()).isEmpty();
        watch.heard();
        assertThat(lookAfter(1).outage()).isFalse();
    }

    @Test
    @Tag("case-S13")
    @DisplayName("what a client gives back with errors while it is closed does not end the outage")
    void closedClient() {
        ShipmentAttempt attempt = attempt(orders);
        inFlight.add(attempt);
        look();
        assertThat(lookAfter(21).outage()).isTrue();
        attempt.onCompletion(null, new KafkaException("closed"));
        assertThat(look().outage()).isTrue();
        assertThat(lookAfter(1).outage()).isTrue();
    }

    @Test
    @Tag("case-H13")
    @DisplayName("a topic is asked about before it is silent; known to be closed, it is not silent")
    void closedTopic() {
        inFlight.add(attempt(orders));
        look();
        assertThat(lookAfter(2).ask()).isEmpty();
        assertThat(lookAfter(1).ask()).containsExactly(orders);
        assertThat(lookAfter(1).ask()).as("once").isEmpty();
        orders.close(new FailureVerdict.TopicMissing("gone"), clock.instant());
        SilenceWatch.Finding finding = lookAfter(60);
        assertThat(finding.silent()).isEmpty();
        assertThat(finding.rebuild()).isFalse();
    }

    @Test
    @Tag("case-U9")
    @DisplayName("a quota's wait is no outage; silence counts from its end on")
    void brokersAskToWait() {
        acknowledgeOnce();
        inFlight.add(attempt(orders));
        look();
        watch.asksToWait(clock.instant().plusSeconds(40));
        watch.asksToWait(clock.instant().plusSeconds(1));
        for (int second = 0; second < 44; second++) {
            SilenceWatch.Finding finding = lookAfter(1);
            assertThat(finding.silent()).isEmpty();
            assertThat(finding.outage()).isFalse();
            assertThat(finding.rebuild()).isFalse();
        }
        SilenceWatch.Finding finding = lookAfter(2);
        assertThat(finding.silent()).containsExactly(orders);
        assertThat(finding.outage()).isTrue();
    }
}
