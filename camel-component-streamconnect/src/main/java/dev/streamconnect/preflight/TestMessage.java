package dev.streamconnect.preflight;

import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.KafkaClients;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;

/**
 * Sends one message to a topic, as a replication would. It stays there: a topic's readers see it.
 */
final class TestMessage {

    /** Key of the message. */
    static final String KEY = "streamconnect-preflight";

    private final ConnectionSettings settings;
    private final Duration limit;

    TestMessage(ConnectionSettings settings, Duration limit) {
        this.settings = settings;
        this.limit = limit;
    }

    Verdict send(String topic, Instant now) {
        long began = System.nanoTime();
        try (Closing producer = new Closing(KafkaClients.producer(settings, KEY, cluster -> {}))) {
            RecordMetadata stored =
                    producer.client()
                            .send(
                                    new ProducerRecord<>(
                                            topic, bytes(KEY), bytes("test message of " + now)))
                            .get(limit.toMillis(), TimeUnit.MILLISECONDS);
            String found =
                    "acknowledged in "
                            + (System.nanoTime() - began) / 1_000_000
                            + " ms: partition "
                            + stored.partition()
                            + ", offset "
                            + stored.offset();
            return verdict(found, ClockDifference.of(stored.timestamp(), now));
        } catch (ExecutionException e) {
            return refused(
                    e.getCause() instanceof KafkaException told
                            ? ClusterClient.said(told)
                            : e.getCause().getClass().getSimpleName());
        } catch (TimeoutException e) {
            return refused("not acknowledged within " + limit.toSeconds() + " s");
        } catch (KafkaException e) {
            return refused(ClusterClient.said(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Verdict.skipped("interrupted");
        }
    }

    /**
     * @param broker of the message's timestamp, which the broker sets where the topic has {@code
     *     LogAppendTime}
     */
    private static Verdict verdict(String found, ClockDifference broker) {
        return broker.isWrong()
                ? Verdict.warn(
                        found
                                + "; the broker's clock is "
                                + broker
                                + (broker.isAhead() ? " ahead of" : " behind")
                                + " this machine's",
                        "correct the clock of this machine, or of the broker")
                : Verdict.ok(found);
    }

    private static Verdict refused(String found) {
        return Verdict.fail(found, "mend what the cluster names; the message may have been stored");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Ends the client at once: nothing is to be sent later. */
    private record Closing(Producer<byte[], byte[]> client) implements AutoCloseable {
        @Override
        public void close() {
            client.close(Duration.ZERO);
        }
    }
}
