package dev.streamconnect.it;

import dev.streamconnect.spi.MetricsRecord;
import dev.streamconnect.spi.MetricsStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** A store of metrics windows that a test can look into, also after the replicator has stopped. */
final class KeptWindows implements MetricsStore {

    private final List<MetricsRecord> rows = new CopyOnWriteArrayList<>();

    @Override
    public void add(Collection<MetricsRecord> windows) {
        rows.addAll(windows);
    }

    @Override
    public List<MetricsRecord> find(String id, Instant from, Instant to, int maxRows) {
        return rows.stream()
                .filter(row -> id == null || row.channelReplication().equals(id))
                .filter(row -> from == null || !row.collectionTime().isBefore(from))
                .filter(row -> to == null || row.collectionTime().isBefore(to))
                .limit(maxRows)
                .toList();
    }

    @Override
    public int purge(Instant olderThan) {
        return 0;
    }

    @Override
    public void close() {
        // nothing to close
    }

    List<MetricsRecord> of(String id) {
        return find(id, null, null, Integer.MAX_VALUE);
    }

    MetricsRecord last(String id) {
        List<MetricsRecord> all = of(id);
        return all.get(all.size() - 1);
    }

    long messages(String id) {
        return of(id).stream().mapToLong(MetricsRecord::messageCount).sum();
    }

    /** Waits for the first window that ends after now, of all these topic replications. */
    void awaitNext(Duration limit, String... ids) {
        Instant now = Instant.now();
        Awaitility.await("the next window")
                .atMost(limit)
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () ->
                                List.of(ids).stream()
                                        .allMatch(
                                                id ->
                                                        of(id).stream()
                                                                .anyMatch(
                                                                        row ->
                                                                                row.collectionTime()
                                                                                        .isAfter(
                                                                                                now))));
    }
}
