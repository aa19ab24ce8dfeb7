package dev.streamconnect.record;

import dev.streamconnect.cluster.GroupNames;
import dev.streamconnect.cluster.HermesInstance;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How to reach one Kafka cluster of the customer.
 *
 * @param id unique and never changed: group ids derive from it
 * @param bootstrapServers {@code host:port}, more of them with commas
 * @param consumerGroupId group at this cluster; see {@link #groupId}
 * @param properties further client properties; they win over what is derived. Unmodifiable. They
 *     may hold passwords, so {@link #toString} shows their names only
 * @param credential id of the credential that ssl, sasl and some of the properties come from; empty
 *     if they are the connection's own
 * @param ssl TLS, if the cluster wants it
 * @param sasl SASL, if the cluster wants it
 */
public record KafkaConnection(
        String id,
        String bootstrapServers,
        Optional<String> consumerGroupId,
        Map<String, String> properties,
        Optional<String> credential,
        Optional<SslCredentials> ssl,
        Optional<SaslCredentials> sasl) {

    public KafkaConnection {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(bootstrapServers, "bootstrapServers");
        Objects.requireNonNull(consumerGroupId, "consumerGroupId");
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        Objects.requireNonNull(credential, "credential");
        Objects.requireNonNull(ssl, "ssl");
        Objects.requireNonNull(sasl, "sasl");
    }

    /** A connection without credentials and options. */
    public static KafkaConnection plain(String id, String bootstrapServers) {
        return new KafkaConnection(
                id,
                bootstrapServers,
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** The same with a credential's TLS, SASL and properties; its own properties win. */
    KafkaConnection with(KafkaCredential given) {
        Map<String, String> all = new LinkedHashMap<>(given.properties());
        all.putAll(properties);
        return new KafkaConnection(
                id,
                bootstrapServers,
                consumerGroupId,
                all,
                Optional.of(given.id()),
                given.ssl(),
                given.sasl());
    }

    /** For people: the id, with that of its credential. */
    public String displayName() {
        return "connection '"
                + id
                + "'"
                + credential.map(given -> " (credential '" + given + "')").orElse("");
    }

    /** The group at this cluster: the given one or {@code <instance>-consumer-<id>}. */
    public String groupId(HermesInstance instance) {
        return consumerGroupId.orElseGet(() -> GroupNames.customer(instance, id));
    }

    /** The {@code security.protocol} that the credentials ask for. */
    public String securityProtocol() {
        if (sasl.isPresent()) {
            return ssl.isPresent() ? "SASL_SSL" : "SASL_PLAINTEXT";
        }
        return ssl.isPresent() ? "SSL" : "PLAINTEXT";
    }

    @Override
    public String toString() {
        return "KafkaConnection[id="
                + id
                + ", bootstrapServers="
                + bootstrapServers
                + ", consumerGroupId="
                + consumerGroupId
                + ", properties="
                + properties.keySet()
                + ", credential="
                + credential
                + ", ssl="
                + ssl
                + ", sasl="
                + sasl
                + "]";
    }
}
