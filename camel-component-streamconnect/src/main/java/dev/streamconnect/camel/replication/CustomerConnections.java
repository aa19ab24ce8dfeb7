package dev.streamconnect.camel.replication;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.TlsOptions;
import dev.streamconnect.cluster.TlsStore;
import dev.streamconnect.cluster.TokenLogin;
import dev.streamconnect.cluster.WatchedTls;
import dev.streamconnect.record.KafkaConnection;
import dev.streamconnect.record.SaslCredentials;
import dev.streamconnect.record.Secret;
import dev.streamconnect.record.SslCredentials;
import dev.streamconnect.record.StoreSource;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.SaslConfigs;
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
        connection.ssl().ifPresent(ssl -> all.putAll(tls(connection, ssl)));
        connection.sasl().ifPresent(sasl -> all.putAll(sasl(sasl)));
        all.putAll(connection.properties());
        WatchedTls.yieldTo(all, connection.properties());
        warn(connection, all);
        return Map.copyOf(all);
    }

    private static Map<String, Object> sasl(SaslCredentials sasl) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put(SaslConfigs.SASL_MECHANISM, sasl.mechanism().mechanism());
        all.put(SaslConfigs.SASL_JAAS_CONFIG, sasl.jaasConfig().reveal());
        if (sasl instanceof SaslCredentials.Client client) {
            all.put(
                    SaslConfigs.SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL,
                    client.tokenEndpointUrl().strip());
            all.put(SaslConfigs.SASL_LOGIN_CALLBACK_HANDLER_CLASS, TokenLogin.class);
        }
        return all;
    }

    private Map<String, Object> tls(KafkaConnection connection, SslCredentials ssl) {
        try {
            return stores.apply(
                            new TlsOptions(
                                    ssl.keystore().map(s -> store("keystore", s)).orElse(null),
                                    "ssl.keyPassword",
                                    ssl.keyPassword().map(Secret::reveal).orElse(null),
                                    ssl.truststore().map(s -> store("truststore", s)).orElse(null),
                                    !ssl.disableHostNameVerification(),
                                    ssl.provider().orElse(null)))
                    .properties();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(connection.displayName() + ": " + e.getMessage());
        }
    }

    private static void warn(KafkaConnection connection, Map<String, Object> properties) {
        warnOfType(connection, "keystore", connection.ssl().flatMap(SslCredentials::keystore));
        warnOfType(connection, "truststore", connection.ssl().flatMap(SslCredentials::truststore));
        if (connection.ssl().filter(SslCredentials::disableHostNameVerification).isPresent()) {
            LOG.warn(
                    "{}: ssl.disableHostNameVerification=true: a broker's certificate is taken whatever"
                            + " host it names, so a machine in between can read and change messages",
                    connection.displayName());
        }
        String protocol =
                String.valueOf(properties.get(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG));
        if (protocol.equals("SASL_PLAINTEXT")
                && connection.sasl().filter(sasl -> sasl.mechanism().showsSecret()).isPresent()) {
            LOG.warn(
                    "{}: sasl.mechanism={} without ssl: who listens in between can read the secret",
                    connection.displayName(),
                    connection.sasl().orElseThrow().mechanism().mechanism());
        }
    }

    private static TlsStore store(String kind, StoreSource source) {
        String password = source.password().map(Secret::reveal).orElse(null);
        String field = "ssl." + kind;
        return source.location().isPresent()
                ? TlsStore.file(
                        field + "Location", field + "Password", source.location().get(), password)
                : new TlsStore(
                        field + (source.pem().isPresent() ? "Pem" : "Base64"),
                        field + "Password",
                        null,
                        content(source),
                        password);
    }

    private static void warnOfType(
            KafkaConnection connection, String kind, Optional<StoreSource> source) {
        source.flatMap(StoreSource::type)
                .ifPresent(
                        type -> {
                            TlsStore store = store(kind, source.orElseThrow());
                            String detected = detectedType(store).orElse(type);
                            if (!type.equalsIgnoreCase(detected)) {
                                LOG.warn(
                                        "{}: ssl.{}Type: says {}, but {} is {} and is taken as that; correct the"
                                                + " field or leave it out",
                                        connection.displayName(),
                                        kind,
                                        type,
                                        store.place(),
                                        detected);
                            }
                        });
    }

    /** Empty where it can't be told: whoever opens the store says why. */
    private static Optional<String> detectedType(TlsStore store) {
        try {
            return Optional.of(store.detectedType());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static byte[] content(StoreSource source) {
        return source.pem()
                .map(pem -> pem.reveal().getBytes(StandardCharsets.UTF_8))
                .orElseGet(
                        () ->
                                Base64.getMimeDecoder()
                                        .decode(source.base64().map(Secret::reveal).orElse("")));
    }
}
