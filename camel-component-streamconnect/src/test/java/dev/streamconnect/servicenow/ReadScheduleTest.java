package dev.streamconnect.servicenow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.MovedClock;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("When an instance is read")
class ReadScheduleTest {

    private final MovedClock clock = new MovedClock();
    private double random = 0.5;
    private final ReadSchedule schedule =
            new ReadSchedule(Duration.ofSeconds(30), clock, () -> random);

    private void assertNextAfter(Duration pause) {
        clock.move(pause.minusMillis(1));
        assertThat(schedule.isDue()).isFalse();
        clock.move(Duration.ofMillis(1));
        assertThat(schedule.isDue()).isTrue();
    }

    @Test
    @DisplayName("at once, and then after the interval, up to a fifth earlier or later")
    void interval() {
        assertThat(schedule.isDue()).isTrue();
        schedule.succeeded();
        assertNextAfter(Duration.ofSeconds(30));
        random = 0;
        schedule.succeeded();
        assertNextAfter(Duration.ofSeconds(24));
        random = 1;
        schedule.succeeded();
        assertNextAfter(Duration.ofSeconds(36));
    }

    @Test
    @DisplayName("after failures sooner and then later and later, until one succeeds")
    void failures() {
        for (int seconds : new int[] {5, 10, 20, 40, 80, 160, 300, 300}) {
            schedule.failed(null);
            assertNextAfter(Duration.ofSeconds(seconds));
        }
        schedule.succeeded();
        assertNextAfter(Duration.ofSeconds(30));
        schedule.failed(null);
        assertNextAfter(Duration.ofSeconds(5));
    }

    @Test
    @DisplayName("not before the instance wants it")
    void retryAfter() {
        schedule.failed(Duration.ofMinutes(10));
        assertNextAfter(Duration.ofMinutes(10));
        schedule.failed(Duration.ofSeconds(1));
        assertNextAfter(Duration.ofSeconds(10));
        assertThat(AnswerJson.retryAfter("7", clock)).isEqualTo(Duration.ofSeconds(7));
        assertThat(AnswerJson.retryAfter("Thu, 01 Jan 2026 00:30:00 GMT", clock)).isPositive();
        assertThat(AnswerJson.retryAfter("999999999", clock)).isEqualTo(Duration.ofHours(1));
        assertThat(AnswerJson.retryAfter("soon", clock)).isNull();
    }

    @Test
    @DisplayName("a clock that is set back keeps it waiting for two hours at most")
    void clockSetBack() {
        clock.move(Duration.ofDays(30));
        schedule.succeeded();
        clock.move(Duration.ofDays(-30));
        assertThat(schedule.isDue()).isTrue();
    }
}
