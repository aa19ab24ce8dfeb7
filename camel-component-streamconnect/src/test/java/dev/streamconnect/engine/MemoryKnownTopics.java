package dev.streamconnect.engine;

import dev.streamconnect.spi.KnownPartition;
import dev.streamconnect.spi.KnownTopicStore;
import dev.streamconnect.spi.StoreUnavailableException;
import dev.streamconnect.spi.TopicReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/** A memory of known topics whose calls and pauses run when the test says so. */
final class MemoryKnownTopics implements KnownTopicStore {

    final List<KnownPartition> rows = new ArrayList<>();
    final Deque<Runnable> calls = new ArrayDeque<>();
    final Deque<Runnable> pauses = new ArrayDeque<>();
    final KnownTopics topics = new KnownTopics(this, calls::add, this::later);
    int finds;
    int notes;
    boolean away;

    private void later(Runnable task, Duration delay) {
        pauses.add(task);
    }

    /** Runs what is to be done now. */
    void work() {
        for (Runnable call = calls.poll(); call != null; call = calls.poll()) {
            call.run();
        }
    }

    void backoffEnds() {
        pauses.remove().run();
        work();
    }

    void has(
            TopicReader reader, int partition, PositionMark mark, long position, Instant lastSeen) {
        rows.add(
                new KnownPartition(
                        reader,
                        partition,
                        mark.topicId(),
                        mark.clusterId(),
                        mark.firstPartitions(),
                        position,
                        lastSeen,
                        lastSeen));
    }

    @Override
    public void note(Collection<KnownPartition> partitions) {
        notes++;
        check();
        for (KnownPartition one : partitions) {
            rows.removeIf(
                    row -> row.reader().equals(one.reader()) && row.partition() == one.partition());
            rows.add(one);
        }
    }

    @Override
    public List<KnownPartition> find(Collection<TopicReader> readers) {
        finds++;
        check();
        return rows.stream().filter(row -> readers.contains(row.reader())).toList();
    }

    private void check() {
        if (away) {
            throw new StoreUnavailableException("the database is away", null);
        }
    }

    @Override
    public void close() {}
}
