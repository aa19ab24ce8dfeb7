package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("A limit of bytes a second")
class PaceTest {

    private static final int MEGABYTE = 1_000_000;

    private final AtomicLong nanos = new AtomicLong();
    private final Pace pace = new Pace("limit", 2 * MEGABYTE, nanos::get);

    /** Waits and takes so often; answers the bytes. */
    private long take(Object who, int bytes) {
        for (long wait = pace.nanosToWait(who); wait > 0; wait = pace.nanosToWait(who)) {
            nanos.addAndGet(wait);
        }
        pace.took(who, bytes);
        return bytes;
    }

    private Duration now() {
        return Duration.ofNanos(nanos.get());
    }

    @Test
    @Tag("case-H17")
    @DisplayName("lets 10 MB through at 2 MB/s in 5 s, whatever their parts")
    void burst() {
        for (int part : new int[] {1_000, 9_000, 512 * 1024, 2 * MEGABYTE}) {
            Duration began = now();
            long taken = 0;
            while (taken < 10 * MEGABYTE) {
                taken += take(this, part);
            }
            nanos.addAndGet(pace.nanosToWait(this));
            assertThat(now().minus(began).toMillis())
                    .as("parts of %d", part)
                    .isCloseTo(taken / 2_000, Percentage.withPercentage(5));
            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        }
    }

    @Test
    @DisplayName("saves up no more than a tenth of a second")
    void idle() {
        nanos.addAndGet(Duration.ofHours(1).toNanos());
        pace.took(this, 300_000);
        assertThat(pace.isHolding()).isTrue();
        assertThat(Duration.ofNanos(pace.nanosToWait(this)).toMillis()).isEqualTo(50);
    }

    @Test
    @DisplayName("never lets more through in any time than the rate, a burst and one part")
    void anyTime() {
        Random random = new Random(7);
        long taken = 0;
        long last = 0;
        for (int i = 0; i < 10_000; i++) {
            nanos.addAndGet(random.nextInt(20_000_000));
            if (pace.nanosToWait(this) == 0) {
                last = 1 + random.nextInt(500_000);
                pace.took(this, last);
                taken += last;
            }
            assertThat((double) taken - last).isLessThanOrEqualTo(nanos.get() / 500.0 + 200_000);
        }
    }

    @Test
    @DisplayName("goes in turns where several wait, and one that is gone holds nobody up")
    void turns() {
        Object gone = new Object();
        Object one = "one";
        Object other = "other";
        pace.took(one, 400_000);
        pace.nanosToWait(gone);
        long due = pace.nanosToWait(one);
        assertThat(pace.nanosToWait(other)).isEqualTo(due);
        nanos.addAndGet(due);
        assertThat(pace.nanosToWait(one)).as("it had the last turn").isPositive();
        assertThat(pace.nanosToWait(other)).isZero();
        pace.took(other, 100);
        nanos.addAndGet(Duration.ofMillis(100).toNanos());
        assertThat(pace.nanosToWait(other)).isZero();
        assertThat(pace.nanosToWait(one)).isZero();
    }

    @Test
    @DisplayName("is off with 0, and no other number below 1 is taken")
    void off() {
        Pace off = new Pace("limit", 0, nanos::get);
        off.took(this, Long.MAX_VALUE);
        assertThat(off.nanosToWait(this)).isZero();
        assertThat(off.isHolding()).isFalse();
        assertThat(off.part(MEGABYTE)).isEqualTo(MEGABYTE);
        assertThat(new Pace("limit", 1_000, nanos::get).part(MEGABYTE)).isEqualTo(16 * 1024);
        assertThatThrownBy(() -> new HermesRates(0, -1))
                .hasMessageStartingWith("maxConsumedBytesPerSecond: -1 is too small");
    }
}
