package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.record.StartFrom;
import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.StoreUnavailableException;
import dev.streamconnect.spi.TopicPair;
import dev.streamconnect.spi.UndeliveredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Runs of the retry")
class RetryRunsTest {

    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final MemoryStore store = new MemoryStore();
    private final KafkaEngine engine =
            KafkaEngine.create(
                    new EngineSettings(
                            "n1",
                            Clock.systemUTC(),
                            Duration.ofSeconds(5),
                            heldUp(store),
                            null,
                            RetryPolicy.DEFAULT,
                            true,
                            HermesRates.NONE));

    /** A run asks for the totals at its begin and at its end. */
    private UndeliveredStore heldUp(UndeliveredStore store) {
        return (UndeliveredStore)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {UndeliveredStore.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("totals")) {
                                asked.incrementAndGet();
                                gate.await();
                            }
                            try {
                                return method.invoke(store, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    @AfterEach
    void close() {
        gate.countDown();
        engine.close();
    }

    @Test
    @DisplayName("one at a time; who asks anew gets one that began afterwards")
    void anew() throws Exception {
        CompletableFuture<SweepCounts> first = engine.retry().toCompletableFuture();
        assertThat(engine.retry()).isSameAs(first);
        CompletableFuture<SweepCounts> second = engine.retryAnew().toCompletableFuture();
        CompletableFuture<SweepCounts> third = engine.retryAnew().toCompletableFuture();
        assertThat(second).isNotDone();
        gate.countDown();
        first.get(60, TimeUnit.SECONDS);
        second.get(60, TimeUnit.SECONDS);
        third.get(60, TimeUnit.SECONDS);
        assertThat(asked).as("the first run, and one for the two").hasValue(4);
    }

    @Test
    @DisplayName("one that finds the store away ends with that, and the next one works")
    void storeAway() throws Exception {
        gate.countDown();
        store.away = true;
        assertThatThrownBy(() -> engine.retry().toCompletableFuture().get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(StoreUnavailableException.class);
        store.away = false;
        store.awayAfter = 1;
        assertThatThrownBy(() -> engine.retry().toCompletableFuture().get(60, TimeUnit.SECONDS))
                .as("away when the run ends")
                .hasCauseInstanceOf(StoreUnavailableException.class);
        store.away = false;
        store.awayAfter = -1;
        assertThat(engine.retry().toCompletableFuture().get(60, TimeUnit.SECONDS))
                .isEqualTo(SweepCounts.NONE);
    }

    @Test
    @DisplayName("what is stored from an earlier run shows in the status of a link once it is open")
    void countedAtTheStart() {
        gate.countDown();
        store.awayAfter = 1;
        store.store(List.of(stored()));
        assertThat(store.away).isFalse();
        KafkaLink link = (KafkaLink) engine.open(definition(), Delivery::complete);
        await().atMost(Duration.ofSeconds(30)).until(() -> store.away);
        store.awayAfter = -1;
        store.away = false;
        await("the store is asked again")
                .atMost(Duration.ofSeconds(60))
                .until(() -> link.monitor().undelivered() != null);
        Problem shown = link.monitor().undelivered();
        assertThat(shown.state()).isEqualTo(LinkState.DEGRADED);
        assertThat(shown.reason()).contains("1 message is undelivered", "SIZE");
        assertThat(shown.since()).isEqualTo(MovedClock.START);
    }

    private static LinkDefinition definition() {
        return new LinkDefinition(
                "orders-to-sn",
                List.of(Fixtures.PLANT),
                "orders",
                StartFrom.EARLIEST,
                null,
                null,
                LinkOptions.defaults(true));
    }

    private static UndeliveredMessage stored() {
        return new UndeliveredMessage(
                new MessageOrigin("orders-to-sn", "", 0),
                Stage.DESTINATION,
                "",
                0,
                1,
                0,
                new TopicPair("orders", ""),
                null,
                null,
                new byte[1],
                List.of(),
                0,
                Reason.SIZE,
                "",
                "too large",
                0,
                MovedClock.START,
                MovedClock.START);
    }
}
