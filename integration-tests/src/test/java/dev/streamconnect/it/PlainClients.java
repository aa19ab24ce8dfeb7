package dev.streamconnect.it;

import dev.streamconnect.it.Sandbox.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Unmodified Kafka clients of a sandbox, with time limits short enough for tests of faults. */
final class PlainClients {

    private static final long SEND_SECONDS = 60;

    private final Sandbox sandbox;

    PlainClients(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    KafkaProducer<String, String> producer() {
        return producer(sandbox.certificate().clientProperties());
    }

    /**
     * @param security what the client shows and trusts
     */
    KafkaProducer<String, String> producer(Map<String, Object> security) {
        Map<String, Object> properties = limits();
        properties.putAll(security);
        properties.put("bootstrap.servers", sandbox.bootstrap(Role.producer));
        return producer(properties, "5000");
    }

    KafkaProducer<String, String> localProducer() {
        Map<String, Object> properties = limits();
        properties.put("bootstrap.servers", sandbox.bootstrap(Role.local));
        return producer(properties, "20000");
    }

    private static KafkaProducer<String, String> producer(
            Map<String, Object> properties, String maxBlockMillis) {
        properties.put("acks", "all");
        properties.put("enable.idempotence", "false");
        properties.put("max.in.flight.requests.per.connection", "1");
        properties.put("max.block.ms", maxBlockMillis);
        return new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer());
    }

    KafkaConsumer<String, String> consumer(Role role, String group, Map<String, Object> security) {
        Map<String, Object> properties = limits();
        properties.putAll(security);
        properties.put("bootstrap.servers", sandbox.bootstrap(role));
        properties.put("group.id", group);
        properties.put("auto.offset.reset", "earliest");
        properties.put("enable.auto.commit", "false");
        return new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
    }

    /** Sends one record and waits for its acknowledgement; its failure is thrown as it is. */
    static RecordMetadata send(KafkaProducer<String, String> producer, String topic, String value)
            throws Throwable {
        try {
            return producer.send(new ProducerRecord<>(topic, value))
                    .get(SEND_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    static boolean acknowledgedWithin(
            KafkaProducer<String, String> producer, String topic, String value, Duration limit)
            throws Exception {
        try {
            producer.send(new ProducerRecord<>(topic, value))
                    .get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** Reads a topic from its start until a number of values is there. */
    List<String> values(Role role, String topic, int count) {
        List<String> values = new ArrayList<>();
        String group = "snc." + sandbox.instance() + ".plain-" + topic;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SEND_SECONDS);
        try (KafkaConsumer<String, String> consumer =
                consumer(role, group, sandbox.certificate().clientProperties())) {
            consumer.subscribe(List.of(topic));
            while (values.size() < count && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }

    private static Map<String, Object> limits() {
        return new HashMap<>(
                Map.of(
                        "request.timeout.ms", "3000",
                        "socket.connection.setup.timeout.ms", "1000",
                        "socket.connection.setup.timeout.max.ms", "2000",
                        "reconnect.backoff.max.ms", "500"));
    }
}
