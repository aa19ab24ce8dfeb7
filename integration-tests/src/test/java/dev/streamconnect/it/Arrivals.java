package dev.streamconnect.it;

import dev.streamconnect.it.Sandbox.Side;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Counts the records in a topic's log, quickly. Not thread-safe. */
final class Arrivals implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;

    Arrivals(Sandbox sandbox, Side side, String topic) {
        this.consumer =
                new KafkaConsumer<>(
                        Map.of("bootstrap.servers", sandbox.internalBootstrap(side)),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer());
        this.partitions =
                consumer.partitionsFor(topic).stream()
                        .map(info -> new TopicPartition(topic, info.partition()))
                        .toList();
    }

    long count() {
        return consumer.endOffsets(partitions, LIMIT).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
