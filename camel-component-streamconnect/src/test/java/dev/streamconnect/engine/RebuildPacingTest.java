package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RebuildPacingTest {

    private final MovedClock clock = new MovedClock();
    private final RebuildPacing pacing = new RebuildPacing("hermes", clock);

    @Test
    @DisplayName("the first one waits for nothing, later ones in a row wait longer, up to a second")
    void row() {
        pacing.began("a", 1);
        assertThat(pacing.delay()).isZero();
        Duration before = Duration.ZERO;
        for (int i = 0; i < 4; i++) {
            clock.move(Duration.ofSeconds(1));
            pacing.began("a", 1);
            assertThat(pacing.delay()).isGreaterThan(before);
            before = pacing.delay().dividedBy(2);
        }
        for (int i = 0; i < 100; i++) {
            pacing.began("a", 1);
        }
        assertThat(pacing.delay()).isLessThanOrEqualTo(Duration.ofMillis(1_200));
    }

    @Test
    @DisplayName("after a quiet while a new row begins")
    void newRow() {
        pacing.began("a", 1);
        pacing.began("a", 1);
        clock.move(Duration.ofSeconds(11));
        pacing.began("a", 1);
        assertThat(pacing.delay()).isZero();
    }

    @Test
    @DisplayName("a storm of rebuilds is a log line in ten seconds, and the next one says how many")
    void lines() {
        try (LogLines log = new LogLines(RebuildPacing.class.getName())) {
            for (int i = 0; i < 50; i++) {
                pacing.began("another cluster answers", 3);
            }
            assertThat(log.lines())
                    .containsExactly(
                            "INFO hermes: new client, because another cluster answers; 3 batch(es)"
                                    + " in flight are sent again, in order");
            clock.move(Duration.ofSeconds(11));
            pacing.began("another cluster answers", 3);
            assertThat(log.lines()).hasSize(2);
            assertThat(log.lines().get(1)).contains("49 more new client(s)");
        }
    }
}
