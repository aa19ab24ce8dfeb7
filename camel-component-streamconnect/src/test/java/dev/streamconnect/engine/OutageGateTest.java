package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.BrokerPing.Answer;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The gate before a connection that does not answer")
class OutageGateTest {

    private final MovedClock clock = new MovedClock();
    private Answer answer = Answer.NONE;
    private int asked;
    private final OutageGate gate =
            new OutageGate(
                    () -> {
                        asked++;
                        return answer;
                    },
                    clock);

    /** Looks four times a second until it opens. */
    private Duration opensAfter(Duration limit) {
        for (Duration passed = Duration.ZERO;
                passed.compareTo(limit) <= 0;
                passed = passed.plusMillis(250)) {
            if (gate.isOpen()) {
                return passed;
            }
            clock.move(Duration.ofMillis(250));
        }
        return null;
    }

    @Test
    @DisplayName("is open at first and asks nobody")
    void open() {
        assertThat(gate.isOpen()).isTrue();
        assertThat(asked).isZero();
    }

    @Test
    @DisplayName("opens with the first answer, asking once a second")
    void answered() {
        gate.shut();
        assertThat(opensAfter(Duration.ofSeconds(10))).isNull();
        assertThat(asked).isBetween(9, 12);
        answer = Answer.ANSWERED;
        assertThat(opensAfter(Duration.ofSeconds(2))).isLessThan(Duration.ofMillis(1_100));
    }

    @Test
    @DisplayName("lets a client try now and then though pings get no answer")
    void tryAnyway() {
        gate.shut();
        assertThat(opensAfter(Duration.ofSeconds(90)))
                .isBetween(Duration.ofSeconds(59), Duration.ofSeconds(62));
        gate.shut();
        answer = Answer.CONNECTED;
        assertThat(opensAfter(Duration.ofSeconds(90)))
                .isBetween(Duration.ofSeconds(14), Duration.ofSeconds(17));
    }

    @Test
    @DisplayName("opens with the first answer also after clients were tried in vain without one")
    void answeredAfterTries() {
        answer = Answer.CONNECTED;
        for (int i = 0; i < 4; i++) {
            gate.shut();
            assertThat(opensAfter(Duration.ofSeconds(60))).isLessThan(Duration.ofSeconds(17));
            clock.move(Duration.ofSeconds(8));
        }
        gate.shut();
        answer = Answer.ANSWERED;
        assertThat(opensAfter(Duration.ofSeconds(60))).isLessThan(Duration.ofMillis(1_100));
    }

    @Test
    @DisplayName("waits longer and longer where answers lead to nothing, 36 s at most")
    void inVain() {
        answer = Answer.ANSWERED;
        gate.shut();
        assertThat(opensAfter(Duration.ofSeconds(5))).isEqualTo(Duration.ZERO);
        Duration before = Duration.ZERO;
        for (int i = 0; i < 8; i++) {
            gate.shut();
            Duration now = opensAfter(Duration.ofSeconds(60));
            assertThat(now).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(38));
            before = now;
        }
        assertThat(before).isGreaterThan(Duration.ofSeconds(20));
        clock.move(Duration.ofMinutes(2));
        gate.shut();
        assertThat(opensAfter(Duration.ofSeconds(5))).isEqualTo(Duration.ZERO);
    }

    @Test
    @DisplayName("stays open after a call without an answer where a ping gets one")
    void shutUnlessAnswered() {
        answer = Answer.ANSWERED;
        gate.shutUnlessAnswered();
        assertThat(gate.isOpen()).isTrue();
        answer = Answer.CONNECTED;
        gate.shutUnlessAnswered();
        assertThat(gate.isOpen()).isFalse();
    }
}
