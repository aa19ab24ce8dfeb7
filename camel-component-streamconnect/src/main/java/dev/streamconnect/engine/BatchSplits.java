package dev.streamconnect.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * Tells from a producer's own counter that a broker refuses its batches as too large, over and
 * over. The client splits such a batch into batches of up to {@code batch.size}; one that was
 * smaller goes out again as it was, without an end and without an error (Kafka 3.9).
 *
 * <p>One thread at a time.
 */
final class BatchSplits {

    /** So many in a row are no accident. */
    private static final double MANY = 8;

    /** After so long without one a row is over. */
    private static final Duration ROW = Duration.ofSeconds(60);

    private final Clock clock;
    private Object client;
    private Metric splits;
    private double before;
    private double began;
    private Instant last = Instant.EPOCH;

    BatchSplits(Clock clock) {
        this.clock = clock;
    }

    /**
     * Looks at a producer.
     *
     * @param seen the producer; another one than before begins anew
     * @param metrics its metrics
     */
    boolean areMany(Object seen, Supplier<? extends Map<MetricName, ? extends Metric>> metrics) {
        if (seen != client) {
            client = seen;
            splits = find(metrics.get());
            before = now();
            began = before;
        }
        Instant at = clock.instant();
        double total = now();
        if (total != before) {
            began = last.plus(ROW).isBefore(at) ? before : began;
            before = total;
            last = at;
        }
        return total - began >= MANY;
    }

    private double now() {
        return splits == null ? 0 : ((Number) splits.metricValue()).doubleValue();
    }

    private static Metric find(Map<MetricName, ? extends Metric> metrics) {
        for (Map.Entry<MetricName, ? extends Metric> entry : metrics.entrySet()) {
            MetricName name = entry.getKey();
            if (name.name().equals("batch-split-total")
                    && name.group().equals("producer-metrics")) {
                return entry.getValue();
            }
        }
        return null;
    }
}
