package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.record.StartFrom;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("startFrom latest over two sides")
class PairStartTest {

    private final MovedClock clock = new MovedClock();
    private final PairStart start = new PairStart(clock);

    @Test
    @DisplayName("at the first start both begin at their ends, each as soon as the other has told")
    void firstStart() {
        start.asked("A", false);
        assertThat(start.latest("A")).isNull();
        start.asked("B", false);
        assertThat(start.latest("A")).isEqualTo(StartFrom.LATEST);
        // By now A has its own position.
        start.asked("A", true);
        assertThat(start.latest("B")).isEqualTo(StartFrom.LATEST);
    }

    @Test
    @DisplayName("where one side was read before, the other one begins at its first message")
    void readBefore() {
        start.asked("B", false);
        assertThat(start.latest("B")).isNull();
        start.asked("A", true);
        assertThat(start.latest("B")).isEqualTo(StartFrom.EARLIEST);
    }

    @Test
    @DisplayName(
            "a side that comes late begins about where the link was opened; nobody waits for long")
    void late() {
        start.asked("A", false);
        clock.move(PairStart.PATIENCE);
        assertThat(start.latest("A"))
                .isEqualTo(new StartFrom.At(MovedClock.START.minus(PairStart.MARGIN)));
        clock.move(Duration.ofHours(1));
        start.asked("B", false);
        assertThat(start.latest("B"))
                .isEqualTo(new StartFrom.At(MovedClock.START.minus(PairStart.MARGIN)));
    }
}
