package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.spi.StoreUnavailableException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StoreOutageTest {

    private final MovedClock clock = new MovedClock();
    private final StoreOutage outage = new StoreOutage(clock);
    private final LogLines log = new LogLines(StoreOutage.class.getName());

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    @DisplayName("many runs without the store are one line, and its return is one")
    void onceEach() {
        outage.ranInto(null);
        for (int run = 0; run < 10; run++) {
            outage.ranInto(new StoreUnavailableException("refused", null));
            clock.move(Duration.ofSeconds(60));
        }
        assertThat(log.lines()).hasSize(1);
        assertThat(log.lines().get(0)).contains("not sent again now").contains("refused");
        outage.ranInto(null);
        outage.ranInto(null);
        assertThat(log.lines()).hasSize(2);
        assertThat(log.lines().get(1)).contains("answers again after 600 s");
    }

    @Test
    @DisplayName("a run that fails for another reason neither begins nor ends it")
    void otherFailure() {
        outage.ranInto(new IllegalStateException("fault"));
        assertThat(log.lines()).isEmpty();
        outage.ranInto(new StoreUnavailableException("refused", null));
        outage.ranInto(new IllegalStateException("fault"));
        assertThat(log.lines()).hasSize(1);
    }
}
