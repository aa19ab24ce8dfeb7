package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.StoreUnavailableException;
import dev.streamconnect.spi.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Undelivered messages of senders without a source")
class DirectUndeliveredTest {

    private static final String TOPIC = "snc.acme.alarms";
    private static final FailureVerdict AWAY = new FailureVerdict.Transient("away");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final MovedClock clock = new MovedClock();
    private final MemoryStore store = new MemoryStore();
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(4, 4, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    private final Undelivered undelivered =
            new Undelivered(store, RetryPolicy.DEFAULT, true, threads);
    private final DirectUndelivered keeper =
            new DirectUndelivered(TOPIC, undelivered, clock, "node", LIMIT);

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    private CompletableFuture<SendResult> keep(String key, String value) {
        CompletableFuture<SendResult> result = new CompletableFuture<>();
        keeper.keep(Fixtures.outgoing(key, value), AWAY, new TimeoutException("away"), result);
        return result;
    }

    @Test
    @DisplayName("are stored in the order in which they were given up, whatever the threads do")
    void order() throws Exception {
        List<String> expected = new ArrayList<>();
        List<CompletableFuture<SendResult>> results = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            expected.add(String.valueOf(i));
            results.add(keep("k", String.valueOf(i)));
        }
        for (CompletableFuture<SendResult> result : results) {
            assertThat(result.get(60, TimeUnit.SECONDS).undelivered()).isEqualTo("away");
        }
        assertThat(store.rows)
                .extracting(row -> Fixtures.text(row.message().value()))
                .isEqualTo(expected);
        assertThat(store.rows.get(0).message().reason()).isEqualTo(Reason.UNREACHABLE);
    }

    @Test
    @DisplayName("hold later ones of their key until they are gone")
    void held() throws Exception {
        keep("k", "1").get(60, TimeUnit.SECONDS);
        assertThat(keeper.heldBack(Fixtures.bytes("k"))).isNotNull();
        assertThat(keeper.heldBack(Fixtures.bytes("j"))).isNull();
        assertThat(keeper.heldBack(null)).isNull();

        List<String> arrived = new ArrayList<>();
        keeper.shipper(
                shipment -> {
                    for (int i = 0; i < shipment.size(); i++) {
                        arrived.add(Fixtures.text(shipment.value(i)));
                        shipment.ack(i);
                    }
                    shipment.listener().delivered(shipment);
                });
        keeper.load();
        clock.move(Duration.ofMinutes(2));
        assertThat(keeper.sweep().get(60, TimeUnit.SECONDS)).isEqualTo(new SweepCounts(1, 0, 0));
        assertThat(arrived).containsExactly("1");
        assertThat(store.rows).isEmpty();
        assertThat(keeper.heldBack(Fixtures.bytes("k"))).isNull();
    }

    @Test
    @DisplayName("are known again after a restart")
    void restart() throws Exception {
        keep("k", "1").get(60, TimeUnit.SECONDS);
        DirectUndelivered next = new DirectUndelivered(TOPIC, undelivered, clock, "next", LIMIT);
        assertThat(next.heldBack(Fixtures.bytes("k"))).isNull();
        next.load();
        assertThat(next.heldBack(Fixtures.bytes("k"))).isNotNull();
    }

    @Test
    @DisplayName("are swept by one node at a time")
    void lease() throws Exception {
        keep("k", "1").get(60, TimeUnit.SECONDS);
        clock.move(Duration.ofMinutes(2));
        store.lease(TOPIC, "other", LIMIT);
        assertThat(keeper.sweep().get(60, TimeUnit.SECONDS)).isEqualTo(SweepCounts.NONE);
        assertThat(store.rows).extracting(StoredMessage::id).hasSize(1);
    }

    @Test
    @DisplayName("are sent once, however many sweeps are asked for while one waits for Hermes")
    void oneSweep() throws Exception {
        keep("k", "1").get(60, TimeUnit.SECONDS);
        clock.move(Duration.ofMinutes(2));
        BlockingQueue<Shipment> shipped = new LinkedBlockingQueue<>();
        keeper.shipper(shipped::add);
        CompletableFuture<SweepCounts> first = keeper.sweep();
        Shipment waiting = shipped.poll(60, TimeUnit.SECONDS);
        assertThat(keeper.sweep()).isSameAs(first);
        waiting.ack(0);
        waiting.listener().delivered(waiting);
        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(new SweepCounts(1, 0, 0));
        assertThat(keeper.sweep().get(60, TimeUnit.SECONDS)).isEqualTo(SweepCounts.NONE);
        assertThat(shipped).isEmpty();
    }

    @Test
    @DisplayName("that can't be stored either fail with what the destination said")
    void storeAway() {
        store.away = true;
        assertThatThrownBy(() -> keep("k", "1").get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(TimeoutException.class)
                .satisfies(
                        e ->
                                assertThat(e.getCause().getSuppressed())
                                        .hasAtLeastOneElementOfType(
                                                StoreUnavailableException.class));
    }

    @Test
    @DisplayName("after the end of the engine fail at once")
    void closed() {
        threads.shutdownNow();
        assertThatThrownBy(() -> keep("k", "1").get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(TimeoutException.class);
        assertThat(keeper.sweep()).isCompletedWithValue(SweepCounts.NONE);
    }
}
