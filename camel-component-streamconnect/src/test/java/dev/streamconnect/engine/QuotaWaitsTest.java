package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The share of time that brokers ask to wait")
class QuotaWaitsTest {

    private final MovedClock clock = new MovedClock();
    private final QuotaWaits waits = new QuotaWaits();

    private void asked(long millis) {
        waits.asked(millis, clock.instant());
    }

    private void assertShare(double share) {
        assertThat(waits.share(clock.instant())).isEqualTo(share, Offset.offset(0.001));
    }

    @Test
    @DisplayName("grows while a wait lasts, and leaves the last ten seconds behind")
    void oneWait() {
        asked(30_000);
        assertShare(0);
        clock.move(Duration.ofSeconds(5));
        assertShare(0.5);
        clock.move(Duration.ofSeconds(20));
        assertShare(1);
        clock.move(Duration.ofSeconds(7));
        assertShare(0.8);
        clock.move(Duration.ofSeconds(9));
        assertShare(0);
    }

    @Test
    @DisplayName("counts waits of several brokers at one time once")
    void together() {
        asked(1_000);
        asked(3_000);
        clock.move(Duration.ofSeconds(1));
        asked(1_000);
        clock.move(Duration.ofSeconds(9));
        assertShare(0.3);
    }

    @Test
    @DisplayName("is considerable from a quarter on, with the time since when")
    void considerable() {
        asked(2_400);
        clock.move(Duration.ofSeconds(5));
        assertThat(waits.since(clock.instant())).isNull();
        asked(1_000);
        clock.move(Duration.ofSeconds(1));
        assertThat(waits.since(clock.instant())).isEqualTo(clock.instant());
        clock.move(Duration.ofSeconds(1));
        assertThat(waits.since(clock.instant())).isEqualTo(clock.instant().minusSeconds(1));
        clock.move(Duration.ofSeconds(9));
        assertThat(waits.since(clock.instant())).isNull();
    }
}
