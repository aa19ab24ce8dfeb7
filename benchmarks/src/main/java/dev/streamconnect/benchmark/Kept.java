package dev.streamconnect.benchmark;

import dev.streamconnect.benchmark.broker.Broker;
import dev.streamconnect.benchmark.broker.Brokers;
import dev.streamconnect.benchmark.broker.Listener;
import dev.streamconnect.benchmark.contender.ContenderSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What of the records is at the destination as it was at the source. A replicator that keeps the
 * partition and the order writes a record at its old offset, so a stretch of a partition is
 * compared at the same offsets.
 */
final class Kept {

    private static final int LOOKED_AT = 500;
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Brokers brokers;

    Kept(Brokers brokers) {
        this.brokers = brokers;
    }

    /** For example {@code key, value, headers, timestamp}; "order differs" if even keys do. */
    String look(ContenderSettings settings) {
        TopicPartition there = new TopicPartition(settings.destinationTopics().get(0), 0);
        TopicPartition here = new TopicPartition(settings.sourceTopics().get(0), 0);
        List<ConsumerRecord<byte[], byte[]>> arrived = read(brokers.destination(), there, -1);
        if (arrived.isEmpty()) {
            return "not looked at";
        }
        List<ConsumerRecord<byte[], byte[]>> sent =
                read(brokers.source(), here, arrived.get(0).offset());
        if (!same(sent, arrived, (one, other) -> Arrays.equals(one.key(), other.key()))) {
            return "order differs";
        }
        List<String> kept = new ArrayList<>(List.of("key"));
        if (same(sent, arrived, (one, other) -> Arrays.equals(one.value(), other.value()))) {
            kept.add("value");
        }
        if (same(
                sent,
                arrived,
                (one, other) ->
                        Arrays.equals(one.headers().toArray(), other.headers().toArray()))) {
            kept.add("headers");
        }
        if (same(sent, arrived, (one, other) -> one.timestamp() == other.timestamp())) {
            kept.add("timestamp");
        }
        return String.join(", ", kept);
    }

    private static boolean same(
            List<ConsumerRecord<byte[], byte[]>> sent,
            List<ConsumerRecord<byte[], byte[]>> arrived,
            BiPredicate<ConsumerRecord<byte[], byte[]>, ConsumerRecord<byte[], byte[]>> equal) {
        int size = Math.min(sent.size(), arrived.size());
        for (int i = 0; i < size; i++) {
            if (!equal.test(sent.get(i), arrived.get(i))) {
                return false;
            }
        }
        return size > 0;
    }

    /**
     * @param from first offset; -1 for the first that there is
     */
    private static List<ConsumerRecord<byte[], byte[]>> read(
            Broker broker, TopicPartition partition, long from) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        Map.of(
                                "bootstrap.servers",
                                broker.bootstrap(Listener.PLAIN),
                                "max.poll.records",
                                LOOKED_AT),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            if (from < 0) {
                consumer.seekToBeginning(List.of(partition));
            } else {
                consumer.seek(partition, from);
            }
            long end = System.nanoTime() + LIMIT.toNanos();
            while (records.isEmpty() && System.nanoTime() < end) {
                consumer.poll(Duration.ofMillis(200)).records(partition).forEach(records::add);
            }
        }
        return records;
    }
}
