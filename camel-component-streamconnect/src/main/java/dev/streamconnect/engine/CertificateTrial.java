package dev.streamconnect.engine;

import dev.streamconnect.cluster.BrokerPing;
import dev.streamconnect.cluster.Causes;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.KafkaClients;
import dev.streamconnect.cluster.TlsMaterial;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.AuthenticationException;

/** Tells whether the brokers of a connection take TLS material, before its clients depend on it. */
@FunctionalInterface
interface CertificateTrial {

    /** How a trial ended. */
    enum Outcome {
        /** A broker answered a request. */
        TAKEN,
        /** A broker does not take the certificate, or its own is not trusted. */
        REFUSED,
        /** Nobody answered: nothing is known. */
        NO_ANSWER
    }

    /**
     * @param reason why it was refused, one line; empty otherwise
     */
    record Result(Outcome outcome, String reason) {}

    /** Asks one broker; blocks for some seconds at most. */
    Result of(ConnectionSettings settings, TlsMaterial material);

    /** A trial with an admin client of its own. */
    static CertificateTrial byAdmin(String clientId, Duration limit) {
        return (settings, material) -> {
            // A client that finds nobody logs each attempt.
            if (new BrokerPing(settings.bootstrapServers()).ask() == BrokerPing.Answer.NONE) {
                return new Result(Outcome.NO_ANSWER, "");
            }
            Admin admin = null;
            try {
                admin = KafkaClients.admin(settings.with(material), clientId);
                // TLS 1.3 tells a refusal after the handshake, with the first answer.
                admin.describeCluster().clusterId().get(limit.toMillis(), TimeUnit.MILLISECONDS);
                return new Result(Outcome.TAKEN, "");
            } catch (ExecutionException e) {
                return e.getCause() instanceof AuthenticationException
                        ? new Result(Outcome.REFUSED, Causes.shortest(e))
                        : new Result(Outcome.NO_ANSWER, "");
            } catch (TimeoutException | RuntimeException e) {
                return new Result(Outcome.NO_ANSWER, "");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return new Result(Outcome.NO_ANSWER, "");
            } finally {
                if (admin != null) {
                    admin.close(Duration.ZERO);
                }
            }
        };
    }
}
