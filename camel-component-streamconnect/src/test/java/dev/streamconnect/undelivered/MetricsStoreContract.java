package dev.streamconnect.undelivered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.streamconnect.spi.MetricsRecord;
import dev.streamconnect.spi.MetricsStore;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@link MetricsStore} promises, of any database. */
abstract class MetricsStoreContract {

    private static final Instant END = Instant.parse("2026-05-06T07:08:00.123456Z");

    MetricsStore store;

    /** Another store on the same, empty at first, database. */
    abstract MetricsStore store();

    @BeforeEach
    void openStore() {
        store = store();
    }

    private static MetricsRecord window(String replication, String node, Instant end, long count) {
        return new MetricsRecord(
                end,
                60,
                replication,
                count,
                12_345_678_901L,
                7L,
                "orders",
                "snc.acme.orders",
                "To ServiceNow",
                node,
                1,
                2,
                3,
                4,
                5,
                40,
                2,
                1,
                4,
                6L,
                1.5,
                end.minusSeconds(10),
                7,
                8,
                9,
                10);
    }

    private List<MetricsRecord> all() {
        return store.find(null, null, null, 1_000);
    }

    @Test
    void a_window_comes_back_as_it_was() {
        MetricsRecord window = window("orders-to-sn", "n1", END, 9);
        store.add(List.of(window));

        assertThat(all()).containsExactly(window);
    }

    @Test
    void unknown_fields_stay_null() {
        MetricsRecord window =
                new MetricsRecord(
                        END, 60, "x", 0, 0, null, null, null, null, "n1", 0, 0, 0, 0, 0, 0, 0, 0, 0,
                        null, null, null, 0, 0, 0, 0);
        store.add(List.of(window));

        assertThat(all()).containsExactly(window);
    }

    @Test
    void a_window_is_stored_once() {
        store.add(List.of(window("a", "n1", END, 1), window("a", "n1", END, 2)));
        store.add(List.of(window("a", "n1", END.plusNanos(1), 3), window("a", "n2", END, 4)));
        store().add(List.of(window("a", "n1", END, 5), window("b", "n1", END, 6)));

        assertThat(all()).extracting(MetricsRecord::messageCount).containsExactly(1L, 4L, 6L);
    }

    @Test
    void two_writers_of_the_same_windows_store_each_once() throws Exception {
        List<MetricsRecord> windows =
                LongStream.range(0, 50)
                        .mapToObj(n -> window("a", "n1", END.plusSeconds(n), n))
                        .toList();

        UndeliveredContractSupport.together(
                4,
                () -> {
                    store.add(windows);
                    return null;
                });

        assertThat(all()).hasSize(50);
    }

    @Test
    void windows_are_found_in_order_of_their_time() {
        store.add(
                List.of(
                        window("b", "n1", END.plusSeconds(60), 3),
                        window("a", "n1", END, 1),
                        window("a", "n1", END.plusSeconds(60), 2),
                        window("a", "n1", END.plusSeconds(120), 4)));

        assertThat(counts(null, null, null)).containsExactly(1L, 2L, 3L, 4L);
        assertThat(counts("a", null, null)).containsExactly(1L, 2L, 4L);
        assertThat(counts("a", END, END.plusSeconds(60))).containsExactly(1L);
        assertThat(counts(null, END.plusNanos(1_000), null)).containsExactly(2L, 3L, 4L);
        assertThat(counts("c", null, null)).isEmpty();
        assertThat(store.find(null, null, null, 2)).hasSize(2);
    }

    private List<Long> counts(String replication, Instant from, Instant to) {
        return store.find(replication, from, to, 1_000).stream()
                .map(MetricsRecord::messageCount)
                .toList();
    }

    @Test
    void purge_deletes_what_ended_before() {
        store.add(List.of(window("a", "n1", END, 1), window("a", "n1", END.plusSeconds(60), 2)));

        assertThat(store.purge(END)).isZero();
        assertThat(store.purge(END.plusSeconds(60))).isEqualTo(1);
        assertThat(store.purge(END.plusSeconds(60))).isZero();
        assertThat(counts(null, null, null)).containsExactly(2L);
    }

    @Test
    void a_window_needs_a_node() {
        assertThatNullPointerException()
                .isThrownBy(() -> store.add(List.of(window("a", null, END, 1))))
                .withMessage("node");
    }

    @Test
    void nothing_is_nothing() {
        store.add(List.of());

        assertThat(all()).isEmpty();
    }
}
