package dev.streamconnect.quickstart;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends to the local Kafka, and to Hermes what goes the other way, at a steady rate with plain
 * producers on a thread of its own.
 */
final class Traffic implements AutoCloseable {

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final KafkaProducer<byte[], byte[]> local;
    private final KafkaProducer<byte[], byte[]> instance;
    private final MessageMaker maker = new MessageMaker(Clock.systemUTC());
    private final Fingerprint fingerprint = new Fingerprint();
    private final AtomicReference<String> failure = new AtomicReference<>();
    private final Books books;
    private final int rate;
    private final Thread thread = new Thread(this::run, "traffic");
    private volatile boolean stopping;

    /**
     * @param rate messages a second
     */
    Traffic(LocalHermes hermes, Books books, int rate) {
        this.books = books;
        this.rate = rate;
        this.local = producer("local", Map.of("bootstrap.servers", hermes.local()));
        this.instance = producer("instance", hermes.producerProperties());
    }

    private static KafkaProducer<byte[], byte[]> producer(
            String name, Map<String, Object> properties) {
        Map<String, Object> all = new HashMap<>(properties);
        all.put("acks", "all");
        all.put("linger.ms", "5");
        all.put("max.request.size", "4000000");
        all.put("client.id", "quickstart-traffic-" + name);
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Who did not take a message, and why; null while all is well. */
    String failure() {
        return failure.get();
    }

    /** Stops sending at once and waits for nothing. For brokers that are gone. */
    void abandon() {
        stopping = true;
        local.close(Duration.ZERO);
        instance.close(Duration.ZERO);
    }

    /** Stops sending and waits for the acknowledgements of what was sent. */
    @Override
    public void close() {
        stopping = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        local.close();
        instance.close();
    }

    private void run() {
        long start = System.nanoTime();
        long made = 0;
        while (!stopping && failure.get() == null) {
            long due = (long) ((System.nanoTime() - start) / 1e9 * rate);
            for (; made < due && !stopping; made++) {
                send(flowOf((int) (made % Flow.SHARES)), maker::make);
            }
            LockSupport.parkNanos(TICK_NANOS);
        }
    }

    /**
     * Sends one that the topic of Hermes refuses for now. It is to arrive nevertheless.
     *
     * @param index of the flow
     */
    MessageId sendRefused(int index) {
        return send(index, maker::makeRefused);
    }

    private synchronized MessageId send(
            int index, BiFunction<Flow, MessageId, ProducerRecord<byte[], byte[]>> make) {
        Flow flow = Flow.ALL.get(index);
        Ledger ledger = books.of(index);
        int sequence = ledger.next();
        MessageId id = new MessageId(index, sequence);
        ProducerRecord<byte[], byte[]> message = make.apply(flow, id);
        ledger.announce(
                fingerprint.of(
                        message.timestamp(), message.key(), message.value(), message.headers()),
                MessageMaker.wanted(flow, message));
        if (flow.isFrom()) {
            // Which side has it is for the readers of both to say.
            instance.send(message, onSent("Hermes", metadata -> ledger.sent(sequence)));
        } else {
            local.send(
                    message,
                    onSent(
                            "the local Kafka",
                            metadata -> {
                                ledger.found(sequence, metadata.partition(), metadata.offset());
                                ledger.sent(sequence);
                            }));
        }
        return id;
    }

    private Callback onSent(String name, Consumer<RecordMetadata> action) {
        return (metadata, error) -> {
            if (error == null) {
                action.accept(metadata);
            } else {
                failure.compareAndSet(null, name + " did not take a message: " + error);
            }
        };
    }

    private static int flowOf(int turn) {
        int left = turn;
        int flow = 0;
        while (left >= Flow.ALL.get(flow).share()) {
            left -= Flow.ALL.get(flow).share();
            flow++;
        }
        return flow;
    }
}
