package dev.streamconnect.undelivered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.spi.KnownPartition;
import dev.streamconnect.spi.KnownTopicStore;
import dev.streamconnect.spi.TopicReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@link KnownTopicStore} promises, of any database. */
abstract class KnownTopicStoreContract {

    private static final Instant SEEN = Instant.parse("2026-05-06T07:08:00.123456Z");
    private static final TopicReader READER = new TopicReader("g", "plant", "", "orders");

    KnownTopicStore store;

    /** Another store on the same, empty at first, database. */
    abstract KnownTopicStore store();

    @BeforeEach
    void openStore() {
        store = store();
    }

    private static KnownPartition at(int partition, String topicId, long position, Instant seen) {
        return at(READER, partition, topicId, position, seen);
    }

    private static KnownPartition at(
            TopicReader reader, int partition, String topicId, long position, Instant seen) {
        return new KnownPartition(reader, partition, topicId, "c1", 4, position, seen, seen);
    }

    private List<KnownPartition> all() {
        return store.find(List.of(READER));
    }

    @Test
    void what_is_noted_comes_back_by_partition() {
        KnownPartition whole =
                new KnownPartition(READER, 11, "t", "", -1, 12_345_678_901L, SEEN, SEEN);
        store.note(List.of(whole, at(2, "t", 7, SEEN)));

        assertThat(store().find(List.of(READER))).containsExactly(at(2, "t", 7, SEEN), whole);
    }

    @Test
    void a_note_takes_the_place_of_the_one_before_also_further_back() {
        store.note(List.of(at(0, "t", 100, SEEN), at(1, "t", 5, SEEN)));
        store.note(List.of(at(0, "t", 20, SEEN.plusSeconds(60))));

        assertThat(all())
                .containsExactly(
                        new KnownPartition(READER, 0, "t", "c1", 4, 20, SEEN, SEEN.plusSeconds(60)),
                        at(1, "t", 5, SEEN));
    }

    @Test
    void an_older_note_that_comes_late_changes_nothing() {
        store.note(List.of(at(0, "t2", 3, SEEN)));
        store.note(List.of(at(0, "t1", 900, SEEN.minusSeconds(1))));

        assertThat(all()).containsExactly(at(0, "t2", 3, SEEN));
    }

    @Test
    void of_several_in_one_call_the_newest_stays() {
        store.note(List.of(at(0, "t", 9, SEEN.plusSeconds(1)), at(0, "t", 8, SEEN)));

        assertThat(all()).extracting(KnownPartition::position).containsExactly(9L);
    }

    @Test
    void a_topic_that_was_made_anew_is_seen_first_anew() {
        store.note(List.of(at(0, "t1", 100, SEEN)));
        store.note(List.of(at(0, "t2", 1, SEEN.plusSeconds(60))));

        assertThat(all()).containsExactly(at(0, "t2", 1, SEEN.plusSeconds(60)));
    }

    @Test
    void another_group_connection_side_or_topic_is_another_reader() {
        List<TopicReader> others =
                List.of(
                        new TopicReader("g2", "plant", "", "orders"),
                        new TopicReader("g", "works", "", "orders"),
                        new TopicReader("g", "plant", "A", "orders"),
                        new TopicReader("g", "plant", "B", "orders"),
                        new TopicReader("g", "plant", "", "Orders"));
        List<KnownPartition> notes = new ArrayList<>();
        for (TopicReader other : others) {
            notes.add(at(other, 0, "t", notes.size(), SEEN));
        }
        store.note(notes);

        assertThat(all()).isEmpty();
        assertThat(store.find(List.of(others.get(2)))).containsExactly(notes.get(2));
        assertThat(store.find(others)).containsExactlyInAnyOrderElementsOf(notes);
    }

    @Test
    void nodes_that_note_the_same_at_once_note_each_once() throws Exception {
        AtomicInteger node = new AtomicInteger();

        UndeliveredContractSupport.together(
                4,
                () -> {
                    Instant seen = SEEN.plusSeconds(node.getAndIncrement());
                    store.note(
                            IntStream.range(0, 50)
                                    .mapToObj(n -> at(n, "t", seen.getEpochSecond(), seen))
                                    .toList());
                    return null;
                });

        assertThat(all())
                .hasSize(50)
                .allSatisfy(one -> assertThat(one.lastSeen()).isEqualTo(SEEN.plusSeconds(3)));
    }

    @Test
    void nothing_is_nothing() {
        store.note(List.of());

        assertThat(store.find(List.of())).isEmpty();
        assertThat(all()).isEmpty();
    }
}
