package dev.streamconnect.engine;

import dev.streamconnect.metrics.Backlog;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * What waits at the source of a link, by partition, as the source clients saw it last. Guarded by
 * {@link LinkMonitor}.
 */
final class SourceBacklog {

    /** No record, or one without a timestamp. */
    static final long NO_TIMESTAMP = -1;

    private static final double HOUR_MILLIS = 3_600_000;

    /**
     * A partition.
     *
     * @param messages still to be processed, not negative
     * @param oldest timestamp of the first of them, {@link #NO_TIMESTAMP} while unknown
     * @param retentionMillis how long the source keeps a message; null for ever or unknown
     * @param keptAt when nobody could look any more; null while somebody does
     */
    private record Waiting(long messages, long oldest, Long retentionMillis, Instant keptAt) {

        Waiting keptAt(Instant at) {
            return new Waiting(messages, oldest, retentionMillis, at);
        }
    }

    private final Map<String, Waiting> partitions = new HashMap<>();

    void seen(String partition, long messages, long oldest, Long retentionMillis) {
        partitions.put(
                partition, new Waiting(Math.max(0, messages), oldest, retentionMillis, null));
    }

    void forget(String partition) {
        partitions.remove(partition);
    }

    /** Nobody can look at it for a while: what was seen last counts. */
    void keep(String partition, Instant now) {
        partitions.computeIfPresent(partition, (name, last) -> last.keptAt(now));
    }

    /** Since when the oldest of what is kept is so; null where all is looked at. */
    Instant keptAt() {
        return partitions.values().stream()
                .map(Waiting::keptAt)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** Whether messages wait in any of these partitions. */
    boolean isLagging(Predicate<String> of) {
        return partitions.entrySet().stream()
                .anyMatch(each -> each.getValue().messages() > 0 && of.test(each.getKey()));
    }

    /** Of all partitions; -1 while nothing is known. */
    long messages() {
        return partitions.isEmpty()
                ? -1
                : partitions.values().stream().mapToLong(Waiting::messages).sum();
    }

    Backlog at(Instant now) {
        if (partitions.isEmpty()) {
            return Backlog.UNKNOWN;
        }
        Long age = 0L;
        Double hours = null;
        for (Waiting waiting : partitions.values()) {
            if (waiting.messages() == 0) {
                continue;
            }
            if (waiting.oldest() < 0) {
                // It may be the oldest of all.
                return new Backlog(messages(), null, null);
            }
            long own = Math.max(0, now.toEpochMilli() - waiting.oldest());
            age = Math.max(age, own);
            if (waiting.retentionMillis() != null) {
                double left = Math.max(0, waiting.retentionMillis() - own) / HOUR_MILLIS;
                hours = hours == null ? left : Math.min(hours, left);
            }
        }
        return new Backlog(messages(), age, hours);
    }
}
