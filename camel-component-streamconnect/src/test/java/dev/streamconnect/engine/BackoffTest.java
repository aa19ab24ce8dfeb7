package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private final Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

    @Test
    @DisplayName("it doubles to the cap, within a fifth to either side")
    void doubles() {
        long[] expected = {100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000};
        for (int attempt = 1; attempt <= expected.length; attempt++) {
            for (int i = 0; i < 100; i++) {
                assertThat(backoff.delay(attempt).toMillis())
                        .isBetween(expected[attempt - 1] * 4 / 5, expected[attempt - 1] * 6 / 5);
            }
        }
    }

    @Test
    @DisplayName("no attempt number leads out of the bounds")
    void anyAttempt() {
        for (int attempt : new int[] {Integer.MIN_VALUE, -1, 0, 31, 63, 64, Integer.MAX_VALUE}) {
            assertThat(backoff.delay(attempt))
                    .isBetween(Duration.ofMillis(80), Duration.ofSeconds(6));
        }
        assertThat(new Backoff(Duration.ZERO, Duration.ofSeconds(1)).delay(1)).isPositive();
    }

    @Test
    @DisplayName("many that fail together do not come back together")
    void jitter() {
        Set<Duration> delays = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            delays.add(backoff.delay(7));
        }
        assertThat(delays).hasSizeGreaterThan(20);
    }
}
