package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A smoke, not a benchmark: brokers, gateway and contenders share the machine. Both move the same
 * topic with the same client settings, in alternation and in one JVM; the figure is the median of
 * the ratios.
 */
@Tag("fault")
@DisplayName("The built batch route against a bare loop of a consumer and a producer")
class ThroughputIT {

    private static final int RECORDS = 800_000;
    private static final int PARTITIONS = 4;

    /** Two to warm up, then an odd number, so that the median is a round. */
    private static final int ROUNDS = 7;

    private static final double LEAST = 0.8;

    @TempDir Path folder;

    private record Run(double perSecond, double cpuSeconds) {}

    @Test
    @DisplayName("reaches 0.8 of its rate")
    void ratio() throws Exception {
        Sandbox sandbox = Sandbox.shared();
        sandbox.topics().create(Side.LOCAL, "speed", PARTITIONS, Map.of());
        sandbox.topics().create(sandbox.topicName("speed"), PARTITIONS);
        fill(sandbox);
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            Run bare = bareLoop(sandbox);
            Run route = route(sandbox, round);
            double ratio = route.perSecond / bare.perSecond;
            System.out.printf(
                    "round %d: bare loop %.0f/s (%.2f CPU-s), route %.0f/s (%.2f CPU-s), ratio %.2f, CPU ratio %.2f%n",
                    round,
                    bare.perSecond,
                    bare.cpuSeconds,
                    route.perSecond,
                    route.cpuSeconds,
                    ratio,
                    route.cpuSeconds / bare.cpuSeconds);
            if (round > 1) {
                // The first rounds warm brokers and compiler up.
                ratios.add(ratio);
            }
        }
        Collections.sort(ratios);
        double median = ratios.get(ratios.size() / 2);
        System.out.printf("throughput: median ratio %.2f of %s%n", median, ratios);
        assertThat(median).isGreaterThanOrEqualTo(LEAST);
    }

    private static void fill(Sandbox sandbox) {
        byte[] value = new byte[512];
        new Random(1).nextBytes(value);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        Map.of(
                                "bootstrap.servers",
                                sandbox.internalBootstrap(Side.LOCAL),
                                "batch.size",
                                262144,
                                "linger.ms",
                                20),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                byte[] key = ("k" + i % 1000).getBytes(java.nio.charset.StandardCharsets.UTF_8);
                producer.send(new ProducerRecord<>("speed", i % PARTITIONS, key, value));
            }
        }
    }

    private static Run bareLoop(Sandbox sandbox) {
        Map<String, Object> reading =
                Map.of(
                        "bootstrap.servers",
                        sandbox.bootstrap(Role.local),
                        "max.poll.records",
                        4000,
                        "enable.auto.commit",
                        false);
        Map<String, Object> writing = new HashMap<>(sandbox.certificate().clientProperties());
        writing.putAll(
                Map.of(
                        "bootstrap.servers",
                        sandbox.bootstrap(Role.producer),
                        "acks",
                        "all",
                        "enable.idempotence",
                        false,
                        "max.in.flight.requests.per.connection",
                        1,
                        "batch.size",
                        524288,
                        "linger.ms",
                        5,
                        "buffer.memory",
                        64L * 1024 * 1024));
        String destination = sandbox.topicName("speed");
        AtomicLong acknowledged = new AtomicLong();
        Callback callback = (place, error) -> acknowledged.incrementAndGet();
        try (KafkaConsumer<byte[], byte[]> consumer =
                        new KafkaConsumer<>(
                                reading, new ByteArrayDeserializer(), new ByteArrayDeserializer());
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(
                                writing, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<TopicPartition> all = new ArrayList<>();
            consumer.partitionsFor("speed")
                    .forEach(p -> all.add(new TopicPartition("speed", p.partition())));
            consumer.assign(all);
            consumer.seekToBeginning(all);
            long polled = 0;
            long begin = 0;
            long cpu = 0;
            while (polled < RECORDS) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(200));
                for (ConsumerRecord<byte[], byte[]> r : records) {
                    producer.send(
                            new ProducerRecord<>(
                                    destination,
                                    r.partition(),
                                    r.timestamp(),
                                    r.key(),
                                    r.value(),
                                    r.headers()),
                            callback);
                }
                polled += records.count();
                if (begin == 0 && polled > 0) {
                    begin = System.nanoTime();
                    cpu = cpuNanos();
                }
            }
            producer.flush();
            assertThat(acknowledged.get()).isEqualTo(RECORDS);
            return new Run(RECORDS * 1e9 / (System.nanoTime() - begin), (cpuNanos() - cpu) / 1e9);
        }
    }

    private Run route(Sandbox sandbox, int round) throws Exception {
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, "speed-" + round).replicate("speed");
        try (Replicator replicator = Replicator.start(settings, folder.resolve("round" + round))) {
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> replicator.status("speed").messages() > 0);
            long already = replicator.status("speed").messages();
            long begin = System.nanoTime();
            long cpu = cpuNanos();
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> replicator.status("speed").messages() >= RECORDS);
            long end = System.nanoTime();
            return new Run((RECORDS - already) * 1e9 / (end - begin), (cpuNanos() - cpu) / 1e9);
        }
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean)
                        ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
