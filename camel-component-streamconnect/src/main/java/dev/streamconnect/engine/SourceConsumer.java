package dev.streamconnect.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Kafka consumer of a source client, built anew when it is lost, and the wake-ups of its poll.
 *
 * <p>Threads: the poll thread only, but for {@link #wake}, and {@link #get} for the consumer's
 * metrics.
 */
final class SourceConsumer {

    private static final Logger LOG = LoggerFactory.getLogger(SourceConsumer.class);

    private static final Duration POLL = Duration.ofMillis(200);

    private final Supplier<Consumer<byte[], byte[]>> consumers;
    private final AtomicBoolean wakeWanted = new AtomicBoolean();
    private volatile boolean polling;
    private volatile Consumer<byte[], byte[]> consumer;

    SourceConsumer(Supplier<Consumer<byte[], byte[]>> consumers) {
        this.consumers = consumers;
    }

    /** Null before it is built, and in an outage as long as nothing answers. */
    Consumer<byte[], byte[]> get() {
        return consumer;
    }

    /** Throws what the client library throws; then there is none as before. */
    Consumer<byte[], byte[]> build() {
        consumer = consumers.get();
        return consumer;
    }

    /**
     * Polls for a short time.
     *
     * @param atOnce what is there already, without waiting
     * @param paceNanos so long nothing may be read, and then something may; 0 for no such limit
     */
    ConsumerRecords<byte[], byte[]> poll(boolean atOnce, long paceNanos) {
        polling = true;
        Duration most =
                paceNanos > 0 && paceNanos < POLL.toNanos() ? Duration.ofNanos(paceNanos) : POLL;
        try {
            return consumer.poll(wakeWanted.getAndSet(false) || atOnce ? Duration.ZERO : most);
        } finally {
            polling = false;
        }
    }

    /** Lets the poll thread look at what is asked of it; from any thread, never blocks. */
    void wake() {
        if (!wakeWanted.getAndSet(true) && polling) {
            consumer.wakeup();
        }
    }

    /** A wakeup that was meant for the poll must not break another call. */
    static void unwoken(Runnable call) {
        try {
            call.run();
        } catch (WakeupException e) {
            call.run();
        }
    }

    /** Ends the present one, if there is one, without its group being told. */
    void drop() {
        Consumer<byte[], byte[]> old = consumer;
        consumer = null;
        close(old, Duration.ZERO);
    }

    /**
     * Ends it for good.
     *
     * @param limit how long that may take
     */
    void close(Duration limit) {
        close(consumer, limit);
    }

    private static void close(Consumer<byte[], byte[]> old, Duration limit) {
        if (old == null) {
            return;
        }
        try {
            unwoken(() -> old.close(limit));
        } catch (RuntimeException e) {
            LOG.debug("closing a consumer", e);
        }
    }
}
