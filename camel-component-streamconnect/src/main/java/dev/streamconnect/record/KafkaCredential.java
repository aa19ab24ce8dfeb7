package dev.streamconnect.record;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What proves who we are to a customer's Kafka, for the connections that name it.
 *
 * @param id unique
 * @param properties further client properties; those of a connection win over them. Unmodifiable.
 *     They may hold passwords, so {@link #toString} shows their names only
 * @param ssl TLS, if the cluster wants it
 * @param sasl SASL, if the cluster wants it
 */
public record KafkaCredential(
        String id,
        Map<String, String> properties,
        Optional<SslCredentials> ssl,
        Optional<SaslCredentials> sasl) {

    public KafkaCredential {
        Objects.requireNonNull(id, "id");
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        Objects.requireNonNull(ssl, "ssl");
        Objects.requireNonNull(sasl, "sasl");
    }

    @Override
    public String toString() {
        return "KafkaCredential[id="
                + id
                + ", properties="
                + properties.keySet()
                + ", ssl="
                + ssl
                + ", sasl="
                + sasl
                + "]";
    }
}
