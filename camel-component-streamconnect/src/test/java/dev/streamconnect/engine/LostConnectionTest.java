package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A client that has lost every broker")
class LostConnectionTest {

    private final MovedClock clock = new MovedClock();
    private final Map<String, Double> totals = new HashMap<>();
    private final LostConnection connection =
            LostConnection.ofProducer(Duration.ofSeconds(2), clock);
    private Object client = "first";

    /** A counter of the test's. */
    private record Counter(MetricName metricName, Map<String, Double> totals) implements Metric {

        @Override
        public Object metricValue() {
            return totals.getOrDefault(metricName.name(), 0.0);
        }
    }

    private Map<MetricName, Metric> metrics() {
        Map<MetricName, Metric> metrics = new HashMap<>();
        for (String name :
                new String[] {
                    "incoming-byte-total",
                    "connection-close-total",
                    "failed-authentication-total",
                    "failed-reauthentication-total"
                }) {
            for (String group : new String[] {"producer-metrics", "producer-node-metrics"}) {
                MetricName key = new MetricName(name, group, "", Map.of());
                metrics.put(
                        key,
                        new Counter(
                                key, group.equals("producer-metrics") ? totals : new HashMap<>()));
            }
        }
        return metrics;
    }

    private void more(String name, int count) {
        totals.merge(name, (double) count, Double::sum);
    }

    private boolean lost() {
        return connection.isLost(client, this::metrics);
    }

    @Test
    @DisplayName("loses connections and hears nothing for a while")
    void lostConnections() {
        assertThat(lost()).isFalse();
        more("connection-close-total", 6);
        clock.move(Duration.ofSeconds(1));
        assertThat(lost()).isFalse();
        clock.move(Duration.ofSeconds(2));
        assertThat(lost()).isTrue();
        client = "second";
        assertThat(lost()).isFalse();
    }

    @Test
    @DisplayName("is not one whose connections were cut and that is answered since")
    void cut() {
        lost();
        more("connection-close-total", 6);
        more("incoming-byte-total", 1);
        assertThat(lost()).isFalse();
        clock.move(Duration.ofSeconds(9));
        assertThat(lost()).isFalse();
    }

    @Test
    @DisplayName("is not one that waits for a slow broker, nor one whose certificate is refused")
    void slowOrRefused() {
        lost();
        clock.move(Duration.ofSeconds(60));
        assertThat(lost()).isFalse();
        more("connection-close-total", 9);
        more("failed-authentication-total", 5);
        more("failed-reauthentication-total", 4);
        assertThat(lost()).isFalse();
    }

    @Test
    @DisplayName("is found with a real client whose port is closed")
    void realClient() throws Exception {
        int port;
        try (java.net.ServerSocket closed = new java.net.ServerSocket(0)) {
            port = closed.getLocalPort();
        }
        LostConnection watched =
                LostConnection.ofProducer(Duration.ofMillis(100), Clock.systemUTC());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", "127.0.0.1:" + port),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            org.awaitility.Awaitility.await()
                    .until(() -> watched.isLost(producer, producer::metrics));
            producer.close(Duration.ZERO);
        }
    }
}
