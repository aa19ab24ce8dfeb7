package dev.streamconnect.cluster;

import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.SslConfigs;

/** Says which of a user's own client properties is wrong where Kafka's client opens no store. */
public final class StoreProperties {

    private StoreProperties() {}

    /**
     * Looks at stores that client properties name.
     *
     * @param settings of a connection whose client could not be built
     * @return one line with the property, the reason and the mend, without a secret; empty if they
     *     name none, or nothing is wrong with them
     */
    public static Optional<String> fault(ConnectionSettings settings) {
        Map<String, Object> properties = settings.properties();
        if (settings.tls() != null) {
            return Optional.empty();
        }
        try {
            TlsMaterial.loadOfAnyTime(
                    new TlsOptions(
                            store(
                                    properties,
                                    SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG,
                                    SslConfigs.SSL_KEYSTORE_PASSWORD_CONFIG),
                            label(SslConfigs.SSL_KEY_PASSWORD_CONFIG),
                            text(properties, SslConfigs.SSL_KEY_PASSWORD_CONFIG),
                            store(
                                    properties,
                                    SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG,
                                    SslConfigs.SSL_TRUSTSTORE_PASSWORD_CONFIG),
                            true,
                            null));
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static TlsStore store(
            Map<String, Object> properties, String location, String password) {
        String path = text(properties, location);
        return path == null
                ? null
                : new TlsStore(
                        label(location), label(password), path, null, text(properties, password));
    }

    private static String label(String property) {
        return "properties: " + property;
    }

    private static String text(Map<String, Object> properties, String name) {
        Object value = properties.get(name);
        return value == null ? null : value.toString();
    }
}
