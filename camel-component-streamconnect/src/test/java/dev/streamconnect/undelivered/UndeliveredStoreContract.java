package dev.streamconnect.undelivered;

import static dev.streamconnect.undelivered.Stored.NOW;
import static dev.streamconnect.undelivered.Stored.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.spi.MessageOrigin;
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
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What {@link UndeliveredStore} promises, of any database. */
abstract class UndeliveredStoreContract extends OperatorActionsContract {

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
            store.store(List.of(message));

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
                        store.store(batch);
                        return null;
                    });

            assertThat(all()).hasSize(50);
        }
    }

    @Nested
    class Limits {

        @Test
        void no_message_is_nothing() {
            store.store(List.of());

            assertThat(all()).isEmpty();
        }

        @Test
        void of_rows_refuse_the_whole_call_in_one_line() {
            UndeliveredStore small = store(new StoreLimits(3, 1_000_000));
            small.store(messages(Stored.at(1), Stored.at(2)));

            assertThatThrownBy(() -> small.store(messages(Stored.at(3), Stored.at(4))))
                    .isInstanceOf(StoreFullException.class)
                    .hasMessage(
                            "the undelivered store holds 2 rows and would take 2 more;"
                                    + " the limit is 3 (option undeliveredMaxRows)");
            assertThat(all()).hasSize(2);

            small.delivered(List.of(idAt(1)));
            small.store(messages(Stored.at(3), Stored.at(4)));
            assertThat(all()).hasSize(3);
        }

        @Test
        void of_bytes_refuse_the_whole_call_in_one_line() {
            UndeliveredStore small = store(new StoreLimits(1_000, 5_000));
            small.store(messages(Stored.at(1).value(new byte[2_999])));

            assertThatThrownBy(
                            () ->
                                    small.store(
                                            messages(
                                                    Stored.at(2),
                                                    Stored.at(3).value(new byte[1_999]))))
                    .isInstanceOf(StoreFullException.class)
                    .hasMessage(
                            "the undelivered store holds 3,000 payload bytes and would take 2,002"
                                    + " more; the limit is 5,000 (option undeliveredMaxBytes)");
            assertThat(all()).hasSize(1);
        }

        @Test
        void do_not_refuse_what_is_there_already() {
            put(Stored.at(1), Stored.at(2), Stored.at(3));

            store(new StoreLimits(2, 1)).store(messages(Stored.at(2)));

            assertThat(all()).hasSize(3);
        }

        @Test
        void count_what_others_stored() {
            UndeliveredStore small = store(new StoreLimits(10, 1_000_000));
            small.store(messages(Stored.at(1)));
            for (long offset = 2; offset <= 9; offset++) {
                put(Stored.at(offset));
            }

            assertThatThrownBy(() -> small.store(messages(Stored.at(10), Stored.at(11))))
                    .isInstanceOf(StoreFullException.class);
            small.store(messages(Stored.at(10)));
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
                                        small.store(messages(Stored.direct("snc.acme.x")));
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
}
