package dev.streamconnect.benchmark.contender;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * What one would write without a framework: sends what was polled without waiting, and commits what
 * is acknowledged every second. Key, value, headers, timestamp and partition are copied. It ends at
 * the first error.
 */
final class BareLoop implements Contender {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final long COMMIT_NANOS = 1_000_000_000L;

    /** What one poll returned, and how much of it is not acknowledged. */
    private static final class Polled implements Callback {

        private final AtomicInteger pending;
        private final Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();

        Polled(ConsumerRecords<byte[], byte[]> records) {
            pending = new AtomicInteger(records.count());
            for (TopicPartition partition : records.partitions()) {
                var last = records.records(partition);
                next.put(partition, new OffsetAndMetadata(last.get(last.size() - 1).offset() + 1));
            }
        }

        @Override
        public void onCompletion(RecordMetadata place, Exception error) {
            if (error != null) {
                error.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
            pending.decrementAndGet();
        }
    }

    private volatile boolean stopped;

    @Override
    public AutoCloseable start(ContenderSettings settings) {
        Thread thread = new Thread(() -> run(settings), "bare-loop");
        thread.start();
        return () -> {
            stopped = true;
            thread.join();
        };
    }

    private void run(ContenderSettings settings) {
        Map<String, Object> reading = new HashMap<>(settings.consumer());
        reading.put("bootstrap.servers", settings.source());
        reading.put("group.id", settings.group());
        Map<String, Object> writing = new HashMap<>(settings.producer());
        writing.put("bootstrap.servers", settings.destination());
        Map<String, String> destinations = new HashMap<>();
        for (int i = 0; i < settings.sourceTopics().size(); i++) {
            destinations.put(settings.sourceTopics().get(i), settings.destinationTopics().get(i));
        }
        try (KafkaConsumer<byte[], byte[]> consumer =
                        new KafkaConsumer<>(
                                reading, new ByteArrayDeserializer(), new ByteArrayDeserializer());
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(
                                writing, new ByteArraySerializer(), new ByteArraySerializer())) {
            consumer.subscribe(settings.sourceTopics());
            loop(consumer, producer, destinations);
        } catch (RuntimeException e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private void loop(
            KafkaConsumer<byte[], byte[]> consumer,
            KafkaProducer<byte[], byte[]> producer,
            Map<String, String> destinations) {
        Deque<Polled> unacknowledged = new ArrayDeque<>();
        Map<TopicPartition, OffsetAndMetadata> acknowledged = new HashMap<>();
        long committed = System.nanoTime();
        while (!stopped) {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            if (!records.isEmpty()) {
                Polled polled = new Polled(records);
                unacknowledged.add(polled);
                for (ConsumerRecord<byte[], byte[]> record : records) {
                    producer.send(
                            new ProducerRecord<>(
                                    destinations.get(record.topic()),
                                    record.partition(),
                                    record.timestamp(),
                                    record.key(),
                                    record.value(),
                                    record.headers()),
                            polled);
                }
            }
            while (!unacknowledged.isEmpty() && unacknowledged.peek().pending.get() == 0) {
                acknowledged.putAll(unacknowledged.remove().next);
            }
            if (System.nanoTime() - committed > COMMIT_NANOS && !acknowledged.isEmpty()) {
                consumer.commitAsync(Map.copyOf(acknowledged), null);
                acknowledged.clear();
                committed = System.nanoTime();
            }
        }
    }
}
