package dev.streamconnect.engine;

import dev.streamconnect.cluster.ClientRole;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The hot path alone, for a record: a polled batch through {@link ShipmentAttempt}, against the
 * same records in a bare loop. The producer takes a record and does nothing, so what is left is
 * ours. With {@code -prof gc} the allocation of a record is told; both make Kafka's {@code
 * ProducerRecord}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class HotPathBenchmark {

    private static final int RECORDS = 4_000;
    private static final int PARTITIONS = 4;
    private static final int PARTITION = 2;
    private static final int BATCH_SIZE = 512 * 1024;
    private static final String TOPIC = "snc.acme.orders";

    private final List<ConsumerRecord<byte[], byte[]>> polled = polled();
    private final NullProducer producer = new NullProducer();
    private final DestinationTopic topic = topic();
    private final ProducerGeneration generation =
            new ProducerGeneration(ShipmentAttempt::ackAll, ended -> {});
    private final Shipment.Listener listener = new Unheard();

    private int acknowledged;

    /** Acknowledges at once. */
    private static final class NullProducer extends MockProducer<byte[], byte[]> {

        private static final RecordMetadata PLACE =
                new RecordMetadata(new TopicPartition(TOPIC, PARTITION), 0, 0, 0, 0, 0);
        private static final Future<RecordMetadata> DONE = CompletableFuture.completedFuture(PLACE);
        private static final List<PartitionInfo> ALL =
                Collections.nCopies(
                        PARTITIONS, new PartitionInfo(TOPIC, PARTITION, Node.noNode(), null, null));

        /** Without a place for it the JVM would not even make the record. */
        private ProducerRecord<byte[], byte[]> last;

        @Override
        public Future<RecordMetadata> send(
                ProducerRecord<byte[], byte[]> record, Callback callback) {
            last = record;
            callback.onCompletion(PLACE, null);
            return DONE;
        }

        @Override
        public List<PartitionInfo> partitionsFor(String name) {
            return ALL;
        }
    }

    private static final class Unheard implements Shipment.Listener {

        @Override
        public void progressed(Shipment shipment, int records, long bytes) {}

        @Override
        public void delivered(Shipment shipment) {}

        @Override
        public void failed(Shipment shipment, FailureVerdict verdict) {}
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public int bareLoop() {
        acknowledged = 0;
        for (ConsumerRecord<byte[], byte[]> record : polled) {
            producer.send(
                    new ProducerRecord<>(
                            TOPIC,
                            record.partition(),
                            record.timestamp(),
                            record.key(),
                            record.value(),
                            record.headers()),
                    (place, error) -> acknowledged++);
        }
        return acknowledged;
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public int shipment() {
        Shipment shipment = new Shipment.Raw(polled, PARTITIONS, listener);
        while (shipment.acked() < RECORDS) {
            ShipmentAttempt attempt = new ShipmentAttempt(shipment, topic, generation);
            attempt.send(producer, ChunkSize.ofBatch(BATCH_SIZE, false), false, 1_000_000);
        }
        return shipment.acked();
    }

    private static DestinationTopic topic() {
        DestinationTopic topic =
                new DestinationTopic(TOPIC, SizeLimit.own(2_097_152, ClientRole.HERMES_PRODUCER));
        topic.probed(
                new TopicProbe.Result(
                        null,
                        Uuid.ONE_UUID,
                        PARTITIONS,
                        Map.of("max.message.bytes", "2097152"),
                        false,
                        "c"),
                java.time.Instant.EPOCH);
        return topic;
    }

    private static List<ConsumerRecord<byte[], byte[]>> polled() {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>(RECORDS);
        for (int i = 0; i < RECORDS; i++) {
            byte[] key = "key-----%08d".formatted(i).getBytes(StandardCharsets.UTF_8);
            RecordHeaders headers =
                    new RecordHeaders(
                            List.of(
                                    new RecordHeader("kind", new byte[5]),
                                    new RecordHeader("trace", new byte[16])));
            records.add(
                    new ConsumerRecord<>(
                            "orders",
                            PARTITION,
                            i,
                            1_000_000 + i,
                            TimestampType.CREATE_TIME,
                            key.length,
                            512,
                            key,
                            new byte[512],
                            headers,
                            Optional.empty()));
        }
        return records;
    }
}
