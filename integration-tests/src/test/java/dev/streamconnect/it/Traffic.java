package dev.streamconnect.it;

import dev.streamconnect.it.Sandbox.Side;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Numbered messages into a topic of the local Kafka: of each key 0, 1, 2 … in the value. */
final class Traffic implements AutoCloseable {

    private final String topic;
    private final int keys;
    private final List<Header> headers;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Map<String, Integer> sent = new HashMap<>();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private int total;
    private int largeEvery;
    private int largeBytes;

    Traffic(Sandbox sandbox, String topic, int keys) {
        this(sandbox, topic, keys, List.of());
    }

    /**
     * @param headers of every message
     */
    Traffic(Sandbox sandbox, String topic, int keys, List<Header> headers) {
        this.topic = topic;
        this.keys = keys;
        this.headers = headers;
        this.producer =
                new KafkaProducer<>(
                        Map.of(
                                "bootstrap.servers",
                                sandbox.internalBootstrap(Side.LOCAL),
                                "linger.ms",
                                "5"),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
    }

    /** Makes one in so many messages so many bytes long: its number has zeros before it. */
    Traffic large(int every, int bytes) {
        largeEvery = every;
        largeBytes = bytes;
        return this;
    }

    private String text(int number) {
        String digits = String.valueOf(number);
        // Another one of the keys in each round: a key has large and small ones.
        return largeEvery > 0 && (total + total / keys * 7) % largeEvery == 0
                ? "0".repeat(largeBytes - digits.length()) + digits
                : digits;
    }

    /**
     * Sends so many more messages, no faster than the rate; returns when the local Kafka has them.
     */
    Traffic send(int count, int perSecond) {
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            String key = "k" + total % keys;
            int number = sent.merge(key, 1, Integer::sum) - 1;
            total++;
            producer.send(
                    new ProducerRecord<>(topic, null, bytes(key), bytes(text(number)), headers),
                    (place, error) -> {
                        if (error != null) {
                            failure.compareAndSet(null, error);
                        }
                    });
            long due = begin + (i + 1) * 1_000_000_000L / perSecond;
            while (i % 20 == 0 && System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
        }
        producer.flush();
        if (failure.get() != null) {
            throw new IllegalStateException("the local Kafka refused traffic", failure.get());
        }
        return this;
    }

    /** Messages sent of each key. */
    Map<String, Integer> sent() {
        return sent;
    }

    int total() {
        return total;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        producer.close();
    }
}
