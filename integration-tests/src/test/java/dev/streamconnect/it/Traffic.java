package dev.streamconnect.it;

import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Numbered messages into a topic: of each key 0, 1, 2 … in the value. Sent is what was
 * acknowledged.
 */
final class Traffic implements AutoCloseable {

    private final String topic;
    private final int keys;
    private final List<Header> headers;

    /** Used in turn, a message each. */
    private final List<KafkaProducer<byte[], byte[]>> doors;

    private final Map<String, Integer> sent = new HashMap<>();
    private final Map<String, Exception> refused = new ConcurrentHashMap<>();
    private volatile int total;
    private int largeEvery;
    private int largeBytes;

    /** Into a topic of the local Kafka. */
    Traffic(Sandbox sandbox, String topic, int keys) {
        this(sandbox, topic, keys, List.of());
    }

    /**
     * Into a topic of the local Kafka.
     *
     * @param headers of every message
     */
    Traffic(Sandbox sandbox, String topic, int keys, List<Header> headers) {
        this(
                topic,
                keys,
                headers,
                List.of(producer(sandbox.internalBootstrap(Side.LOCAL), Map.of())));
    }

    /** Past the gateway into a topic of a side. */
    static Traffic into(Sandbox sandbox, Side side, String topic, int keys) {
        return new Traffic(
                topic,
                keys,
                List.of(),
                List.of(producer(sandbox.internalBootstrap(side), Map.of())));
    }

    private Traffic(
            String topic,
            int keys,
            List<Header> headers,
            List<KafkaProducer<byte[], byte[]>> doors) {
        this.topic = topic;
        this.keys = keys;
        this.headers = headers;
        this.doors = doors;
    }

    /**
     * Toward Hermes, as others than a replicator produce: in turn by the producer ports and to each
     * side past the gateway.
     *
     * @param topic full name
     * @param keys no multiple of three, so that each key takes all ways
     */
    static Traffic towardHermes(Sandbox sandbox, String topic, int keys) {
        Map<String, Object> oneInFlight =
                Map.of("enable.idempotence", "false", "max.in.flight.requests.per.connection", "1");
        Map<String, Object> ports = new HashMap<>(sandbox.certificate().clientProperties());
        ports.putAll(oneInFlight);
        return new Traffic(
                topic,
                keys,
                List.of(),
                List.of(
                        producer(sandbox.bootstrap(Role.producer), ports),
                        producer(sandbox.internalBootstrap(Side.A), oneInFlight),
                        producer(sandbox.internalBootstrap(Side.B), oneInFlight)));
    }

    private static KafkaProducer<byte[], byte[]> producer(
            String bootstrap, Map<String, Object> more) {
        Map<String, Object> properties = new HashMap<>(more);
        properties.put("bootstrap.servers", bootstrap);
        properties.put("linger.ms", "5");
        return new KafkaProducer<>(
                properties, new ByteArraySerializer(), new ByteArraySerializer());
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
     * Sends so many more messages, no faster than the rate; returns when the brokers have them.
     *
     * @throws IllegalStateException if one was refused
     */
    Traffic send(int count, int perSecond) {
        offer(count, perSecond);
        if (!refused.isEmpty()) {
            throw new IllegalStateException(
                    "traffic was refused", refused.values().iterator().next());
        }
        return this;
    }

    /** As {@link #send}, but a refusal is only noted. */
    Traffic offer(int count, int perSecond) {
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            String key = "k" + total % keys;
            int number = sent.merge(key, 1, Integer::sum) - 1;
            doors.get(total % doors.size())
                    .send(
                            new ProducerRecord<>(
                                    topic, null, bytes(key), bytes(text(number)), headers),
                            (place, error) -> {
                                if (error != null) {
                                    refused.put(key + "#" + number, error);
                                }
                            });
            total++;
            long due = begin + (i + 1) * 1_000_000_000L / perSecond;
            while (i % 20 == 0 && System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
        }
        doors.forEach(KafkaProducer::flush);
        return this;
    }

    /** What was offered and not acknowledged, as {@code key#number}: it may have arrived. */
    Set<String> refused() {
        return refused.keySet();
    }

    /** Messages sent of each key, those that were refused included. */
    Map<String, Integer> sent() {
        return sent;
    }

    /** Messages sent; may be asked while another thread sends. */
    int total() {
        return total;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        doors.forEach(KafkaProducer::close);
    }
}
