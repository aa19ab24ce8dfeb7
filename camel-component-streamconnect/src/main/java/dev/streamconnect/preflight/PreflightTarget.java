package dev.streamconnect.preflight;

import dev.streamconnect.cluster.ConnectionSettings;
import java.util.List;
import java.util.Objects;

/**
 * One side of one connection to look at.
 *
 * @param settings addresses and security; its group is not used
 * @param hermes what holds at Hermes; null for a customer's Kafka
 * @param storeFault why the stores of the connection cannot be used, one line; null if they can
 * @param topics what is read and written there, unmodifiable
 * @param groups the consumer groups that read there, unmodifiable
 */
public record PreflightTarget(
        ConnectionSettings settings,
        HermesRules hermes,
        String storeFault,
        List<TopicUse> topics,
        List<String> groups) {

    public PreflightTarget {
        Objects.requireNonNull(settings, "settings");
        topics = List.copyOf(topics);
        groups = List.copyOf(groups);
    }

    /** True if the connection has TLS. */
    boolean isTls() {
        return protocol().endsWith("SSL");
    }

    /** True if it has a user name and a password. */
    boolean isSasl() {
        return protocol().startsWith("SASL_");
    }

    private String protocol() {
        Object protocol = settings.properties().get("security.protocol");
        return protocol == null ? "PLAINTEXT" : String.valueOf(protocol).strip();
    }
}
