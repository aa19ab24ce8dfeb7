package dev.streamconnect.sandbox.broker;

/**
 * A listener that clients reach through the gateway.
 *
 * @param name Kafka's listener name
 * @param port the broker's own port, behind the gateway
 * @param advertisedPort the gateway's port that the broker tells its clients
 * @param tls whether it asks for a client certificate, or is plain text
 */
public record PublicListener(String name, int port, int advertisedPort, boolean tls) {

    PublicListener advertising(int other) {
        return new PublicListener(name, port, other, tls);
    }
}
