package dev.streamconnect.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.SaslConfigs;

/**
 * How to reach one Kafka cluster, or one role of the Hermes pair.
 *
 * @param cluster name for people and client ids, for example {@code plant}, {@code hermes}
 * @param role which part of the pair, or {@link ClientRole#CUSTOMER}
 * @param bootstrapServers {@code host:port,...}
 * @param groupId consumer group; null where nothing is read
 * @param properties security and additional client properties; may hold secrets, never logged
 */
public record ConnectionSettings(
        String cluster,
        ClientRole role,
        String bootstrapServers,
        String groupId,
        Map<String, Object> properties) {

    public ConnectionSettings {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(bootstrapServers, "bootstrapServers");
        properties = Map.copyOf(properties);
    }

    /** Cluster, role and address, for people: {@code hermes producer (localhost:4000)}. */
    public String displayName() {
        return role == ClientRole.CUSTOMER
                ? cluster + " (" + bootstrapServers + ")"
                : cluster + " " + role.label() + " (" + bootstrapServers + ")";
    }

    /** The options that say who the client is to a broker with SASL, for people. */
    public String loginOptions() {
        return "OAUTHBEARER".equals(properties.get(SaslConfigs.SASL_MECHANISM))
                ? "sasl.clientId, sasl.clientSecret or sasl.scope"
                : "sasl.username or sasl.password";
    }

    /** The same with other properties. */
    public ConnectionSettings with(Map<String, Object> otherProperties) {
        return new ConnectionSettings(cluster, role, bootstrapServers, groupId, otherProperties);
    }

    /**
     * The certificate and stores that its clients follow; null for none, or stores of the user's.
     */
    public WatchedTls tls() {
        return (WatchedTls) properties.get(WatchedTls.PROPERTY);
    }

    /** The same, and its producers write without idempotence. */
    public ConnectionSettings withoutIdempotence() {
        Map<String, Object> others = new HashMap<>(properties);
        others.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
        return with(others);
    }

    /** The same with other TLS material. */
    public ConnectionSettings with(TlsMaterial material) {
        Map<String, Object> others = new HashMap<>(properties);
        others.put(WatchedTls.PROPERTY, WatchedTls.fixed(material));
        return new ConnectionSettings(cluster, role, bootstrapServers, groupId, others);
    }

    /** Names the properties, never their values. */
    @Override
    public String toString() {
        return displayName()
                + " group="
                + groupId
                + " properties="
                + new TreeSet<>(properties.keySet());
    }
}
