package dev.streamconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.MovedClock;
import dev.streamconnect.spi.MetricsRecord;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A reader")
class WindowReaderTest {

    private final MovedClock clock = new MovedClock();
    private final MetricsWindows metrics = new MetricsWindows("n1", clock);
    private final HandCountedLink orders = HandCountedLink.toServiceNow("orders");
    private final HandCountedLink alarms = HandCountedLink.toServiceNow("alarms");
    private final WindowReader reader = metrics.reader("r", id -> true);

    WindowReaderTest() {
        metrics.opened(orders);
    }

    private void window(int messages) {
        orders.counters().moved(messages, messages);
        clock.move(Duration.ofSeconds(60));
        metrics.tick();
    }

    private static List<Long> counts(WindowReader.HandOut handOut) {
        return handOut.windows().stream().map(MetricsRecord::messageCount).toList();
    }

    @Test
    @DisplayName("gets each window once, however many closed since it asked last")
    void once() {
        assertThat(counts(reader.take())).isEmpty();
        window(1);
        window(2);
        assertThat(counts(reader.take())).containsExactly(1L, 2L);
        assertThat(counts(reader.take())).isEmpty();
        window(3);
        orders.counters().moved(4, 4);
        clock.move(Duration.ofSeconds(1));
        metrics.ended(orders);
        assertThat(counts(reader.take())).containsExactly(3L, 4L);
    }

    @Test
    @DisplayName("gets again what it gives back, before what is new")
    void givesBack() {
        window(1);
        WindowReader.HandOut failed = reader.take();
        window(2);
        WindowReader.HandOut other = reader.take();
        assertThat(counts(other)).containsExactly(2L);
        failed.giveBack();
        failed.giveBack();
        window(3);
        assertThat(counts(reader.take())).containsExactly(1L, 3L);
        assertThat(counts(reader.take())).isEmpty();
    }

    @Test
    @DisplayName("that gives back for hours holds no more than memory does")
    void bounded() {
        for (int i = 0; i < 100; i++) {
            window(i);
            reader.take().giveBack();
        }
        assertThat(counts(reader.take())).hasSize(60).startsWith(40L);
    }

    @Test
    @DisplayName("takes nothing from another one, and begins with what is in memory")
    void others() {
        window(1);
        reader.take();
        assertThat(counts(metrics.reader("s", id -> true).take())).containsExactly(1L);
        assertThat(metrics.reader("r", id -> true)).isSameAs(reader);
    }

    @Test
    @DisplayName("reads its own topic replications only")
    void pattern() {
        metrics.opened(alarms);
        window(1);
        WindowReader ofAlarms = metrics.reader("a", "alarms"::equals);
        assertThat(ofAlarms.take().windows())
                .extracting(MetricsRecord::channelReplication)
                .containsExactly("alarms");
        assertThat(reader.take().windows()).hasSize(2);
    }
}
