package dev.streamconnect.it;

import dev.streamconnect.it.Sandbox.Side;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads all records of a topic from its log, whoever wrote them, past gateway and ACLs. */
public final class ReadBack {

    /** One record as it lies in a log. Arrays are null where the record has null. */
    public record Stored(
            Side side,
            int partition,
            long offset,
            long timestamp,
            byte[] key,
            byte[] value,
            List<Header> headers) {

        /** The key as UTF-8 text, or null. */
        public String keyText() {
            return key == null ? null : new String(key, StandardCharsets.UTF_8);
        }

        /** The value as UTF-8 text, or null. */
        public String text() {
            return value == null ? null : new String(value, StandardCharsets.UTF_8);
        }
    }

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Sandbox sandbox;

    ReadBack(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    /**
     * The longest time between two records that follow each other in one partition, the sides taken
     * together; by their timestamps, so of topics that have LogAppendTime.
     *
     * @param from milliseconds since the epoch, as the end: of the later record of the two
     */
    static Duration longestPause(List<Stored> records, long from, long to) {
        Map<Integer, List<Long>> times =
                records.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Stored::partition,
                                        Collectors.mapping(
                                                Stored::timestamp, Collectors.toList())));
        long longest = 0;
        for (List<Long> ofPartition : times.values()) {
            List<Long> sorted = ofPartition.stream().sorted().toList();
            for (int i = 1; i < sorted.size(); i++) {
                if (sorted.get(i) >= from && sorted.get(i) < to) {
                    longest = Math.max(longest, sorted.get(i) - sorted.get(i - 1));
                }
            }
        }
        return Duration.ofMillis(longest);
    }

    /** Of both sides, A first; a side without the topic gives none. */
    public List<Stored> both(String topic) {
        List<Stored> records = new ArrayList<>(all(Side.A, topic));
        records.addAll(all(Side.B, topic));
        return records;
    }

    /** All that is in the log now, by partition and offset. Committed records only. */
    public List<Stored> all(Side side, String topic) {
        Map<String, Object> properties =
                Map.of(
                        "bootstrap.servers", sandbox.internalBootstrap(side),
                        "isolation.level", "read_committed",
                        "allow.auto.create.topics", "false",
                        "enable.auto.commit", "false",
                        "auto.offset.reset", "earliest");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(
                        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            if (!consumer.listTopics(LIMIT).containsKey(topic)) {
                return List.of();
            }
            List<TopicPartition> partitions =
                    consumer.partitionsFor(topic).stream()
                            .map(info -> new TopicPartition(topic, info.partition()))
                            .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            return read(consumer, side, consumer.endOffsets(partitions, LIMIT));
        }
    }

    private static List<Stored> read(
            KafkaConsumer<byte[], byte[]> consumer, Side side, Map<TopicPartition, Long> ends) {
        List<Stored> records = new ArrayList<>();
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (ends.entrySet().stream()
                .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("not read within " + LIMIT + ": " + ends);
            }
            consumer.poll(Duration.ofMillis(100))
                    .forEach(record -> records.add(stored(side, record)));
        }
        records.sort(Comparator.comparingInt(Stored::partition).thenComparingLong(Stored::offset));
        return records;
    }

    private static Stored stored(Side side, ConsumerRecord<byte[], byte[]> record) {
        return new Stored(
                side,
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.key(),
                record.value(),
                Arrays.asList(record.headers().toArray()));
    }
}
