package dev.streamconnect.benchmark;

import dev.streamconnect.benchmark.broker.Broker;
import dev.streamconnect.benchmark.broker.Listener;
import dev.streamconnect.benchmark.contender.ContenderKind;
import dev.streamconnect.benchmark.contender.ContenderSettings;
import dev.streamconnect.benchmark.result.Figure;
import dev.streamconnect.benchmark.result.Run;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How long a record takes from the source to a reader of the destination. This process sends it and
 * reads it, so one clock measures both. The time begins when the record was due, not when it was
 * sent: a sender that falls behind does not hide what it waited for.
 */
final class LatencyRun {

    private static final int PER_SECOND = 1_000;
    private static final long NANOS_BETWEEN = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
    private static final Duration FIRST_LIMIT = Duration.ofSeconds(90);
    private static final Duration LAST_LIMIT = Duration.ofSeconds(30);

    private final Bench bench;
    private final Pace pace;

    LatencyRun(Bench bench, Pace pace) {
        this.bench = bench;
        this.pace = pace;
    }

    /**
     * @throws IllegalStateException if the contender failed or a record did not arrive
     */
    Run measure(Workload workload, ContenderKind kind, int repetition) throws Exception {
        Traffic traffic = workload.traffic();
        List<String> topics = bench.source().empty(traffic, "latency-" + System.nanoTime());
        String source = topics.get(0);
        if (kind == ContenderKind.NONE) {
            return new Run(
                    kind.label(),
                    repetition,
                    travel(source, traffic, bench.brokers().source(), source),
                    "");
        }
        ContenderSettings settings = bench.prepare(workload, kind, topics);
        Map<Figure, Double> figures;
        try (ContenderProcess contender = bench.start(kind, settings)) {
            contender.awaitStarted();
            figures =
                    travel(
                            source,
                            traffic,
                            bench.brokers().destination(),
                            settings.destinationTopics().get(0));
            figures.put(Figure.PEAK_RSS_MEGABYTES, contender.peakRssMegabytes());
        }
        bench.destinationTopics().deleteAll();
        return new Run(kind.label(), repetition, figures, "");
    }

    private Map<Figure, Double> travel(String to, Traffic traffic, Broker reader, String from)
            throws InterruptedException {
        try (Arrivals arrivals = new Arrivals(reader, from, traffic.partitions());
                KafkaProducer<byte[], byte[]> producer = producer()) {
            long due = System.nanoTime();
            long limit = due + FIRST_LIMIT.toNanos();
            while (arrivals.count() == 0) {
                due = sendAt(due, producer, to, traffic);
                if (due - limit > 0) {
                    throw new IllegalStateException("no record arrived in " + FIRST_LIMIT);
                }
            }
            long begin = due + pace.warmUp().toNanos();
            long end = begin + pace.measured().toNanos();
            long measured = 0;
            while (due - end < 0) {
                measured += due - begin >= 0 ? 1 : 0;
                due = sendAt(due, producer, to, traffic);
            }
            return figures(awaitAll(arrivals, begin, end, measured));
        }
    }

    /** Sends one record when it is due; returns when the next one is. */
    private static long sendAt(
            long due, KafkaProducer<byte[], byte[]> producer, String topic, Traffic traffic) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        byte[] value = new byte[traffic.valueBytes()];
        ByteBuffer.wrap(value).putLong(due);
        byte[] key = Long.toHexString(due).getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>(topic, null, null, key, value, Source.headers()));
        return due + NANOS_BETWEEN;
    }

    private static Histogram awaitAll(Arrivals arrivals, long begin, long end, long count)
            throws InterruptedException {
        long limit = System.nanoTime() + LAST_LIMIT.toNanos();
        Histogram times = arrivals.dueBetween(begin, end);
        while (times.getTotalCount() < count) {
            if (System.nanoTime() - limit > 0) {
                throw new IllegalStateException(
                        count - times.getTotalCount() + " records did not arrive");
            }
            Thread.sleep(50);
            times = arrivals.dueBetween(begin, end);
        }
        return times;
    }

    private static Map<Figure, Double> figures(Histogram times) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        figures.put(Figure.P50_MILLIS, times.getValueAtPercentile(50) / 1e6);
        figures.put(Figure.P99_MILLIS, times.getValueAtPercentile(99) / 1e6);
        figures.put(Figure.P999_MILLIS, times.getValueAtPercentile(99.9) / 1e6);
        figures.put(Figure.MAX_MILLIS, times.getMaxValue() / 1e6);
        return figures;
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", bench.brokers().source().bootstrap(Listener.PLAIN)),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }
}
