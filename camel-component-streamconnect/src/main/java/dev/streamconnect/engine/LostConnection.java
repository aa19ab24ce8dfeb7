package dev.streamconnect.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * Tells from a client's own counters that it loses one connection after another and hears nothing:
 * none of the brokers that it knows is there any more. A fail-over that cuts its connections is no
 * such thing, since what it connects to next answers; nor is a slow broker, since the connection
 * stays.
 *
 * <p>One thread at a time.
 */
final class LostConnection {

    /** Connections lost in a row without a byte in between. */
    private static final double LOSSES = 4;

    private final String group;
    private final Duration patience;
    private final Clock clock;
    private Object client;
    private List<Metric> received = List.of();
    private List<Metric> closed = List.of();
    private List<Metric> refused = List.of();
    private double heard;
    private double lostThen;
    private Instant since = Instant.EPOCH;

    private LostConnection(String group, Duration patience, Clock clock) {
        this.group = group;
        this.patience = patience;
        this.clock = clock;
    }

    /**
     * @param patience not before it heard nothing for so long
     */
    static LostConnection ofProducer(Duration patience, Clock clock) {
        return new LostConnection("producer-metrics", patience, clock);
    }

    static LostConnection ofConsumer(Duration patience, Clock clock) {
        return new LostConnection("consumer-metrics", patience, clock);
    }

    /**
     * Looks at a client.
     *
     * @param seen the client; another one than before begins anew
     * @param metrics its metrics
     */
    boolean isLost(Object seen, Supplier<? extends Map<MetricName, ? extends Metric>> metrics) {
        Instant now = clock.instant();
        boolean other = seen != client;
        if (other) {
            client = seen;
            received = named("incoming-byte-total", metrics.get());
            closed = named("connection-close-total", metrics.get());
            // A broker that refuses a certificate is there.
            refused = new ArrayList<>(named("failed-authentication-total", metrics.get()));
            refused.addAll(named("failed-reauthentication-total", metrics.get()));
        }
        double bytes = sum(received);
        if (other || bytes != heard) {
            heard = bytes;
            lostThen = lost();
            since = now;
            return false;
        }
        return since.plus(patience).isBefore(now) && lost() - lostThen >= LOSSES;
    }

    private double lost() {
        return sum(closed) - sum(refused);
    }

    private List<Metric> named(String name, Map<MetricName, ? extends Metric> metrics) {
        List<Metric> found = new ArrayList<>();
        metrics.forEach(
                (key, metric) -> {
                    if (key.name().equals(name) && key.group().equals(group)) {
                        found.add(metric);
                    }
                });
        return found;
    }

    private static double sum(List<Metric> metrics) {
        double total = 0;
        for (Metric metric : metrics) {
            total += ((Number) metric.metricValue()).doubleValue();
        }
        return total;
    }
}
