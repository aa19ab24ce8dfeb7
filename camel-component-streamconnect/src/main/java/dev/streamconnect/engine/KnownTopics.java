package dev.streamconnect.engine;

import dev.streamconnect.cluster.Causes;
import dev.streamconnect.spi.KnownPartition;
import dev.streamconnect.spi.KnownTopicStore;
import dev.streamconnect.spi.StoreUnavailableException;
import dev.streamconnect.spi.TopicReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of known topics as the engine uses it: no call waits for the database. Questions and
 * notes gather, and one thread at a time of the store takes them there, questions first. While the
 * database is away it is asked again after a back-off, with the newest note of each partition.
 * Thread-safe.
 */
final class KnownTopics {

    private static final Logger LOG = LoggerFactory.getLogger(KnownTopics.class);

    /** Questions, and partitions to note, of one call. */
    static final int AT_ONCE = 500;

    private static final Backoff BACKOFF =
            new Backoff(Duration.ofMillis(500), Duration.ofSeconds(15));

    private final KnownTopicStore store;
    private final Executor threads;
    private final BiConsumer<Runnable, Duration> later;
    private final List<Question> questions = new ArrayList<>();
    private final Map<Place, KnownPartition> notes = new LinkedHashMap<>();
    private boolean busy;

    /** What is to be done waits for the end of a back-off. */
    private boolean backsOff;

    private boolean closed;
    private int failures;

    private record Question(
            TopicReader reader,
            Consumer<String> waits,
            CompletableFuture<List<KnownPartition>> answer) {}

    private record Place(TopicReader reader, int partition) {

        static Place of(KnownPartition one) {
            return new Place(one.reader(), one.partition());
        }
    }

    /**
     * @param store closed by who made it
     * @param threads where calls of the store may block; refuses when the engine is closed
     * @param later runs a task after a delay
     */
    KnownTopics(KnownTopicStore store, Executor threads, BiConsumer<Runnable, Duration> later) {
        this.store = store;
        this.threads = threads;
        this.later = later;
    }

    /**
     * Asks what is known of a reader.
     *
     * @param waits told why, each time that the database could not be asked
     * @return never completes exceptionally; not at all if the engine closes before
     */
    CompletableFuture<List<KnownPartition>> recall(TopicReader reader, Consumer<String> waits) {
        Question question = new Question(reader, waits, new CompletableFuture<>());
        synchronized (this) {
            questions.add(question);
        }
        begin();
        return question.answer();
    }

    /** Notes partitions; the newest of each is kept until it is written. */
    void note(Collection<KnownPartition> seen) {
        synchronized (this) {
            for (KnownPartition one : seen) {
                Place place = Place.of(one);
                notes.remove(place);
                notes.put(place, one);
            }
        }
        begin();
    }

    private void begin() {
        synchronized (this) {
            if (busy || isIdle()) {
                return;
            }
            busy = true;
        }
        run();
    }

    private boolean isIdle() {
        return questions.isEmpty() && notes.isEmpty();
    }

    private void run() {
        try {
            threads.execute(this::work);
        } catch (RejectedExecutionException e) {
            LOG.debug("the engine is closed", e);
            synchronized (this) {
                closed = true;
            }
            end();
        }
    }

    private void work() {
        List<Question> asked;
        List<KnownPartition> seen;
        synchronized (this) {
            asked = questions.stream().limit(AT_ONCE).toList();
            seen = asked.isEmpty() ? notes.values().stream().limit(AT_ONCE).toList() : List.of();
        }
        try {
            if (asked.isEmpty()) {
                store.note(seen);
            } else {
                answer(asked);
            }
        } catch (RuntimeException e) {
            failed(e, asked);
            return;
        }
        boolean more;
        synchronized (this) {
            questions.removeAll(asked);
            seen.forEach(one -> notes.remove(Place.of(one), one));
            failures = 0;
            more = !isIdle();
        }
        if (more) {
            run();
        } else {
            end();
        }
    }

    private void answer(List<Question> asked) {
        Set<TopicReader> readers = new HashSet<>();
        asked.forEach(question -> readers.add(question.reader()));
        List<KnownPartition> found = store.find(readers);
        for (Question question : asked) {
            question.answer()
                    .complete(
                            found.stream()
                                    .filter(one -> one.reader().equals(question.reader()))
                                    .toList());
        }
    }

    private void failed(RuntimeException error, List<Question> asked) {
        boolean expected = error instanceof StoreUnavailableException;
        String why = expected ? error.getMessage() : Causes.shortest(error);
        asked.forEach(question -> question.waits().accept(why));
        int row;
        boolean ends;
        synchronized (this) {
            row = ++failures;
            ends = closed;
            backsOff = !ends;
        }
        if (row == 1 && !expected) {
            LOG.error("the memory of known topics failed, tried again", error);
        } else if (row == 1) {
            LOG.info("known topics can't be read or noted now, tried again: {}", why);
        }
        if (ends) {
            end();
        } else {
            later.accept(this::tryAgain, BACKOFF.delay(row));
        }
    }

    private void tryAgain() {
        synchronized (this) {
            if (!backsOff) {
                return;
            }
            backsOff = false;
        }
        run();
    }

    private synchronized void end() {
        busy = false;
        notifyAll();
        if (!closed && !isIdle()) {
            // Something came between the last look and now.
            busy = true;
            run();
        }
    }

    /** Waits until what is noted is written, or the limit has passed. */
    void close(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        synchronized (this) {
            closed = true;
            questions.clear();
        }
        tryAgain();
        synchronized (this) {
            try {
                while (!notes.isEmpty() && busy && System.nanoTime() < deadline) {
                    wait(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (!notes.isEmpty()) {
                LOG.warn(
                        "how far {} partitions were read is not noted: the database did not take it in time",
                        notes.size());
            }
        }
    }
}
