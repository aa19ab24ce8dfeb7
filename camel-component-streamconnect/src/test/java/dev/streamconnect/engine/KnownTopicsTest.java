package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.spi.KnownPartition;
import dev.streamconnect.spi.TopicReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The memory of known topics:")
class KnownTopicsTest {

    private static final Instant NOW = Instant.parse("2026-05-06T07:08:00Z");

    private final MemoryKnownTopics database = new MemoryKnownTopics();
    private final KnownTopics topics = database.topics;
    private final List<String> waits = new ArrayList<>();

    private static TopicReader reader(String topic) {
        return new TopicReader("g", "plant", "", topic);
    }

    private static KnownPartition at(int partition, long position) {
        return new KnownPartition(reader("orders"), partition, "t", "c", 1, position, NOW, NOW);
    }

    private List<Long> noted() {
        return database.rows.stream().map(KnownPartition::position).toList();
    }

    @Test
    @DisplayName("questions of one moment are one call, and each has its own answer")
    void questions() {
        database.rows.add(at(3, 7));
        CompletableFuture<List<KnownPartition>> known = topics.recall(reader("orders"), waits::add);
        CompletableFuture<List<KnownPartition>> unknown = topics.recall(reader("x"), waits::add);
        assertThat(known).as("it does not wait").isNotDone();
        database.work();
        assertThat(known.join()).containsExactly(at(3, 7));
        assertThat(unknown.join()).isEmpty();
        assertThat(database.finds).isEqualTo(1);
        assertThat(waits).isEmpty();
    }

    @Test
    @DisplayName("in an outage of the database the newest note of each partition is kept")
    void outage() {
        database.away = true;
        for (int i = 0; i < 1_000; i++) {
            topics.note(List.of(at(0, i), at(1, i)));
            database.work();
        }
        CompletableFuture<List<KnownPartition>> answer = topics.recall(reader("x"), waits::add);
        database.work();
        assertThat(database.notes).as("nobody asks before the pause is over").isEqualTo(1);
        database.backoffEnds();
        assertThat(waits).containsExactly("the database is away");
        assertThat(answer).isNotDone();
        database.away = false;
        database.backoffEnds();
        assertThat(answer).isDone();
        assertThat(noted()).containsExactly(999L, 999L);
        assertThat(database.calls).isEmpty();
        assertThat(database.pauses).isEmpty();
    }

    @Test
    @DisplayName("a note that comes while an older one is being written is written, too")
    void noteMeanwhile() {
        topics.note(List.of(at(0, 1)));
        Runnable writing = database.calls.remove();
        topics.note(List.of(at(0, 2)));
        writing.run();
        database.work();
        assertThat(noted()).containsExactly(2L);
    }

    @Test
    @DisplayName("many notes are written in parts")
    void parts() {
        topics.note(
                IntStream.range(0, 2 * KnownTopics.AT_ONCE + 1).mapToObj(n -> at(n, n)).toList());
        database.work();
        assertThat(database.rows).hasSize(2 * KnownTopics.AT_ONCE + 1);
        assertThat(database.notes).isEqualTo(3);
    }

    @Test
    @DisplayName("at the end what waits for a pause is tried once more, within the limit")
    void close() {
        KnownTopics atOnce =
                new KnownTopics(
                        database, Runnable::run, (task, delay) -> database.pauses.add(task));
        database.away = true;
        atOnce.note(List.of(at(0, 5)));
        database.away = false;
        atOnce.close(Duration.ofSeconds(30));
        assertThat(noted()).containsExactly(5L);

        database.away = true;
        atOnce.note(List.of(at(0, 6)));
        atOnce.close(Duration.ZERO);
        assertThat(noted()).containsExactly(5L);
    }

    @Test
    @DisplayName("a closed engine takes no call, and nothing waits for it")
    void engineIsClosed() {
        KnownTopics closed =
                new KnownTopics(
                        database,
                        call -> {
                            throw new RejectedExecutionException();
                        },
                        (task, delay) -> {});
        closed.note(List.of(at(0, 5)));
        closed.close(Duration.ofSeconds(30));
        assertThat(closed.recall(reader("x"), waits::add)).isNotDone();
    }
}
