package dev.streamconnect.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The difference of two clocks")
class ClockDifferenceTest {

    private static final Instant NOW = Instant.parse("2026-03-01T06:00:00Z");

    private static ClockDifference ahead(Duration time) {
        return ClockDifference.of(NOW.plus(time).toEpochMilli(), NOW);
    }

    @Test
    @DisplayName("of up to a minute is none")
    void tolerated() {
        for (Duration small : new Duration[] {Duration.ZERO, Duration.ofMinutes(1)}) {
            assertThat(ahead(small).isWrong()).isFalse();
            assertThat(ahead(small.negated()).isWrong()).isFalse();
        }
        assertThat(ahead(Duration.ofSeconds(61)).isAhead()).isTrue();
        assertThat(ahead(Duration.ofSeconds(-61)).isAhead()).isFalse();
        assertThat(ahead(Duration.ofSeconds(-61)).isWrong()).isTrue();
    }

    @Test
    @DisplayName("is told in words, whatever its direction")
    void words() {
        assertThat(ahead(Duration.ofSeconds(-59))).hasToString("59 s");
        assertThat(ahead(Duration.ofSeconds(150))).hasToString("2 min");
        assertThat(ahead(Duration.ofMinutes(-179))).hasToString("2 h 59 min");
        assertThat(ahead(Duration.ofDays(3))).hasToString("3 days");
    }
}
