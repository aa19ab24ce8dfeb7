package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.DestinationTopic.Gate;
import dev.streamconnect.engine.DestinationTopic.ProbeOutcome;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DestinationTopicTest {

    private static final FailureVerdict MISSING = new FailureVerdict.TopicMissing("gone");

    private final MovedClock clock = new MovedClock();
    private final DestinationTopic topic =
            new DestinationTopic("orders", Fixtures.sizeLimit(1_000_000));

    private ProbeOutcome sees(Map<String, String> config) {
        return topic.probed(FakeProbe.there(config), clock.instant());
    }

    private ProbeOutcome fails(FailureVerdict verdict) {
        return topic.probed(TopicProbe.Result.failed(verdict), clock.instant());
    }

    @Test
    @DisplayName("is open once a probe has seen it, with the contract that it saw")
    void opens() {
        assertThat(topic.gate()).isEqualTo(Gate.UNKNOWN);
        assertThat(sees(Map.of("max.message.bytes", "2000"))).isEqualTo(ProbeOutcome.OPEN);
        assertThat(topic.gate()).isEqualTo(Gate.OPEN);
        assertThat(topic.contract().readable()).isTrue();
        assertThat(topic.contract().size().bytes()).isEqualTo(2_000);
        assertThat(sees(null)).isEqualTo(ProbeOutcome.OPEN);
        assertThat(topic.contract().readable()).isFalse();
    }

    @Test
    @Tag("case-U6")
    @DisplayName("may be unknown for three seconds when it was never seen, and is closed after it")
    void justCreated() {
        topic.doubt(clock.instant());
        assertThat(fails(MISSING)).isEqualTo(ProbeOutcome.IN_DOUBT);
        clock.move(Duration.ofSeconds(3));
        assertThat(fails(MISSING)).isEqualTo(ProbeOutcome.CLOSED);
        assertThat(topic.closedBecause()).isEqualTo(MISSING);
    }

    @Test
    @Tag("case-H13")
    @DisplayName("that was seen is closed at once when it is missing")
    void deleted() {
        sees(Map.of());
        topic.doubt(clock.instant());
        assertThat(fails(MISSING)).isEqualTo(ProbeOutcome.CLOSED);
    }

    @Test
    @DisplayName("that nobody answers for stays in doubt, however long")
    void outage() {
        topic.doubt(clock.instant());
        for (int minute = 0; minute < 10; minute++) {
            assertThat(fails(new FailureVerdict.Transient("away")))
                    .isEqualTo(ProbeOutcome.IN_DOUBT);
            assertThat(topic.isProbeDue(clock.instant())).isFalse();
            clock.move(Duration.ofMinutes(1));
            assertThat(topic.isProbeDue(clock.instant())).isTrue();
        }
        assertThat(topic.doubtSince()).isEqualTo(MovedClock.START);
    }

    @Test
    @DisplayName("that was closed tells that it opens, also by way of a doubt")
    void opensAgain() {
        topic.close(MISSING, clock.instant());
        topic.doubt(clock.instant());
        assertThat(sees(Map.of())).isEqualTo(ProbeOutcome.OPENED);
        assertThat(sees(Map.of())).isEqualTo(ProbeOutcome.OPEN);
    }

    @Test
    @Tag("case-S1")
    @DisplayName("that is closed is probed later each time, up to half a minute")
    void backsOff() {
        int probes = 0;
        for (int second = 0; second < 600; second++) {
            if (topic.isProbeDue(clock.instant())) {
                topic.close(MISSING, clock.instant());
                probes++;
            }
            clock.move(Duration.ofSeconds(1));
        }
        assertThat(probes).isBetween(600 / 37, 600 / 24 + 6);
    }
}
