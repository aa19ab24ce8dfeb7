package dev.streamconnect.undelivered;

import static dev.streamconnect.undelivered.Stored.NOW;
import static dev.streamconnect.undelivered.Stored.ORIGIN;
import static dev.streamconnect.undelivered.Stored.TOPICS;
import static dev.streamconnect.undelivered.Stored.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.streamconnect.spi.Epoch;
import dev.streamconnect.spi.HeldKey;
import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.OriginTotals;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.TopicPair;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Which rows are due, and which keys they hold: a part of {@link UndeliveredStoreContract}. */
abstract class DueRowsContract extends UndeliveredContractSupport {

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
                                    TopicPair.direct("snc.acme.x"),
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
            assertThat(store.due(ORIGIN, TOPICS, Stage.ROUTE, NOW, 10, NO_BYTE_LIMIT)).isEmpty();
            assertThat(offsets(store.due(ORIGIN, TOPICS, Stage.ROUTE, LATER, 10, NO_BYTE_LIMIT)))
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
                            .toList());
            put(Stored.at(2_999).value("x").key("free"), Stored.at(0).epoch(2).key("other"));

            List<StoredMessage> found =
                    store.due(ORIGIN, TOPICS, Stage.DESTINATION, NOW, 10, NO_BYTE_LIMIT);

            assertThat(offsets(found)).containsExactly(2_999L, 0L);
            assertThat(
                            offsets(
                                    store.due(
                                            ORIGIN,
                                            TOPICS,
                                            Stage.DESTINATION,
                                            LATER,
                                            3,
                                            NO_BYTE_LIMIT)))
                    .containsExactly(0L, 1L, 2L);
            assertThat(store.due(ORIGIN, TOPICS, Stage.DESTINATION, LATER, 4_000, NO_BYTE_LIMIT))
                    .hasSize(3_002);
        }

        @Test
        void limits_of_rows_and_bytes_cut_it_short() {
            put(
                    Stored.at(1).key("a").value("12345"),
                    Stored.at(2).key("b").value("12345"),
                    Stored.at(3).key("c").value("12345"));

            assertThat(offsets(store.due(ORIGIN, TOPICS, Stage.DESTINATION, NOW, 2, NO_BYTE_LIMIT)))
                    .containsExactly(1L, 2L);
            assertThat(offsets(store.due(ORIGIN, TOPICS, Stage.DESTINATION, NOW, 10, 12)))
                    .containsExactly(1L, 2L);
            assertThat(offsets(store.due(ORIGIN, TOPICS, Stage.DESTINATION, NOW, 10, 1)))
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

            assertThat(store.heldKeys(ORIGIN, TOPICS))
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
            assertThat(store.heldKeys(ORIGIN, TOPICS)).hasSize(2);
        }

        @Test
        void none_are_held_of_an_unknown_origin() {
            assertThat(store.heldKeys(ORIGIN, TOPICS)).isEmpty();
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
    class OtherTopics {

        private final TopicPair otherDestination =
                new TopicPair(TOPICS.source(), "snc.acme.old-orders");
        private final TopicPair otherSource = new TopicPair("old-orders", TOPICS.destination());

        @Test
        void of_the_record_are_neither_due_nor_hold_keys_and_stay() {
            put(
                    Stored.at(1).key("a").topics(otherDestination),
                    Stored.at(2).key("b").topics(otherSource).due(LATER),
                    Stored.at(3).key("a"),
                    Stored.at(4).key("b"),
                    Stored.at(5).key("c").topics(otherSource).stage(Stage.ROUTE));

            assertThat(offsets(due(NOW))).containsExactly(3L, 4L);
            assertThat(store.heldKeys(ORIGIN, TOPICS))
                    .extracting(held -> new String(held.key(), StandardCharsets.UTF_8))
                    .containsExactlyInAnyOrder("a", "b");
            assertThat(store.due(ORIGIN, TOPICS, Stage.ROUTE, LATER, 10, NO_BYTE_LIMIT)).isEmpty();
            assertThat(all()).hasSize(5);
            assertThat(
                            offsets(
                                    store.due(
                                            ORIGIN,
                                            otherDestination,
                                            Stage.DESTINATION,
                                            NOW,
                                            10,
                                            NO_BYTE_LIMIT)))
                    .as("when the record has them again")
                    .containsExactly(1L);
        }

        @Test
        void an_unknown_source_is_the_present_one() {
            put(Stored.at(1).topics(new TopicPair("", TOPICS.destination())));

            assertThat(offsets(due(NOW))).containsExactly(1L);
        }

        @Test
        void one_message_for_two_destinations_is_two_rows() {
            put(Stored.at(1).topics(otherDestination));
            put(Stored.at(1), Stored.at(1));

            assertThat(all())
                    .extracting(row -> row.message().topics())
                    .containsExactly(otherDestination, TOPICS);
        }

        @Test
        void are_counted_apart_and_chosen() {
            put(Stored.at(1), Stored.at(2).topics(otherSource), Stored.at(3).topics(otherSource));

            assertThat(store.totals())
                    .extracting(OriginTotals::topics, OriginTotals::waiting)
                    .containsExactlyInAnyOrder(tuple(TOPICS, 1L), tuple(otherSource, 2L));
            assertThat(offsets(store.list(ofTopics(TOPICS), 0, 10))).containsExactly(1L);
        }

        private static RowSelector ofTopics(TopicPair topics) {
            return new RowSelector(null, null, null, null, null, null, topics);
        }
    }
}
