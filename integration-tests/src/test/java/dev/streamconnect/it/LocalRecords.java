package dev.streamconnect.it;

import dev.streamconnect.it.Sandbox.Side;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Single records into chosen partitions of a topic of the local Kafka. */
final class LocalRecords implements AutoCloseable {

    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;

    LocalRecords(Sandbox sandbox, String topic, Map<String, Object> more) {
        this.topic = topic;
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", sandbox.internalBootstrap(Side.LOCAL));
        properties.put("max.request.size", 8 * 1024 * 1024);
        properties.put("linger.ms", 5);
        properties.putAll(more);
        this.producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    LocalRecords(Sandbox sandbox, String topic) {
        this(sandbox, topic, Map.of());
    }

    /** Sends a text; returns when the local Kafka has it. */
    LocalRecords put(int partition, String key, String value) {
        return put(partition, null, key, value.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * @param timestamp milliseconds since the epoch; null for now
     */
    LocalRecords put(int partition, Long timestamp, String key, byte[] value) {
        try {
            send(partition, timestamp, key, value).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return this;
    }

    /** So many short texts of one partition, numbered from a number on. */
    LocalRecords series(int partition, int from, int count) {
        for (int i = from; i < from + count - 1; i++) {
            send(partition, null, "k" + i, String.valueOf(i).getBytes(StandardCharsets.UTF_8));
        }
        return put(partition, "k" + (from + count - 1), String.valueOf(from + count - 1));
    }

    /** Without waiting. */
    Future<RecordMetadata> send(int partition, Long timestamp, String key, byte[] value) {
        return producer.send(
                new ProducerRecord<>(
                        topic,
                        partition,
                        timestamp,
                        key == null ? null : key.getBytes(StandardCharsets.UTF_8),
                        value));
    }

    /** For transactions. */
    KafkaProducer<byte[], byte[]> producer() {
        return producer;
    }

    @Override
    public void close() {
        producer.close();
    }
}
