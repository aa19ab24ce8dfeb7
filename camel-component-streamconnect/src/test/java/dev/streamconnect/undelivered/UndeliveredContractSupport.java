package dev.streamconnect.undelivered;

import static dev.streamconnect.undelivered.Stored.NOW;
import static dev.streamconnect.undelivered.Stored.ORIGIN;
import static dev.streamconnect.undelivered.Stored.TOPICS;

import dev.streamconnect.spi.FailedAttempt;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.UndeliveredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;

/** Messages and rows for the parts of {@link UndeliveredStoreContract}. */
abstract class UndeliveredContractSupport {

    static final Instant LATER = NOW.plusSeconds(60);
    static final long NO_BYTE_LIMIT = Long.MAX_VALUE;

    UndeliveredStore store;

    /** Another store on the same, empty at first, database. */
    abstract UndeliveredStore store(StoreLimits limits);

    @BeforeEach
    void openStore() {
        store = store(StoreLimits.DEFAULT);
    }

    void put(Stored... messages) {
        store.store(messages(messages));
    }

    static List<UndeliveredMessage> messages(Stored... messages) {
        return Arrays.stream(messages).map(Stored::message).toList();
    }

    List<StoredMessage> due(Instant now) {
        return store.due(ORIGIN, TOPICS, Stage.DESTINATION, now, 1_000, NO_BYTE_LIMIT);
    }

    List<StoredMessage> all() {
        return store.list(RowSelector.ALL, 0, 1_000);
    }

    long idAt(long offset) {
        return all().stream()
                .filter(row -> row.message().offset() == offset)
                .findFirst()
                .orElseThrow()
                .id();
    }

    StoredMessage shown(long offset) {
        return store.show(idAt(offset)).orElseThrow();
    }

    static List<Long> offsets(List<StoredMessage> rows) {
        return rows.stream().map(row -> row.message().offset()).toList();
    }

    static RowSelector ids(Long... ids) {
        return new RowSelector(null, null, null, null, null, List.of(ids), null);
    }

    static FailedAttempt refusal(long id, boolean sent, Instant nextAttempt) {
        return new FailedAttempt(
                id, sent, Reason.REFUSED, "PolicyException", "no", LATER, nextAttempt);
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
            return results.stream().map(UndeliveredContractSupport::result).toList();
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
