package dev.streamconnect.undelivered;

import static dev.streamconnect.undelivered.Stored.NOW;
import static dev.streamconnect.undelivered.Stored.ORIGIN;
import static dev.streamconnect.undelivered.Stored.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.spi.Epoch;
import dev.streamconnect.spi.FailedAttempt;
import dev.streamconnect.spi.HeldKey;
import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.OriginTotals;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.StoreFullException;
import dev.streamconnect.spi.StoredHeader;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.StoredState;
import dev.streamconnect.spi.UndeliveredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What {@link UndeliveredStore} promises, of any database. */
abstract class UndeliveredStoreContract {

    private static final Instant LATER = NOW.plusSeconds(60);
    private static final long NO_BYTE_LIMIT = Long.MAX_VALUE;

    UndeliveredStore store;

    /** Another store on the same, empty at first, database. */
    abstract UndeliveredStore store(StoreLimits limits);

    @BeforeEach
    void openStore() {
        store = store(StoreLimits.DEFAULT);
    }

    private void put(Stored... messages) {
        store.store(messages(messages), List.of());
    }

    private static List<UndeliveredMessage> messages(Stored... messages) {
        return Arrays.stream(messages).map(Stored::message).toList();
    }

    private List<StoredMessage> due(Instant now) {
        return store.due(ORIGIN, Stage.DESTINATION, now, 1_000, NO_BYTE_LIMIT);
    }

    private List<StoredMessage> all() {
        return store.list(RowSelector.ALL, 0, 1_000);
    }

    private long idAt(long offset) {
        return all().stream()
                .filter(row -> row.message().offset() == offset)
                .findFirst()
                .orElseThrow()
                .id();
    }

    private StoredMessage shown(long offset) {
        return store.show(idAt(offset)).orElseThrow();
    }

    private static List<Long> offsets(List<StoredMessage> rows) {
        return rows.stream().map(row -> row.message().offset()).toList();
    }

    private static RowSelector ids(Long... ids) {
        return new RowSelector(null, null, null, null, null, List.of(ids));
    }

    private static FailedAttempt refusal(long id, boolean sent, Instant nextAttempt) {
        return new FailedAttempt(
                id, sent, Reason.REFUSED, "PolicyException", "no", LATER, nextAttempt);
    }

    @Nested
    class Payload {

        @Test
        void comes_back_byte_for_byte() {
            byte[] large = new byte[2_100_000];
            new Random(7).nextBytes(large);
            UndeliveredMessage message =
                    Stored.at(42)
                            .key(new byte[] {0, -1, 127, -128})
                            .value(large)
                            .headers(
                                    new StoredHeader("a", bytes("1")),
                                    new StoredHeader("a", null),
                                    new StoredHeader("", new byte[0]),
                                    new StoredHeader("Ω \u0000 \uD83D\uDE00\n", new byte[] {0}),
                                    new StoredHeader("a", bytes("1")))
                            .timestamp(1_762_000_000_123L)
                            .partition(5)
                            .message();
            store.store(List.of(message), List.of());

            StoredMessage row = shown(42);
            assertSame(row.message(), message);
            assertThat(row.bytes()).isEqualTo(message.bytes()).isGreaterThan(2_100_000);
            assertThat(row.hasKey()).isTrue();
            assertThat(row.state()).isEqualTo(StoredState.WAITING);
            assertThat(row.lastAttempt()).isNull();
            assertSame(due(NOW).get(0).message(), message);
        }

        @Test
        void null_is_not_empty() {
            put(
                    Stored.at(1).key((byte[]) null).value((byte[]) null).timestamp(-1),
                    Stored.at(2).key("").value(""));

            assertThat(shown(1).message().key()).isNull();
            assertThat(shown(1).message().value()).isNull();
            assertThat(shown(1).message().partition()).isNull();
            assertThat(shown(1).message().timestamp()).isNegative();
            assertThat(shown(1).hasKey()).isFalse();
            assertThat(shown(1).bytes()).isZero();
            assertThat(shown(2).message().key()).isEmpty();
            assertThat(shown(2).message().value()).isEmpty();
            assertThat(shown(2).hasKey()).isTrue();
        }

        @Test
        void a_hundred_headers_keep_their_order() {
            StoredHeader[] headers =
                    IntStream.range(0, 100)
                            .mapToObj(n -> new StoredHeader("h" + n % 7, bytes("" + n)))
                            .toArray(StoredHeader[]::new);
            put(Stored.at(1).headers(headers));

            assertThat(shown(1).message().headers()).hasSize(100);
            for (int n = 0; n < 100; n++) {
                assertThat(shown(1).message().headers().get(n).value()).isEqualTo(bytes("" + n));
            }
        }

        @Test
        void lists_leave_it_out() {
            put(Stored.at(1).headers(new StoredHeader("h", bytes("x"))), Stored.at(2).key("k2"));

            StoredMessage row = all().get(0);
            assertThat(row.message().key()).isNull();
            assertThat(row.message().value()).isNull();
            assertThat(row.message().headers()).isEmpty();
            assertThat(row.hasKey()).isTrue();
            assertThat(row.bytes()).isEqualTo(4);
            assertThat(row.message().errorText()).isEqualTo("too large");
        }

        @Test
        void texts_of_errors_are_taken_as_they_come() {
            put(Stored.at(1).errorText("nul \u0000 half \uD83D" + "x".repeat(10_000)));

            assertThat(shown(1).message().errorText()).startsWith("nul").hasSizeLessThan(2_100);
        }

        /** Bytes first: comparing large arrays field by field takes minutes. */
        private void assertSame(UndeliveredMessage actual, UndeliveredMessage expected) {
            assertThat(Arrays.equals(actual.key(), expected.key())).isTrue();
            assertThat(Arrays.equals(actual.value(), expected.value())).isTrue();
            assertThat(actual)
                    .usingRecursiveComparison()
                    .ignoringFields("key", "value")
                    .isEqualTo(expected);
        }
    }

    @Nested
    class Identity {

        @Test
        void the_same_message_is_stored_once_in_whatever_state() {
            put(Stored.at(1), Stored.at(2));
            store.park(ids(idAt(1)));
            long id = idAt(2);

            put(Stored.at(1), Stored.at(2).storedAt(LATER).reason(Reason.REFUSED), Stored.at(2));

            assertThat(offsets(all())).containsExactly(1L, 2L);
            assertThat(idAt(2)).isEqualTo(id);
            assertThat(shown(1).state()).isEqualTo(StoredState.PARKED);
            assertThat(shown(2).message().at()).isEqualTo(NOW);
        }

        @Test
        void other_content_of_the_same_offset_is_another_message() {
            put(Stored.at(1));

            put(
                    Stored.at(1).value("w"),
                    Stored.at(1).key("l"),
                    Stored.at(1).timestamp(7),
                    Stored.at(1).topicId("t2"),
                    Stored.at(1).occurrence(1),
                    Stored.at(1).headers(new StoredHeader("h", null)),
                    Stored.at(1).headers(new StoredHeader("h", new byte[0])),
                    Stored.at(1).stage(Stage.ROUTE),
                    Stored.at(1).origin(new MessageOrigin("orders-to-sn", "B", 3)),
                    Stored.at(1).origin(new MessageOrigin("orders-to-sn", "A", 4)),
                    Stored.at(1).origin(new MessageOrigin("other", "A", 3)),
                    Stored.at(2));

            assertThat(all()).hasSize(13);
        }

        @Test
        void a_message_without_a_source_is_always_stored() {
            put(Stored.direct("snc.acme.x"), Stored.direct("snc.acme.x"));
            put(Stored.direct("snc.acme.x"));

            assertThat(all()).hasSize(3);
        }

        @Test
        void ids_grow() {
            put(Stored.at(5), Stored.at(4));
            put(Stored.at(3));

            assertThat(offsets(all())).containsExactly(5L, 4L, 3L);
        }

        @Test
        void two_writers_of_the_same_messages_store_each_once() throws Exception {
            List<UndeliveredMessage> batch =
                    LongStream.range(0, 50).mapToObj(n -> Stored.at(n).message()).toList();

            together(
                    4,
                    () -> {
                        store.store(batch, List.of());
                        return null;
                    });

            assertThat(all()).hasSize(50);
        }
    }

    @Nested
    class Order {

        @Test
        void is_by_epoch_then_offset_then_insertion() {
            put(Stored.at(9).key("a"), Stored.at(7).key("b").value("1"));
            put(Stored.at(7).key("c").value("2"));
            put(Stored.at(1).key("d").epoch(2).topicId("t2"));

            assertThat(due(NOW))
                    .extracting(row -> new String(row.message().key()))
                    .containsExactly("b", "c", "a", "d");
        }

        @Test
        void is_by_insertion_without_a_source() {
            put(
                    Stored.direct("snc.acme.x").value("1"),
                    Stored.direct("snc.acme.x").value("2").key("other"),
                    Stored.direct("snc.acme.x").value("3"));

            assertThat(
                            store.due(
                                    MessageOrigin.direct("snc.acme.x"),
                                    Stage.DESTINATION,
                                    NOW,
                                    10,
                                    NO_BYTE_LIMIT))
                    .extracting(row -> new String(row.message().value()))
                    .containsExactly("1", "2", "3");
        }

        @Test
        void followers_come_with_their_head_whenever_they_are_due() {
            put(
                    Stored.at(1).key("a").due(NOW),
                    Stored.at(2).key("a").due(LATER),
                    Stored.at(3).key("b").due(LATER),
                    Stored.at(4).key("b").due(NOW),
                    Stored.at(5).key((byte[]) null).due(LATER),
                    Stored.at(6).key((byte[]) null).due(NOW),
                    Stored.at(7).key("").due(NOW));

            assertThat(offsets(due(NOW))).containsExactly(1L, 2L, 6L, 7L);
            assertThat(offsets(due(LATER))).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
            assertThat(due(NOW.minusMillis(1))).isEmpty();
        }

        @Test
        void a_key_of_an_earlier_epoch_heads() {
            put(Stored.at(1).epoch(2).due(NOW), Stored.at(100).epoch(1).due(LATER));

            assertThat(due(NOW)).isEmpty();
        }

        @Test
        void each_stage_and_origin_has_its_own() {
            MessageOrigin other = new MessageOrigin("orders-to-sn", "B", 3);
            put(
                    Stored.at(1).stage(Stage.ROUTE).due(LATER),
                    Stored.at(2).origin(other).due(LATER),
                    Stored.at(3));

            assertThat(offsets(due(NOW))).containsExactly(3L);
            assertThat(store.due(ORIGIN, Stage.ROUTE, NOW, 10, NO_BYTE_LIMIT)).isEmpty();
            assertThat(offsets(store.due(ORIGIN, Stage.ROUTE, LATER, 10, NO_BYTE_LIMIT)))
                    .containsExactly(1L);
        }

        @Test
        void a_delivered_or_parked_head_lets_the_next_head() {
            put(Stored.at(1).due(LATER), Stored.at(2).due(LATER), Stored.at(3).due(NOW));
            assertThat(due(NOW)).isEmpty();

            store.park(ids(idAt(1)));
            assertThat(due(NOW)).isEmpty();
            store.delivered(List.of(idAt(2), 987_654L));

            assertThat(offsets(due(NOW))).containsExactly(3L);
        }

        @Test
        void a_parked_row_heads_again_when_it_waits_again() {
            put(Stored.at(1), Stored.at(2));
            store.park(ids(idAt(1)));
            assertThat(offsets(due(NOW))).containsExactly(2L);

            store.retry(ids(idAt(1)), LATER);

            assertThat(due(NOW)).isEmpty();
            assertThat(offsets(due(LATER))).containsExactly(1L, 2L);
        }

        @Test
        void rows_behind_many_that_have_to_wait_are_found() {
            store.store(
                    LongStream.range(0, 3_000)
                            .mapToObj(
                                    n ->
                                            Stored.at(n)
                                                    .key("k" + n % 7)
                                                    .due(n < 7 ? LATER : NOW)
                                                    .message())
                            .toList(),
                    List.of());
            put(Stored.at(2_999).value("x").key("free"), Stored.at(0).epoch(2).key("other"));

            List<StoredMessage> found =
                    store.due(ORIGIN, Stage.DESTINATION, NOW, 10, NO_BYTE_LIMIT);

            assertThat(offsets(found)).containsExactly(2_999L, 0L);
            assertThat(offsets(store.due(ORIGIN, Stage.DESTINATION, LATER, 3, NO_BYTE_LIMIT)))
                    .containsExactly(0L, 1L, 2L);
            assertThat(store.due(ORIGIN, Stage.DESTINATION, LATER, 4_000, NO_BYTE_LIMIT))
                    .hasSize(3_002);
        }

        @Test
        void limits_of_rows_and_bytes_cut_it_short() {
            put(
                    Stored.at(1).key("a").value("12345"),
                    Stored.at(2).key("b").value("12345"),
                    Stored.at(3).key("c").value("12345"));

            assertThat(offsets(store.due(ORIGIN, Stage.DESTINATION, NOW, 2, NO_BYTE_LIMIT)))
                    .containsExactly(1L, 2L);
            assertThat(offsets(store.due(ORIGIN, Stage.DESTINATION, NOW, 10, 12)))
                    .containsExactly(1L, 2L);
            assertThat(offsets(store.due(ORIGIN, Stage.DESTINATION, NOW, 10, 1)))
                    .containsExactly(1L);
        }
    }

    @Nested
    class Keys {

        @Test
        void held_are_those_of_waiting_rows_once_each() {
            byte[] binary = {0, 1, -1};
            put(
                    Stored.at(1).key("a"),
                    Stored.at(2).key("a"),
                    Stored.at(3).key(binary),
                    Stored.at(4).key(""),
                    Stored.at(5).key((byte[]) null),
                    Stored.at(6).key("a").stage(Stage.ROUTE),
                    Stored.at(7).key("parked"),
                    Stored.at(8).key("x").origin(new MessageOrigin("orders-to-sn", "B", 3)));
            store.park(ids(idAt(7)));

            assertThat(store.heldKeys(ORIGIN))
                    .usingRecursiveFieldByFieldElementComparator()
                    .containsExactlyInAnyOrder(
                            new HeldKey(Stage.DESTINATION, bytes("a")),
                            new HeldKey(Stage.DESTINATION, binary),
                            new HeldKey(Stage.DESTINATION, new byte[0]),
                            new HeldKey(Stage.ROUTE, bytes("a")));
        }

        @Test
        void of_any_length_are_told_apart() {
            byte[] one = new byte[500_000];
            byte[] two = new byte[500_000];
            two[two.length - 1] = 1;
            put(Stored.at(1).key(one).due(LATER), Stored.at(2).key(two));

            assertThat(offsets(due(NOW))).containsExactly(2L);
            assertThat(store.heldKeys(ORIGIN)).hasSize(2);
        }

        @Test
        void none_are_held_of_an_unknown_origin() {
            assertThat(store.heldKeys(ORIGIN)).isEmpty();
            assertThat(store.latestEpoch(ORIGIN)).isEmpty();
        }

        @Test
        void the_latest_epoch_counts_parked_rows() {
            put(
                    Stored.at(1).epoch(2).topicId("t2"),
                    Stored.at(2).epoch(1),
                    Stored.at(3).epoch(9).origin(new MessageOrigin("x", "", 0)));
            store.park(RowSelector.ALL);

            assertThat(store.latestEpoch(ORIGIN)).contains(new Epoch(2, "t2"));
        }

        @Test
        void direct_origins_are_those_with_waiting_rows() {
            put(
                    Stored.direct("snc.acme.b"),
                    Stored.direct("snc.acme.a"),
                    Stored.direct("snc.acme.a"),
                    Stored.direct("snc.acme.parked"),
                    Stored.at(1));
            store.park(RowSelector.ofLinks(List.of("snc.acme.parked")));

            assertThat(store.directOrigins())
                    .containsExactlyInAnyOrder(
                            MessageOrigin.direct("snc.acme.a"), MessageOrigin.direct("snc.acme.b"));
        }
    }

    @Nested
    class Replacing {

        @Test
        void removes_and_stores_together() {
            put(Stored.at(1).stage(Stage.ROUTE));
            long source = idAt(1);

            store.store(
                    messages(Stored.at(1).value("x"), Stored.at(1).value("y")), List.of(source));

            assertThat(all()).extracting(row -> row.message().stage()).hasSize(2);
            assertThat(store.show(source)).isEmpty();
        }

        @Test
        void does_nothing_where_the_store_is_full() {
            UndeliveredStore small = store(new StoreLimits(2, 1_000));
            put(Stored.at(1).stage(Stage.ROUTE), Stored.at(2));
            long source = idAt(1);

            assertThatThrownBy(
                            () ->
                                    small.store(
                                            messages(
                                                    Stored.at(1).value("x"),
                                                    Stored.at(1).value("y")),
                                            List.of(source)))
                    .isInstanceOf(StoreFullException.class);

            assertThat(offsets(all())).containsExactly(1L, 2L);
            assertThat(shown(1).message().stage()).isEqualTo(Stage.ROUTE);
        }

        @Test
        void one_for_one_works_in_a_full_store() {
            UndeliveredStore small = store(new StoreLimits(2, 1_000));
            put(Stored.at(1).stage(Stage.ROUTE), Stored.at(2));

            small.store(messages(Stored.at(1)), List.of(idAt(1)));

            assertThat(all())
                    .extracting(row -> row.message().stage())
                    .containsOnly(Stage.DESTINATION);
        }

        @Test
        void a_row_by_the_same_message_is_a_row() {
            put(Stored.at(1));

            store.store(messages(Stored.at(1).storedAt(LATER)), List.of(idAt(1)));

            assertThat(all()).hasSize(1);
            assertThat(shown(1).message().at()).isEqualTo(LATER);
        }

        @Test
        void nothing_by_nothing_is_nothing() {
            store.store(List.of(), List.of());
            store.store(List.of(), List.of(1L));

            assertThat(all()).isEmpty();
        }
    }

    @Nested
    class Limits {

        @Test
        void of_rows_refuse_the_whole_call_in_one_line() {
            UndeliveredStore small = store(new StoreLimits(3, 1_000_000));
            small.store(messages(Stored.at(1), Stored.at(2)), List.of());

            assertThatThrownBy(() -> small.store(messages(Stored.at(3), Stored.at(4)), List.of()))
                    .isInstanceOf(StoreFullException.class)
                    .hasMessage(
                            "the undelivered store holds 2 rows and would take 2 more;"
                                    + " the limit is 3 (option undeliveredMaxRows)");
            assertThat(all()).hasSize(2);

            small.delivered(List.of(idAt(1)));
            small.store(messages(Stored.at(3), Stored.at(4)), List.of());
            assertThat(all()).hasSize(3);
        }

        @Test
        void of_bytes_refuse_the_whole_call_in_one_line() {
            UndeliveredStore small = store(new StoreLimits(1_000, 5_000));
            small.store(messages(Stored.at(1).value(new byte[2_999])), List.of());

            assertThatThrownBy(
                            () ->
                                    small.store(
                                            messages(
                                                    Stored.at(2),
                                                    Stored.at(3).value(new byte[1_999])),
                                            List.of()))
                    .isInstanceOf(StoreFullException.class)
                    .hasMessage(
                            "the undelivered store holds 3,000 payload bytes and would take 2,002"
                                    + " more; the limit is 5,000 (option undeliveredMaxBytes)");
            assertThat(all()).hasSize(1);
        }

        @Test
        void do_not_refuse_what_is_there_already() {
            put(Stored.at(1), Stored.at(2), Stored.at(3));

            store(new StoreLimits(2, 1)).store(messages(Stored.at(2)), List.of());

            assertThat(all()).hasSize(3);
        }

        @Test
        void count_what_others_stored() {
            UndeliveredStore small = store(new StoreLimits(10, 1_000_000));
            small.store(messages(Stored.at(1)), List.of());
            for (long offset = 2; offset <= 9; offset++) {
                put(Stored.at(offset));
            }

            assertThatThrownBy(() -> small.store(messages(Stored.at(10), Stored.at(11)), List.of()))
                    .isInstanceOf(StoreFullException.class);
            small.store(messages(Stored.at(10)), List.of());
        }

        @Test
        void hold_with_many_writers() throws Exception {
            int writers = 4;
            int limit = 100;
            UndeliveredStore small = store(new StoreLimits(limit, 1_000_000));

            List<Integer> stored =
                    together(
                            writers,
                            () -> {
                                int rows = 0;
                                try {
                                    while (rows < 10 * limit) {
                                        small.store(
                                                messages(Stored.direct("snc.acme.x")), List.of());
                                        rows++;
                                    }
                                    throw new AssertionError("never full");
                                } catch (StoreFullException e) {
                                    return rows;
                                }
                            });

            int rows = stored.stream().mapToInt(Integer::intValue).sum();
            assertThat(store.totals().get(0).waiting()).isEqualTo(rows);
            assertThat(rows).isBetween(limit - writers, limit + writers);
        }
    }

    @Nested
    class Attempts {

        @Test
        void in_vain_are_noted() {
            put(Stored.at(1), Stored.at(2).key("b"));

            store.failed(
                    List.of(
                            refusal(idAt(1), true, LATER.plusSeconds(5)),
                            refusal(idAt(2), false, LATER.plusSeconds(5)),
                            refusal(987_654L, true, LATER)));

            StoredMessage sent = shown(1);
            assertThat(sent.message().attempts()).isEqualTo(2);
            assertThat(sent.lastAttempt()).isEqualTo(LATER);
            assertThat(sent.message().nextAttempt()).isEqualTo(LATER.plusSeconds(5));
            assertThat(sent.message().reason()).isEqualTo(Reason.REFUSED);
            assertThat(sent.message().errorClass()).isEqualTo("PolicyException");
            assertThat(sent.message().errorText()).isEqualTo("no");
            StoredMessage notSent = shown(2);
            assertThat(notSent.message().attempts()).isEqualTo(1);
            assertThat(notSent.lastAttempt()).isNull();
            assertThat(notSent.message().reason()).isEqualTo(Reason.REFUSED);
            assertThat(due(LATER)).isEmpty();
        }

        @Test
        void that_are_the_last_park() {
            put(Stored.at(1), Stored.at(2));

            store.failed(List.of(refusal(idAt(1), true, null)));

            assertThat(shown(1).state()).isEqualTo(StoredState.PARKED);
            assertThat(shown(1).message().attempts()).isEqualTo(2);
            assertThat(shown(1).message().nextAttempt()).isNotNull();
            assertThat(offsets(due(NOW))).containsExactly(2L);
        }

        @Test
        void do_not_undo_an_operators_parking() {
            put(Stored.at(1));
            store.park(RowSelector.ALL);

            store.failed(List.of(refusal(idAt(1), true, LATER)));

            assertThat(shown(1).state()).isEqualTo(StoredState.PARKED);
        }
    }

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
            assertThat(chosen(new RowSelector(null, Reason.NO_KEY, null, null, null, null)))
                    .containsExactly(2L);
            assertThat(chosen(new RowSelector(null, null, StoredState.PARKED, null, null, null)))
                    .containsExactly(3L);
            assertThat(chosen(new RowSelector(null, null, null, LATER, null, null)))
                    .containsExactly(2L);
            assertThat(chosen(new RowSelector(null, null, null, null, LATER, null)))
                    .containsExactly(1L, 3L, -1L);
            assertThat(chosen(new RowSelector(null, null, null, NOW, LATER, null)))
                    .containsExactly(1L, 3L, -1L);
            assertThat(
                            chosen(
                                    new RowSelector(
                                            List.of("orders-to-sn"),
                                            Reason.SIZE,
                                            StoredState.WAITING,
                                            NOW,
                                            LATER,
                                            List.of(idAt(1), idAt(2), idAt(3)))))
                    .containsExactly(1L);
        }

        @Test
        void reach_any_number_of_rows() {
            store.store(
                    LongStream.range(100, 5_100)
                            .mapToObj(n -> Stored.at(n).due(LATER).message())
                            .toList(),
                    List.of());

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
                            new OriginTotals(ORIGIN, 7, 2, 1, 14, NOW),
                            new OriginTotals(
                                    MessageOrigin.direct("snc.acme.x"), 1, 0, 0, 2, LATER));
        }

        @Test
        void of_an_origin_with_parked_rows_alone_know_no_oldest() {
            put(Stored.at(1));
            store.park(RowSelector.ALL);

            assertThat(store.totals()).containsExactly(new OriginTotals(ORIGIN, 0, 0, 1, 2, null));
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

    @Nested
    class LeasesOfNodes {

        private static final Duration LONG = Duration.ofMinutes(10);

        @Test
        void are_held_by_one_and_renewed() {
            assertThat(store.lease("sweep", "one", LONG)).isTrue();
            assertThat(store.lease("sweep", "two", LONG)).isFalse();
            assertThat(store.lease("sweep", "one", LONG)).isTrue();
            assertThat(store.lease("other", "two", LONG)).isTrue();
        }

        @Test
        void are_free_when_given_back() {
            store.lease("sweep", "one", LONG);

            store.release("sweep", "two");
            assertThat(store.lease("sweep", "two", LONG)).isFalse();
            store.release("sweep", "one");
            store.release("sweep", "one");

            assertThat(store.lease("sweep", "two", LONG)).isTrue();
        }

        @Test
        void end_by_themselves() {
            assertThat(store.lease("sweep", "one", Duration.ofMillis(300))).isTrue();

            await().atMost(Duration.ofSeconds(20)).until(() -> store.lease("sweep", "two", LONG));
            assertThat(store.lease("sweep", "one", LONG)).isFalse();
        }

        @Test
        void go_to_one_of_many_who_ask_at_once() throws Exception {
            for (int round = 0; round < 10; round++) {
                String name = "sweep" + round;

                List<Boolean> taken =
                        together(
                                4, () -> store.lease(name, Thread.currentThread().getName(), LONG));

                assertThat(taken).containsOnlyOnce(true);
            }
        }
    }

    @Test
    void two_stores_on_one_database_see_the_same() {
        UndeliveredStore other = store(StoreLimits.DEFAULT);
        put(Stored.at(1));

        assertThat(offsets(other.list(RowSelector.ALL, 0, 10))).containsExactly(1L);
        other.delivered(List.of(idAt(1)));
        assertThat(all()).isEmpty();
        other.close();
        put(Stored.at(2));
        assertThat(all()).hasSize(1);
    }

    @Test
    void times_of_any_size_are_taken() {
        put(Stored.at(1).due(Instant.MAX), Stored.at(2).key("b").due(Instant.MIN));

        assertThat(offsets(due(NOW))).containsExactly(2L);
    }

    /** Starts the work in so many threads at once. */
    static <T> List<T> together(int threads, Callable<T> work) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<T>> results =
                    executor.invokeAll(
                            IntStream.range(0, threads).mapToObj(n -> work).toList(),
                            60,
                            TimeUnit.SECONDS);
            return results.stream().map(UndeliveredStoreContract::result).toList();
        } finally {
            executor.shutdownNow();
        }
    }

    private static <T> T result(Future<T> future) {
        try {
            return future.get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
