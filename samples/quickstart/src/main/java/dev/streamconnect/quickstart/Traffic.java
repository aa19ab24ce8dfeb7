package dev.streamconnect.quickstart;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends to the local Kafka at a steady rate, with a plain producer, on a thread of its own. */
final class Traffic implements AutoCloseable {

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final KafkaProducer<byte[], byte[]> producer;
    private final MessageMaker maker = new MessageMaker(Clock.systemUTC());
    private final Fingerprint fingerprint = new Fingerprint();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final Books books;
    private final int rate;
    private final Thread thread = new Thread(this::run, "traffic");
    private volatile boolean stopping;

    /**
     * @param rate messages a second
     */
    Traffic(String bootstrapServers, Books books, int rate) {
        this.books = books;
        this.rate = rate;
        this.producer =
                new KafkaProducer<>(
                        Map.of(
                                "bootstrap.servers", bootstrapServers,
                                "acks", "all",
                                "linger.ms", "5",
                                "max.request.size", "4000000",
                                "client.id", "quickstart-traffic"),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Why the local Kafka did not take a message; null while all is well. */
    Exception failure() {
        return failure.get();
    }

    /** Stops sending at once and waits for nothing. For a local Kafka that is gone. */
    void abandon() {
        stopping = true;
        producer.close(Duration.ZERO);
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
        producer.close();
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
        producer.send(
                message,
                (metadata, error) -> {
                    if (error == null) {
                        ledger.sent(sequence, metadata.partition(), metadata.offset());
                    } else {
                        failure.compareAndSet(null, error);
                    }
                });
        return id;
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
