package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.Avg;
import org.apache.kafka.common.metrics.stats.Max;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The sensor is built as the consumer builds it. */
class ThrottleTimeTest {

    private static final String GROUP = "consumer-fetch-manager-metrics";

    private final Ticks time = new Ticks();
    private final ThrottleTime throttle = ThrottleTime.ofConsumer();
    private Metrics metrics;
    private Sensor sensor;

    /** Kafka's time, moved by the test. */
    private static final class Ticks implements Time {
        private long now = 1_000_000;

        @Override
        public long milliseconds() {
            return now;
        }

        @Override
        public long nanoseconds() {
            return now * 1_000_000;
        }

        @Override
        public void sleep(long millis) {
            now += millis;
        }

        @Override
        public void waitObject(
                Object object, java.util.function.Supplier<Boolean> condition, long deadline) {
            throw new UnsupportedOperationException();
        }

        @Override
        public org.apache.kafka.common.utils.Timer timer(long timeoutMs) {
            throw new UnsupportedOperationException();
        }
    }

    private Object client() {
        metrics = new Metrics(new MetricConfig(), java.util.List.of(), time);
        sensor = metrics.sensor("fetch-throttle-time");
        sensor.add(new MetricName("fetch-throttle-time-avg", GROUP, "", Map.of()), new Avg());
        sensor.add(new MetricName("fetch-throttle-time-max", GROUP, "", Map.of()), new Max());
        return metrics;
    }

    private long more(Object client) {
        return throttle.more(client, metrics::metrics, time.milliseconds());
    }

    private void answer(double millis) {
        sensor.record(millis, time.milliseconds());
    }

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    @DisplayName("what responses carry is added up, most of it zero")
    void addsUp() {
        Object client = client();
        assertThat(more(client)).isZero();
        answer(0);
        answer(200);
        answer(0);
        answer(300);
        assertThat(more(client)).isEqualTo(500);
        assertThat(more(client)).isZero();
        answer(7);
        assertThat(more(client)).isEqualTo(7);
    }

    @Test
    @DisplayName("over many samples of 30 s nothing is counted twice and next to nothing missed")
    void overSamples() {
        Object client = client();
        long counted = 0;
        long said = 0;
        // Ten minutes: an answer each 100 ms, a look each 250 ms.
        for (int i = 1; i <= 12_000; i++) {
            time.sleep(50);
            if (i % 2 == 0) {
                answer(i % 20 == 0 ? 80 : 0);
                said += i % 20 == 0 ? 80 : 0;
            }
            if (i % 5 == 0) {
                counted += more(client);
            }
        }
        counted += more(client);
        assertThat(said).isEqualTo(48_000);
        assertThat(counted).isBetween(said * 99 / 100, said);
    }

    @Test
    @DisplayName("a rest longer than the samples live does not count them again")
    void rest() {
        Object client = client();
        answer(400);
        assertThat(more(client)).isEqualTo(400);
        time.sleep(600_000);
        assertThat(more(client)).isZero();
        answer(50);
        assertThat(more(client)).isEqualTo(50);
    }

    @Test
    @DisplayName("a client that is built anew begins at zero")
    void anew() {
        Object first = client();
        answer(400);
        more(first);
        metrics.close();
        Object second = client();
        answer(30);
        assertThat(more(second)).isEqualTo(30);
    }

    @Test
    @DisplayName("a client without that metric was never asked to wait")
    void without() {
        metrics = new Metrics();
        assertThat(throttle.more(metrics, Map::of, 0)).isZero();
    }

    @Test
    @DisplayName("the clients that run have the two metrics, as averages")
    void realClients() {
        ThrottleTime ofProducer = ThrottleTime.ofProducer();
        client();
        try (var producer =
                        dev.streamconnect.cluster.KafkaClients.producer(
                                Fixtures.HERMES,
                                "throttle-test",
                                new ProducerGeneration(a -> {}, g -> {}));
                var consumer =
                        dev.streamconnect.cluster.KafkaClients.consumer(
                                Fixtures.PLANT, "throttle-test", "place")) {
            assertThat(ofProducer.more(producer, producer::metrics, 0)).isZero();
            assertThat(throttle.more(consumer, consumer::metrics, 0)).isZero();
            assertThat(ofProducer.isMeasured()).isTrue();
            assertThat(throttle.isMeasured()).isTrue();
        }
    }
}
