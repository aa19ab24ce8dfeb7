package dev.streamconnect.benchmark;

import dev.streamconnect.benchmark.broker.Broker;
import dev.streamconnect.benchmark.broker.Listener;
import dev.streamconnect.benchmark.contender.BenchmarkHeaders;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Source topics, filled before anything is measured, so that no contender is ever starved. They
 * stay filled for all runs with the same traffic.
 */
final class Source {

    private static final int VALUES = 64;
    private static final int KEYS = 1_000_000;

    private final Broker broker;
    private final Topics topics;
    private Traffic filled;

    Source(Broker broker) {
        this.broker = broker;
        this.topics = new Topics(broker);
    }

    List<String> names(Traffic traffic) {
        return IntStream.range(0, traffic.topics())
                .mapToObj(i -> "snc.acme.source-" + traffic.name() + "-" + i)
                .toList();
    }

    /** What each record has. */
    static List<Header> headers() {
        return List.of(
                new RecordHeader(
                        BenchmarkHeaders.KIND,
                        BenchmarkHeaders.KIND_VALUE.getBytes(StandardCharsets.UTF_8)),
                new RecordHeader(BenchmarkHeaders.TRACE, new byte[16]));
    }

    /** Names of new, empty topics. */
    List<String> empty(Traffic traffic, String suffix) throws Exception {
        List<String> names = names(traffic).stream().map(name -> name + "-" + suffix).toList();
        topics.create(names, traffic.partitions(), Map.of());
        return names;
    }

    /** Records in the topics. */
    long records(Traffic traffic) throws Exception {
        return topics.sum(names(traffic), traffic.partitions(), OffsetSpec.latest());
    }

    /** Fills the topics unless they are; others are removed then. */
    void fill(Traffic traffic, long usualBytes) throws Exception {
        if (traffic.equals(filled)) {
            return;
        }
        topics.deleteAll();
        List<String> names = names(traffic);
        topics.create(
                names,
                traffic.partitions(),
                Map.of("retention.ms", "-1", "segment.bytes", "268435456"));
        long bytes = (long) (usualBytes * traffic.share());
        long count = Math.max(1_000, bytes / traffic.payloadBytes());
        Console.line("filling %s with %,d records", names.get(0), count);
        send(traffic, names, count);
        filled = traffic;
    }

    private void send(Traffic traffic, List<String> names, long count) {
        Random random = new Random(7);
        byte[][] values = new byte[VALUES][traffic.valueBytes()];
        for (byte[] value : values) {
            random.nextBytes(value);
        }
        byte[] refused = new byte[traffic.valueBytes() * Traffic.REFUSED_FACTOR];
        List<Header> headers = headers();
        AtomicReference<Exception> failure = new AtomicReference<>();
        Map<String, Object> settings = new HashMap<>(ClientSettings.producer(false));
        settings.put("bootstrap.servers", broker.bootstrap(Listener.PLAIN));
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (long i = 0; i < count && failure.get() == null; i++) {
                boolean isRefused =
                        traffic.refusedPercent() > 0
                                && random.nextInt(100) < traffic.refusedPercent();
                // A refused message holds its key: the others must not wait behind it.
                String key =
                        (isRefused ? "refused-" : "key-----")
                                + "%08d".formatted(isRefused ? i : random.nextInt(KEYS));
                producer.send(
                        new ProducerRecord<>(
                                names.get((int) (i % names.size())),
                                null,
                                null,
                                key.getBytes(StandardCharsets.UTF_8),
                                isRefused ? refused : values[(int) (i % VALUES)],
                                headers),
                        (place, error) -> {
                            if (error != null) {
                                failure.compareAndSet(null, error);
                            }
                        });
            }
        }
        if (failure.get() != null) {
            throw new IllegalStateException("the source could not be filled", failure.get());
        }
    }
}
