package dev.streamconnect.engine;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.stats.Avg;

/**
 * Adds up how long brokers asked a Kafka client to wait. The client has no such total: it publishes
 * the average and the maximum over the last half minute to minute, of the throttle time that each
 * response carries, most of which are zero. Behind the average are samples with a sum, so the sum
 * of the present sample is read and its growth counted. What a broker says between the last look at
 * a sample and its end is missed: with a look each 250 ms and samples of 30 s less than 1 %.
 *
 * <p>One thread at a time.
 */
final class ThrottleTime {

    private final String group;
    private final String average;
    private Object client;
    private KafkaMetric metric;
    private long sampleBegan;
    private double counted;

    private ThrottleTime(String group, String average) {
        this.group = group;
        this.average = average;
    }

    static ThrottleTime ofConsumer() {
        return new ThrottleTime("consumer-fetch-manager-metrics", "fetch-throttle-time-avg");
    }

    static ThrottleTime ofProducer() {
        return new ThrottleTime("producer-metrics", "produce-throttle-time-avg");
    }

    /**
     * Milliseconds since the last look.
     *
     * @param seen the client; another one than before begins at zero
     * @param metrics its metrics
     */
    long more(Object seen, Supplier<Map<MetricName, ? extends Metric>> metrics, long nowMillis) {
        if (seen != client) {
            client = seen;
            metric = find(metrics.get());
            sampleBegan = Long.MIN_VALUE;
        }
        // Without an event there is no average, and maybe no sample that could be read.
        if (metric == null || Double.isNaN((Double) metric.metricValue())) {
            return 0;
        }
        Sum sum = Sum.of((Avg) metric.measurable(), nowMillis);
        double before = sum.began() == sampleBegan ? counted : 0;
        sampleBegan = sum.began();
        counted = sum.value();
        return Math.max(0, Math.round(counted - before));
    }

    /** True if the client has the average that is looked at. */
    boolean isMeasured() {
        return metric != null;
    }

    private KafkaMetric find(Map<MetricName, ? extends Metric> metrics) {
        for (Map.Entry<MetricName, ? extends Metric> entry : metrics.entrySet()) {
            boolean named =
                    entry.getKey().name().equals(average) && entry.getKey().group().equals(group);
            if (named
                    && entry.getValue() instanceof KafkaMetric found
                    && found.isMeasurable()
                    && found.measurable() instanceof Avg) {
                return found;
            }
        }
        return null;
    }

    /**
     * The present sample of an average.
     *
     * @param began when it began, milliseconds
     * @param value the sum of what it holds
     */
    private record Sum(long began, double value) {

        static Sum of(Avg average, long nowMillis) {
            return Reader.read(average, nowMillis);
        }
    }

    /** The type of a sample is for subclasses only. */
    private static final class Reader extends Avg {

        static Sum read(Avg average, long nowMillis) {
            Sample sample = average.current(nowMillis);
            return new Sum(sample.startTimeMs, sample.value);
        }
    }
}
