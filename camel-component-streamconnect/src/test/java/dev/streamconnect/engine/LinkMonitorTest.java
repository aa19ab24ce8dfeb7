package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.spi.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LinkMonitorTest {

    private final MovedClock clock = new MovedClock();
    private final LogLines log = new LogLines("dev.streamconnect.status");
    private final LinkMonitor monitor =
            new LinkMonitor(Fixtures.link("orders-to-sn", LinkOptions.defaults(true)), clock);

    @AfterEach
    void stop() {
        log.close();
    }

    private LinkState state() {
        return monitor.snapshot().state();
    }

    private Problem problem(LinkState state, String reason) {
        return new Problem(state, reason, clock.instant(), false);
    }

    @Test
    @DisplayName("it is STARTING until partitions are assigned")
    void starting() {
        assertThat(state()).isEqualTo(LinkState.STARTING);
        monitor.assigned("A", 0);
        assertThat(state()).isEqualTo(LinkState.RUNNING);
        monitor.assigned("A", 3);
        monitor.assigned("B", 2);
        assertThat(monitor.snapshot().assignedPartitions()).isEqualTo(5);
    }

    @Test
    @DisplayName("a stored message is told with its source partition, as Kafka names it")
    void storedPlace() {
        monitor.stored(List.of(StateRulesTest.stored(Reason.SIZE, clock.instant())));
        assertThat(log.lines())
                .containsExactly(
                        "WARN Topic replication orders-to-sn: 1 message(s) stored as undelivered;"
                                + " A orders-0 offset 1: too large");
    }

    @Test
    @DisplayName("the worst problem is the state, and the next worst when it is gone")
    void worst() {
        monitor.assigned("A", 1);
        monitor.problem("1", problem(LinkState.DEGRADED, "d"));
        monitor.problem("2", problem(LinkState.STALLED, "s"));
        monitor.problem("3", problem(LinkState.FAILED, "f"));
        monitor.problem("4", problem(LinkState.WAITING, "w"));
        monitor.problem("5", problem(LinkState.THROTTLED, "t"));
        monitor.problem("6", problem(LinkState.BLOCKED_BY_TRANSACTION, "b"));
        monitor.problem("7", new Problem(LinkState.STALLED, "x", clock.instant(), false, true));
        monitor.clear("7");
        // An open transaction counts after two minutes.
        clock.move(Duration.ofMinutes(2));
        for (String expected : new String[] {"f3", "w4", "s2", "b6", "t5", "d1"}) {
            assertThat(monitor.snapshot().reason()).isEqualTo(expected.substring(0, 1));
            monitor.clear(expected.substring(1));
        }
        assertThat(state()).isEqualTo(LinkState.RUNNING);
        assertThat(monitor.snapshot().reason()).isEmpty();
    }

    @Test
    @Tag("case-R5")
    @DisplayName("what a link leaves behind at its end is the last lag that was seen")
    void lastLag() {
        monitor.lag("A orders-0", 3, clock.millis() - 5_000, 3_600_000L);
        monitor.lag("A orders-1", 0);
        monitor.noLag("A orders-1");
        monitor.leaving();
        monitor.lag("A orders-0", 2, clock.millis() - 4_000, 3_600_000L);
        monitor.noLag("A orders-0");
        assertThat(monitor.backlog().messages()).isEqualTo(2);
        assertThat(monitor.backlog().oldestAgeMillis()).isEqualTo(4_000);
        monitor.stopped();
        assertThat(monitor.snapshot().lag()).isEqualTo(-1);
    }

    @Test
    @Tag("case-R5")
    @DisplayName("in an outage the lag that was seen last stays, and says so")
    void lagInAnOutage() {
        monitor.lag("HERMES_A orders-0", 3_005);
        monitor.lag("HERMES_B orders-0", 2);
        monitor.keepLag("HERMES_A orders-0");
        clock.move(Duration.ofSeconds(10));
        assertThat(monitor.snapshot().lag()).isEqualTo(3_007);
        assertThat(monitor.snapshot().notice())
                .isEqualTo(
                        "lag has what was seen last, at 2026-01-01T00:00:00Z, of partitions that"
                                + " can't be read now");
        monitor.lag("HERMES_A orders-0", 4_000);
        assertThat(monitor.snapshot().lag()).isEqualTo(4_002);
        assertThat(monitor.snapshot().notice()).isEmpty();
    }

    @Test
    @Tag("case-H13")
    @DisplayName("a missing topic is WAITING, and FAILED after the missing time-out")
    void missing() {
        monitor.assigned("A", 1);
        monitor.problem("topic", problem(LinkState.WAITING, "topic orders is not there"));
        clock.move(Duration.ofMinutes(2));
        monitor.problem("topic", problem(LinkState.WAITING, "topic orders is not there"));
        assertThat(state()).isEqualTo(LinkState.WAITING);
        clock.move(Duration.ofSeconds(1));
        assertThat(state()).isEqualTo(LinkState.FAILED);
        assertThat(monitor.snapshot().reason()).contains("orders", "120 s");
        assertThat(monitor.snapshot().errorSince()).isEqualTo(MovedClock.START);
        monitor.clear("topic");
        assertThat(state()).isEqualTo(LinkState.RUNNING);
    }

    @Test
    @Tag("case-S2")
    @DisplayName("error since is when the first of the present problems began")
    void errorSince() {
        assertThat(monitor.snapshot().errorSince()).isNull();
        monitor.problem("1", problem(LinkState.STALLED, "first"));
        clock.move(Duration.ofSeconds(30));
        Instant second = clock.instant();
        monitor.problem("2", problem(LinkState.FAILED, "second"));
        monitor.problem("1", problem(LinkState.STALLED, "first, again"));
        assertThat(monitor.snapshot().errorSince()).isEqualTo(MovedClock.START);
        monitor.clear("1");
        assertThat(monitor.snapshot().errorSince()).isEqualTo(second);
        monitor.clear("2");
        assertThat(monitor.snapshot().errorSince()).isNull();
    }

    @Test
    @Tag("case-R10")
    @DisplayName("without lag it is IDLE five minutes after the last movement")
    void idle() {
        monitor.assigned("A", 1);
        monitor.lag("A orders-0", 0);
        clock.move(Duration.ofMinutes(5));
        assertThat(state()).isEqualTo(LinkState.RUNNING);
        clock.move(Duration.ofMillis(1));
        assertThat(state()).isEqualTo(LinkState.IDLE);
        monitor.moved(1, 10);
        assertThat(state()).isEqualTo(LinkState.RUNNING);
    }

    @Test
    @Tag("case-R10")
    @DisplayName(
            "with lag and no movement it is STALLED after two minutes, not at once after a rest")
    void stalled() {
        monitor.assigned("A", 1);
        monitor.lag("A orders-0", 0);
        clock.move(Duration.ofHours(3));
        monitor.lag("A orders-0", 10);
        assertThat(state()).isEqualTo(LinkState.RUNNING);
        Instant lagging = clock.instant();
        clock.move(Duration.ofSeconds(119));
        assertThat(state()).isEqualTo(LinkState.RUNNING);
        clock.move(Duration.ofSeconds(1));
        assertThat(state()).isEqualTo(LinkState.STALLED);
        assertThat(monitor.snapshot().errorSince()).isEqualTo(lagging);
        monitor.moved(1, 1);
        assertThat(state()).isEqualTo(LinkState.RUNNING);
        monitor.paused(true);
        clock.move(Duration.ofHours(1));
        assertThat(state()).isEqualTo(LinkState.PAUSED);
        assertThat(monitor.snapshot().errorSince()).isNull();
        monitor.paused(false);
        assertThat(state()).as("it has its two minutes again").isEqualTo(LinkState.RUNNING);
    }

    @Test
    @Tag("case-R5")
    @DisplayName("lag is the sum over the partitions read here, unknown at first, never negative")
    void lag() {
        assertThat(monitor.snapshot().lag()).isEqualTo(-1);
        monitor.lag("A orders-0", -5);
        assertThat(monitor.snapshot().lag()).isZero();
        monitor.lag("A orders-0", 7);
        monitor.lag("B orders-0", 4);
        assertThat(monitor.snapshot().lag()).isEqualTo(11);
        monitor.noLag("B orders-0");
        assertThat(monitor.snapshot().lag()).as("read by another node now").isEqualTo(7);
    }

    @Test
    @DisplayName("paused and stopped hide problems and are told by nobody")
    void pausedAndStopped() {
        monitor.assigned("A", 1);
        monitor.paused(true);
        monitor.problem("1", problem(LinkState.FAILED, "f"));
        assertThat(state()).isEqualTo(LinkState.PAUSED);
        monitor.stopped();
        assertThat(state()).isEqualTo(LinkState.STOPPED);
        assertThat(monitor.snapshot().assignedPartitions()).isZero();
        assertThat(log.lines()).isEmpty();
    }

    @Test
    @Tag("case-S13")
    @DisplayName("an outage is a line when it begins and one when it ends")
    void oneEvent() {
        monitor.assigned("A", 1);
        for (int i = 0; i < 240; i++) {
            monitor.problem("read", problem(LinkState.STALLED, "plant does not answer"));
            clock.move(Duration.ofMillis(250));
            monitor.tick();
        }
        monitor.clear("read");
        monitor.tick();
        assertThat(log.lines())
                .containsExactly(
                        "WARN Topic replication orders-to-sn is STALLED: plant does not answer",
                        "INFO Topic replication orders-to-sn is RUNNING again");
    }

    @Test
    @Tag("case-S13")
    @DisplayName("an outage that is told once for all links is silent here, beginning and end")
    void toldElsewhere() {
        monitor.assigned("A", 1);
        Problem shared = new Problem(LinkState.STALLED, "no answer", clock.instant(), true);
        monitor.problem("client", shared);
        clock.move(Duration.ofMinutes(1));
        monitor.clear("client");
        assertThat(log.lines()).isEmpty();
        assertThat(state()).isEqualTo(LinkState.RUNNING);
        monitor.problem("topic", problem(LinkState.FAILED, "own"));
        clock.move(Duration.ofMinutes(1));
        monitor.clear("topic");
        assertThat(log.lines()).hasSize(2);
    }

    @Test
    @Tag("case-S13")
    @DisplayName("after a long outage what waited has two minutes to move before that is a problem")
    void afterLongOutage() {
        monitor.assigned("A", 1);
        monitor.lag("A orders-0", 10);
        monitor.problem(
                "client", new Problem(LinkState.STALLED, "no answer", clock.instant(), true));
        clock.move(Duration.ofMinutes(5));
        monitor.tick();
        monitor.clear("client");
        monitor.tick();
        assertThat(state()).isEqualTo(LinkState.RUNNING);
        assertThat(log.lines()).isEmpty();
        clock.move(Duration.ofMinutes(2));
        assertThat(state()).isEqualTo(LinkState.STALLED);
    }

    @Test
    @Tag("case-S1")
    @DisplayName("to and fro for a minute is at most seven lines")
    void flapping() {
        monitor.assigned("A", 1);
        for (int i = 0; i < 600; i++) {
            monitor.problem("p", problem(LinkState.FAILED, "reason " + i));
            clock.move(Duration.ofMillis(50));
            monitor.clear("p");
            clock.move(Duration.ofMillis(50));
        }
        assertThat(log.lines()).hasSizeBetween(1, 7);
    }
}
