package dev.streamconnect.camel.replication;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.TlsOptions;
import dev.streamconnect.cluster.TlsStore;
import dev.streamconnect.cluster.WatchedTls;
import dev.streamconnect.record.KafkaConnection;
import dev.streamconnect.record.Secret;
import dev.streamconnect.record.SslCredentials;
import dev.streamconnect.record.StoreSource;
import java.time.Clock;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client settings of the customer's clusters; each connection's stores are opened once.
 * Thread-safe.
 */
final class CustomerConnections {

    private static final Logger LOG = LoggerFactory.getLogger(CustomerConnections.class);

    private final Map<KafkaConnection, Map<String, Object>> properties = new ConcurrentHashMap<>();
    private final Function<TlsOptions, WatchedTls> stores;

    CustomerConnections() {
        this(options -> WatchedTls.open(options, Clock.systemUTC()));
    }

    /**
     * @param stores opens the stores of a connection; an {@link IllegalArgumentException} of it is
     *     told with the connection's id
     */
    CustomerConnections(Function<TlsOptions, WatchedTls> stores) {
        this.stores = stores;
    }

    /**
     * Settings for one use of a connection.
     *
     * @param groupId null to write only
     * @throws IllegalArgumentException if a store or password is wrong; one line with connection
     *     and field
     */
    ConnectionSettings settings(KafkaConnection connection, String groupId) {
        return new ConnectionSettings(
                connection.id(),
                ClientRole.CUSTOMER,
                connection.bootstrapServers(),
                groupId,
                properties.computeIfAbsent(connection, this::properties));
    }

    /** Forgets the settings of all other connections. */
    void retain(Collection<KafkaConnection> connections) {
        properties.keySet().retainAll(connections);
    }

    private Map<String, Object> properties(KafkaConnection connection) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("security.protocol", connection.securityProtocol());
        connection.ssl().ifPresent(ssl -> all.putAll(tls(connection.id(), ssl)));
        connection
                .sasl()
                .ifPresent(
                        sasl -> {
                            all.put("sasl.mechanism", sasl.mechanism().mechanism());
                            all.put("sasl.jaas.config", sasl.jaasConfig().reveal());
                        });
        all.putAll(connection.properties());
        WatchedTls.yieldTo(all, connection.properties());
        return Map.copyOf(all);
    }

    private Map<String, Object> tls(String id, SslCredentials ssl) {
        Map<String, Object> opened;
        try {
            opened =
                    stores.apply(
                                    new TlsOptions(
                                            ssl.keystore()
                                                    .map(store -> store("ssl.keystore", store))
                                                    .orElse(null),
                                            "ssl.keyPassword",
                                            ssl.keyPassword().map(Secret::reveal).orElse(null),
                                            ssl.truststore()
                                                    .map(store -> store("ssl.truststore", store))
                                                    .orElse(null),
                                            !ssl.disableHostNameVerification(),
                                            ssl.provider().orElse(null)))
                            .properties();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("connection '" + id + "': " + e.getMessage());
        }
        if (ssl.disableHostNameVerification()) {
            LOG.warn(
                    "connection {}: ssl.disableHostNameVerification=true: a broker's certificate is taken whatever"
                            + " host it names, so a machine in between can read and change messages",
                    id);
        }
        return opened;
    }

    private static TlsStore store(String field, StoreSource source) {
        String password = source.password().map(Secret::reveal).orElse(null);
        String passwordField = field + ".password";
        return source.base64()
                .map(
                        content ->
                                new TlsStore(
                                        field,
                                        passwordField,
                                        null,
                                        Base64.getMimeDecoder().decode(content.reveal()),
                                        password))
                .orElseGet(
                        () ->
                                TlsStore.file(
                                        field,
                                        passwordField,
                                        source.location().orElse(""),
                                        password));
    }
}
