package dev.streamconnect.preflight;

import dev.streamconnect.cluster.Causes;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.KafkaClients;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;

/** Asks a cluster, with a limit for each question. */
final class ClusterClient implements AutoCloseable {

    private static final String CLIENT_ID = "streamconnect-preflight";

    private final Admin admin;
    private final Duration limit;

    ClusterClient(Admin admin, Duration limit) {
        this.admin = admin;
        this.limit = limit;
    }

    /**
     * Opens one.
     *
     * @throws KafkaException or IllegalArgumentException if the client refuses its settings
     */
    static ClusterClient open(ConnectionSettings settings, Duration limit) {
        return new ClusterClient(KafkaClients.admin(settings, CLIENT_ID), limit);
    }

    Admin admin() {
        return admin;
    }

    /**
     * The answer.
     *
     * @throws KafkaException what the cluster said, or that it did not answer in time
     */
    <T> T answer(KafkaFuture<T> future) {
        long began = System.nanoTime();
        try {
            return future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof org.apache.kafka.common.errors.TimeoutException) {
                throw new org.apache.kafka.common.errors.TimeoutException(
                        "no answer within "
                                + (System.nanoTime() - began + 500_000_000L) / 1_000_000_000L
                                + " s");
            }
            if (e.getCause() instanceof KafkaException told) {
                throw told;
            }
            throw new KafkaException(Causes.shortest(e), e.getCause());
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException(
                    "no answer within " + limit.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new org.apache.kafka.common.errors.InterruptException(e);
        }
    }

    /** The answer for one of several; a name that is not among them is a mistake. */
    <T> T answer(Map<String, KafkaFuture<T>> futures, String name) {
        return answer(futures.get(name));
    }

    /** One line for what the cluster said. */
    static String said(KafkaException e) {
        return e instanceof org.apache.kafka.common.errors.TimeoutException
                ? e.getMessage()
                : Causes.shortest(e);
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
