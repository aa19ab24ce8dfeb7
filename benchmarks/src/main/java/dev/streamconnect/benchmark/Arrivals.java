package dev.streamconnect.benchmark;

import dev.streamconnect.benchmark.broker.Broker;
import dev.streamconnect.benchmark.broker.Listener;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads a topic whose values begin with the time when they were due ({@link System#nanoTime} of
 * this process), and notes how long after it they came. Its thread runs until it is closed.
 */
final class Arrivals implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(50);

    private record Arrival(long due, long took) {}

    private final Broker broker;
    private final List<TopicPartition> partitions;
    private final List<Arrival> arrivals = new ArrayList<>();
    private final Thread thread = new Thread(this::read, "arrivals");
    private volatile boolean closed;

    Arrivals(Broker broker, String topic, int partitions) {
        this.broker = broker;
        this.partitions =
                IntStream.range(0, partitions).mapToObj(i -> new TopicPartition(topic, i)).toList();
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        Map.of("bootstrap.servers", broker.bootstrap(Listener.PLAIN)),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (!closed) {
                var records = consumer.poll(POLL);
                long now = System.nanoTime();
                synchronized (arrivals) {
                    for (ConsumerRecord<byte[], byte[]> record : records) {
                        long due = ByteBuffer.wrap(record.value()).getLong();
                        arrivals.add(new Arrival(due, now - due));
                    }
                }
            }
        }
    }

    /** How many came so far. */
    int count() {
        synchronized (arrivals) {
            return arrivals.size();
        }
    }

    /** The times of those that were due from {@code begin} (inclusive) to {@code end}. */
    Histogram dueBetween(long begin, long end) {
        Histogram histogram = new Histogram(3);
        synchronized (arrivals) {
            for (Arrival arrival : arrivals) {
                if (arrival.due() - begin >= 0 && arrival.due() - end < 0) {
                    histogram.recordValue(Math.max(0, arrival.took()));
                }
            }
        }
        return histogram;
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join();
    }
}
