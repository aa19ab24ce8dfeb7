package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReadFailuresTest {

    private static final String SCOPE = "source read";

    private final MovedClock clock = new MovedClock();
    private final HandDrivenLink link = HandDrivenLink.with(LinkOptions.defaults(true), clock);
    private final ReadFailures failures =
            new ReadFailures(
                    Fixtures.PLANT,
                    clock,
                    Map.of("orders", new SourceTopic("orders", link)),
                    SCOPE);

    @Test
    @DisplayName("the fifth error in a row asks for another consumer, a read between begins anew")
    void fifth() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 4; i++) {
                assertThat(failures.failed(new TimeoutException("no answer"), true)).isNull();
            }
            failures.worked();
        }
        for (int i = 0; i < 4; i++) {
            failures.failed(new TimeoutException("no answer"), true);
        }
        assertThat(failures.failed(new TimeoutException("no answer"), true)).isNotNull();
    }

    @Test
    @DisplayName("a fenced consumer is replaced at once")
    void fatal() {
        assertThat(failures.failed(new FencedInstanceIdException("fenced"), true)).isNotNull();
    }

    @Test
    @DisplayName("a missing right needs somebody to grant it, whatever the consumer")
    void needsMending() {
        for (int i = 0; i < 10; i++) {
            assertThat(failures.failed(GroupAuthorizationException.forGroupId("g"), true)).isNull();
        }
    }

    @Test
    @DisplayName("where no consumer can be built, the next turn tries again by itself")
    void noConsumer() {
        for (int i = 0; i < 10; i++) {
            assertThat(failures.failed(new KafkaException("no host"), false)).isNull();
        }
    }

    @Test
    @DisplayName("links know from the first error to the first read")
    void told() {
        failures.failed(new TimeoutException("no answer"), true);
        assertThat(link.monitor().hasProblem(SCOPE)).isTrue();
        failures.worked();
        assertThat(link.monitor().hasProblem(SCOPE)).isFalse();
    }

    @Test
    @DisplayName("waits longer after each error, up to half a minute")
    void waits() {
        failures.failed(new TimeoutException("no answer"), true);
        assertThat(failures.pause().toMillis()).isBetween(400L, 600L);
        for (int i = 0; i < 20; i++) {
            failures.failed(new TimeoutException("no answer"), true);
        }
        assertThat(failures.pause().toMillis()).isBetween(24_000L, 36_000L);
    }
}
