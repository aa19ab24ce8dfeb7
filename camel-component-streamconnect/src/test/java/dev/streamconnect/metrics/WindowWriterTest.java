package dev.streamconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.engine.MovedClock;
import dev.streamconnect.spi.MetricsRecord;
import dev.streamconnect.spi.MetricsStore;
import dev.streamconnect.spi.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("With a store")
class WindowWriterTest {

    private final MovedClock clock = new MovedClock();
    private final MemoryStore store = new MemoryStore();
    private final MetricsWindows metrics = new MetricsWindows("n1", clock);
    private final HandCountedLink orders = HandCountedLink.toServiceNow("orders");

    /** A store that the test takes down; keeps a window once, as the contract says. */
    private static final class MemoryStore implements MetricsStore {
        private final List<MetricsRecord> rows = Collections.synchronizedList(new ArrayList<>());
        private volatile boolean down;
        private volatile boolean answersLost;
        private volatile CountDownLatch hangs = new CountDownLatch(0);
        private volatile int failures;
        private volatile Instant purged;

        @Override
        public void add(Collection<MetricsRecord> windows) {
            try {
                hangs.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new StoreUnavailableException("interrupted", e);
            }
            if (down) {
                failures++;
                throw new StoreUnavailableException("down", null);
            }
            for (MetricsRecord window : windows) {
                if (rows.stream().noneMatch(row -> same(row, window))) {
                    rows.add(window);
                }
            }
            if (answersLost) {
                failures++;
                throw new StoreUnavailableException("no answer", null);
            }
        }

        private static boolean same(MetricsRecord one, MetricsRecord other) {
            return one.channelReplication().equals(other.channelReplication())
                    && one.collectionTime().equals(other.collectionTime())
                    && one.node().equals(other.node());
        }

        @Override
        public List<MetricsRecord> find(String id, Instant from, Instant to, int maxRows) {
            if (down) {
                throw new StoreUnavailableException("down", null);
            }
            return rows.stream()
                    .filter(row -> id == null || row.channelReplication().equals(id))
                    .filter(row -> from == null || !row.collectionTime().isBefore(from))
                    .toList();
        }

        @Override
        public int purge(Instant olderThan) {
            purged = olderThan;
            return 0;
        }

        @Override
        public void close() {
            // nothing to close
        }
    }

    private void open() {
        metrics.keepIn(store, Duration.ofDays(30));
        metrics.opened(orders);
    }

    private void window(int messages) {
        orders.counters().moved(messages, messages);
        clock.move(Duration.ofSeconds(60));
        metrics.tick();
    }

    private List<Long> stored() {
        return List.copyOf(store.rows).stream().map(MetricsRecord::messageCount).toList();
    }

    @AfterEach
    void close() {
        store.hangs.countDown();
        metrics.close(Duration.ofSeconds(5));
    }

    @Test
    @DisplayName("each window is in it once, also the last, partial one")
    void stores() {
        open();
        window(1);
        window(2);
        orders.counters().moved(3, 3);
        clock.move(Duration.ofSeconds(5));
        metrics.ended(orders);
        metrics.close(Duration.ofSeconds(10));
        assertThat(stored()).containsExactly(1L, 2L, 3L);
    }

    @Test
    @DisplayName("that hangs, windows are closed in time and read from memory")
    void hangs() {
        store.hangs = new CountDownLatch(1);
        open();
        for (int i = 1; i <= 3; i++) {
            window(i);
        }
        assertThat(metrics.closedSince(Instant.EPOCH, null))
                .extracting(MetricsRecord::messageCount)
                .containsExactly(1L, 2L, 3L);
        assertThat(stored()).isEmpty();
        store.hangs.countDown();
        await().until(() -> stored().equals(List.of(1L, 2L, 3L)));
    }

    @Test
    @DisplayName("that is down for a while, they are written later, none twice")
    void down() {
        store.down = true;
        open();
        window(1);
        await().until(() -> store.failures > 0);
        window(2);
        assertThat(metrics.closedSince(Instant.EPOCH, "orders")).hasSize(2);
        store.down = false;
        await().atMost(Duration.ofSeconds(20)).until(() -> stored().equals(List.of(1L, 2L)));
        window(3);
        await().until(() -> stored().equals(List.of(1L, 2L, 3L)));
    }

    @Test
    @DisplayName("whose answer was lost, a window is repeated and is there once")
    void answersLost() {
        store.answersLost = true;
        open();
        window(1);
        await().until(() -> store.failures > 0);
        store.answersLost = false;
        int before = store.failures;
        window(2);
        await().atMost(Duration.ofSeconds(20)).until(() -> stored().equals(List.of(1L, 2L)));
        assertThat(store.failures).isGreaterThanOrEqualTo(before);
    }

    @Test
    @DisplayName("that never answers, no more than a bounded number waits, the newest")
    void bounded() {
        store.hangs = new CountDownLatch(1);
        WindowWriter writer =
                new WindowWriter(store, Duration.ofDays(1), clock, Duration.ofMillis(10));
        MetricsWindows source = new MetricsWindows("n1", clock);
        source.opened(orders);
        int windows = WindowWriter.MOST_WAITING + 2_000;
        for (int i = 0; i < windows; i++) {
            orders.counters().moved(i, i);
            clock.move(Duration.ofSeconds(60));
            source.tick();
            List<MetricsRecord> last = source.closedSince(clock.instant(), null);
            assertThat(last).hasSize(1);
            writer.add(last);
        }
        store.hangs.countDown();
        await().atMost(Duration.ofSeconds(60)).until(() -> stored().contains((long) windows - 1));
        writer.close(Duration.ofSeconds(5));
        // The batch that was under way when it hung is written, too.
        assertThat(stored().size())
                .isBetween(
                        WindowWriter.MOST_WAITING,
                        WindowWriter.MOST_WAITING + WindowWriter.AT_ONCE);
        assertThat(stored()).endsWith((long) windows - 1);
    }

    @Test
    @DisplayName("what it has from other nodes is answered, too, and what both have once")
    void otherNodes() {
        open();
        MetricsRecord foreign = foreign(MovedClock.START.plusSeconds(30));
        store.rows.add(foreign);
        window(1);
        await().until(() -> stored().size() == 2);
        assertThat(metrics.closedSince(MovedClock.START, null))
                .extracting(MetricsRecord::node)
                .containsExactly("n2", "n1");
        assertThat(metrics.closedSince(MovedClock.START.plusSeconds(31), null))
                .extracting(MetricsRecord::node)
                .containsExactly("n1");
    }

    private static MetricsRecord foreign(Instant end) {
        return new MetricsRecord(
                end,
                60,
                "orders",
                9,
                9,
                0L,
                "orders",
                "snc.acme.orders",
                "To ServiceNow",
                "n2",
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                1,
                1,
                0L,
                null,
                null,
                0,
                0,
                0,
                0);
    }

    @Test
    @DisplayName("old windows are deleted by the clock of the node")
    void purges() {
        open();
        await().until(() -> MovedClock.START.minus(Duration.ofDays(30)).equals(store.purged));
    }
}
