package dev.streamconnect.undelivered;

import static dev.streamconnect.undelivered.Stored.NOW;
import static dev.streamconnect.undelivered.Stored.ORIGIN;
import static dev.streamconnect.undelivered.Stored.TOPICS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.OriginTotals;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.StoredState;
import dev.streamconnect.spi.TopicPair;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What operators choose, change and count: a part of {@link UndeliveredStoreContract}. */
abstract class OperatorActionsContract extends DueRowsContract {

    @Nested
    class Actions {

        @BeforeEach
        void rows() {
            put(
                    Stored.at(1).key("a").due(LATER),
                    Stored.at(2).key("b").due(LATER).reason(Reason.NO_KEY).storedAt(LATER),
                    Stored.at(3).key("c").due(NOW),
                    Stored.direct("snc.acme.x").key("d").due(LATER));
        }

        @Test
        void retry_makes_due_and_counts_what_it_changed() {
            assertThat(store.retry(RowSelector.ALL, NOW)).isEqualTo(3);
            assertThat(store.retry(RowSelector.ALL, NOW)).isZero();
            assertThat(offsets(due(NOW))).containsExactly(1L, 2L, 3L);
        }

        @Test
        void retry_of_parked_rows_counts_attempts_from_zero() {
            store.park(RowSelector.ALL);
            assertThat(due(LATER)).isEmpty();

            assertThat(store.retry(ids(idAt(1)), NOW)).isEqualTo(1);

            assertThat(shown(1).message().attempts()).isZero();
            assertThat(shown(1).state()).isEqualTo(StoredState.WAITING);
            assertThat(shown(2).message().attempts()).isEqualTo(1);
            assertThat(offsets(due(NOW))).containsExactly(1L);
        }

        @Test
        void park_counts_what_it_changed() {
            assertThat(store.park(RowSelector.ofLinks(List.of("orders-to-sn")))).isEqualTo(3);
            assertThat(store.park(RowSelector.ALL)).isEqualTo(1);
            assertThat(store.park(RowSelector.ALL)).isZero();
        }

        @Test
        void discard_counts_what_it_deleted() {
            assertThat(store.discard(ids(idAt(1), 987_654L))).isEqualTo(1);
            assertThat(store.discard(RowSelector.ALL)).isEqualTo(3);
            assertThat(store.discard(RowSelector.ALL)).isZero();
        }

        @Test
        void choose_by_each_field_and_all_of_them() {
            store.park(ids(idAt(3)));

            assertThat(chosen(RowSelector.ALL)).containsExactly(1L, 2L, 3L, -1L);
            assertThat(chosen(RowSelector.ofLinks(List.of("snc.acme.x", "unknown"))))
                    .containsExactly(-1L);
            assertThat(chosen(RowSelector.ofLinks(List.of()))).isEmpty();
            assertThat(chosen(ids())).isEmpty();
            assertThat(chosen(new RowSelector(null, Reason.NO_KEY, null, null, null, null, null)))
                    .containsExactly(2L);
            assertThat(
                            chosen(
                                    new RowSelector(
                                            null,
                                            null,
                                            StoredState.PARKED,
                                            null,
                                            null,
                                            null,
                                            null)))
                    .containsExactly(3L);
            assertThat(chosen(new RowSelector(null, null, null, LATER, null, null, null)))
                    .containsExactly(2L);
            assertThat(chosen(new RowSelector(null, null, null, null, LATER, null, null)))
                    .containsExactly(1L, 3L, -1L);
            assertThat(chosen(new RowSelector(null, null, null, NOW, LATER, null, null)))
                    .containsExactly(1L, 3L, -1L);
            assertThat(
                            chosen(
                                    new RowSelector(
                                            List.of("orders-to-sn"),
                                            Reason.SIZE,
                                            StoredState.WAITING,
                                            NOW,
                                            LATER,
                                            List.of(idAt(1), idAt(2), idAt(3)),
                                            null)))
                    .containsExactly(1L);
        }

        @Test
        void reach_any_number_of_rows() {
            store.store(
                    LongStream.range(100, 5_100)
                            .mapToObj(n -> Stored.at(n).due(LATER).message())
                            .toList());

            assertThat(store.retry(RowSelector.ALL, NOW)).isEqualTo(5_003);
            assertThat(store.park(RowSelector.ALL)).isEqualTo(5_004);
            assertThat(store.discard(RowSelector.ALL)).isEqualTo(5_004);
        }

        @Test
        void empty_choices_change_nothing() {
            assertThat(store.discard(ids())).isZero();
            assertThat(store.discard(RowSelector.ofLinks(List.of()))).isZero();
            assertThat(store.park(ids())).isZero();
            assertThat(store.retry(ids(), NOW)).isZero();
            assertThat(all()).hasSize(4);
        }

        @Test
        void lists_go_on_after_an_id() {
            List<StoredMessage> first = store.list(RowSelector.ALL, 0, 2);
            List<StoredMessage> second = store.list(RowSelector.ALL, first.get(1).id(), 10);

            assertThat(offsets(first)).containsExactly(1L, 2L);
            assertThat(offsets(second)).containsExactly(3L, -1L);
        }

        @Test
        void an_unknown_row_is_not_shown() {
            assertThat(store.show(987_654L)).isEmpty();
        }

        private List<Long> chosen(RowSelector selector) {
            return offsets(store.list(selector, 0, 100));
        }
    }

    @Nested
    class Totals {

        @Test
        void count_each_origin() {
            put(
                    Stored.at(1).key("a").storedAt(LATER),
                    Stored.at(2).key("a"),
                    Stored.at(3).key("a"),
                    Stored.at(4).key("b"),
                    Stored.at(5).key((byte[]) null),
                    Stored.at(6).key((byte[]) null),
                    Stored.at(7).key("a").stage(Stage.ROUTE),
                    Stored.at(8).key("a").storedAt(NOW.minusSeconds(9)),
                    Stored.direct("snc.acme.x").storedAt(LATER));
            store.park(ids(idAt(8)));

            assertThat(store.totals())
                    .containsExactlyInAnyOrder(
                            new OriginTotals(ORIGIN, TOPICS, 7, 2, 1, 14, NOW),
                            new OriginTotals(
                                    MessageOrigin.direct("snc.acme.x"),
                                    TopicPair.direct("snc.acme.x"),
                                    1,
                                    0,
                                    0,
                                    2,
                                    LATER));
        }

        @Test
        void of_an_origin_with_parked_rows_alone_know_no_oldest() {
            put(Stored.at(1));
            store.park(RowSelector.ALL);

            assertThat(store.totals())
                    .containsExactly(new OriginTotals(ORIGIN, TOPICS, 0, 0, 1, 2, null));
        }

        @Test
        void are_none_in_an_empty_store() {
            assertThat(store.totals()).isEmpty();
        }
    }

    @Nested
    class Purge {

        @Test
        void deletes_rows_that_were_parked_before() {
            put(Stored.at(1).key("a"), Stored.at(2).key("b"), Stored.at(3).key("c"));
            store.failed(List.of(refusal(idAt(1), true, null), refusal(idAt(2), false, null)));

            assertThat(store.purgeParked(LATER)).isZero();
            assertThat(store.purgeParked(LATER.plusMillis(1))).isEqualTo(2);
            assertThat(store.purgeParked(LATER.plusMillis(1))).isZero();
            assertThat(offsets(all())).containsExactly(3L);
        }

        @Test
        void takes_the_time_of_an_operators_parking() {
            put(Stored.at(1).storedAt(NOW.minus(Duration.ofDays(3_000))));
            store.park(RowSelector.ALL);

            assertThat(store.purgeParked(Instant.now().minus(Duration.ofHours(1)))).isZero();
            assertThat(store.purgeParked(Instant.now().plus(Duration.ofHours(1)))).isEqualTo(1);
        }
    }
}
