package dev.streamconnect.metrics;

import dev.streamconnect.spi.MetricsRecord;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The last closed windows of each topic replication, in memory. Each has a number that grows by one
 * from window to window. Thread-safe.
 */
final class ClosedWindows {

    /** Windows kept of each topic replication: an hour of minutes. */
    static final int KEPT = 60;

    /**
     * A window with its number.
     *
     * @param number counted from 0
     */
    record Numbered(long number, MetricsRecord window) {}

    private final Map<String, ArrayDeque<Numbered>> rings = new HashMap<>();
    private long next;

    synchronized void add(Collection<MetricsRecord> closed) {
        for (MetricsRecord window : closed) {
            ArrayDeque<Numbered> ring =
                    rings.computeIfAbsent(window.channelReplication(), id -> new ArrayDeque<>());
            ring.add(new Numbered(next++, window));
            if (ring.size() > KEPT) {
                ring.poll();
            }
        }
    }

    /** Forgets topic replications that are not there and whose last window ended before a time. */
    synchronized void forget(Set<String> there, Instant endedBefore) {
        rings.entrySet()
                .removeIf(
                        ring ->
                                !there.contains(ring.getKey())
                                        && ring.getValue()
                                                .getLast()
                                                .window()
                                                .collectionTime()
                                                .isBefore(endedBefore));
    }

    /** Those that match, by number. */
    synchronized List<Numbered> find(Predicate<Numbered> wanted) {
        List<Numbered> found = new ArrayList<>();
        for (ArrayDeque<Numbered> ring : rings.values()) {
            ring.stream().filter(wanted).forEach(found::add);
        }
        found.sort(Comparator.comparingLong(Numbered::number));
        return found;
    }

    /** The number of the next window. */
    synchronized long next() {
        return next;
    }
}
