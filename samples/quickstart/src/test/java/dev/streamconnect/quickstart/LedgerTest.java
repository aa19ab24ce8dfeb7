package dev.streamconnect.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.quickstart.Ledger.Arrival;
import dev.streamconnect.quickstart.Ledger.Missing;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The ledger")
class LedgerTest {

    private final Ledger ledger = new Ledger();

    private void sent(int sequence, int partition, long offset) {
        ledger.found(sequence, partition, offset);
        ledger.sent(sequence);
    }

    @Test
    @DisplayName("counts a message once and each further arrival as a duplicate")
    void duplicates() {
        ledger.announce(11, true);
        sent(0, 0, 0);

        assertThat(ledger.arrived(0, 11)).isEqualTo(Arrival.FIRST);
        assertThat(ledger.arrived(0, 11)).isEqualTo(Arrival.DUPLICATE);
        assertThat(ledger.delivered()).isEqualTo(1);
        assertThat(ledger.duplicates()).isEqualTo(1);
        assertThat(ledger.complete()).isTrue();
    }

    @Test
    @DisplayName("takes an arrival before the source's acknowledgement")
    void early() {
        ledger.announce(11, true);

        assertThat(ledger.arrived(0, 11)).isEqualTo(Arrival.FIRST);
        sent(0, 0, 0);
        assertThat(ledger.missing(Map.of(0, 1L), Map.of())).isEqualTo(new Missing(0, 0));
    }

    @Test
    @DisplayName("tells a changed, a filtered and an unknown message as wrong, not as delivered")
    void wrong() {
        ledger.announce(11, true);
        ledger.announce(12, false);
        sent(0, 0, 0);
        sent(1, 0, 1);

        assertThat(ledger.arrived(0, 99)).isEqualTo(Arrival.CHANGED);
        assertThat(ledger.arrived(1, 12)).isEqualTo(Arrival.UNWANTED);
        assertThat(ledger.arrived(2, 13)).isEqualTo(Arrival.UNKNOWN);
        assertThat(ledger.arrived(-1, 13)).isEqualTo(Arrival.UNKNOWN);
        assertThat(ledger.wrong()).isEqualTo(4);
        assertThat(ledger.delivered()).isZero();
        assertThat(ledger.sent()).isEqualTo(1);
        assertThat(ledger.complete()).isFalse();
    }

    @Test
    @DisplayName("calls lost what is committed at the source, and waiting what is not")
    void missing() {
        for (int sequence = 0; sequence < 70_000; sequence++) {
            assertThat(ledger.next()).isEqualTo(sequence);
            ledger.announce(sequence, true);
            sent(sequence, sequence % 2, sequence / 2);
        }
        for (int sequence = 4; sequence < 69_998; sequence++) {
            ledger.arrived(sequence, sequence);
        }

        assertThat(ledger.missing(Map.of(0, 1L, 1, 2L), Map.of())).isEqualTo(new Missing(3, 3));
        assertThat(ledger.missing(Map.of(), Map.of())).isEqualTo(new Missing(0, 6));
        assertThat(ledger.missing(Map.of(0, 1L, 1, 2L), Map.of(1, Set.of(0L, 1L))))
                .as("what is stored waits, too")
                .isEqualTo(new Missing(1, 5));
    }

    @Test
    @DisplayName("does not miss what the source did not take or what is filtered")
    void notSent() {
        ledger.announce(11, true);
        ledger.announce(12, false);
        sent(1, 0, 0);

        assertThat(ledger.missing(Map.of(0, 9L), Map.of())).isEqualTo(new Missing(0, 0));
        assertThat(ledger.sent()).isZero();
    }

    @Test
    @DisplayName("tells the sides of Hermes apart, and calls lost what none of them has")
    void sides() {
        int a = Flow.place("A", 3);
        int b = Flow.place("B", 3);
        for (int sequence = 0; sequence < 4; sequence++) {
            ledger.announce(sequence, true);
            ledger.sent(sequence);
        }
        ledger.found(0, a, 7);
        ledger.found(1, b, 7);
        ledger.found(2, b, 6);

        assertThat(ledger.missing(Map.of(a, 7L, b, 8L), Map.of(b, Set.of(6L))))
                .isEqualTo(new Missing(2, 2));
    }
}
