package dev.streamconnect.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;

/**
 * Tells from a producer's own counters that brokers refuse its certificate or user, and that it has
 * no connection left. It would go on connecting without an end.
 *
 * <p>One thread at a time.
 */
final class Refusals {

    private static final String GROUP = "producer-metrics";
    private static final Set<String> REFUSED =
            Set.of("failed-authentication-total", "failed-reauthentication-total");
    private static final Set<String> CONNECTIONS = Set.of("connection-count");

    private Object client;
    private List<Metric> refused = List.of();
    private List<Metric> connections = List.of();
    private double before;

    /**
     * Looks at a producer.
     *
     * @param seen the producer; another one than before begins anew
     * @param metrics its metrics
     * @return true if it was refused since the last look that said so
     */
    boolean areMore(Object seen, Supplier<? extends Map<MetricName, ? extends Metric>> metrics) {
        if (seen != client) {
            client = seen;
            refused = named(REFUSED, metrics.get());
            connections = named(CONNECTIONS, metrics.get());
            before = 0;
        }
        double now = sum(refused);
        if (now <= before || sum(connections) > 0) {
            return false;
        }
        before = now;
        return true;
    }

    private static List<Metric> named(
            Set<String> names, Map<MetricName, ? extends Metric> metrics) {
        List<Metric> found = new ArrayList<>();
        metrics.forEach(
                (key, metric) -> {
                    if (names.contains(key.name()) && key.group().equals(GROUP)) {
                        found.add(metric);
                    }
                });
        return found;
    }

    private static double sum(List<Metric> metrics) {
        return metrics.stream().mapToDouble(m -> ((Number) m.metricValue()).doubleValue()).sum();
    }
}
