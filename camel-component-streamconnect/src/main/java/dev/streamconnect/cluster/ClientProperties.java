package dev.streamconnect.cluster;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** Judges client properties that users write as Kafka's own clients would, and without a client. */
public final class ClientProperties {

    private static final List<ConfigDef> CLIENTS =
            List.of(
                    ProducerConfig.configDef(),
                    ConsumerConfig.configDef(),
                    AdminClientConfig.configDef());

    private static final Set<String> KNOWN = known();

    /** What the engine itself tells its clients. */
    private static final String OWN = "streamconnect.";

    /** Classes of the user's that may have properties of their own. */
    private static final Set<String> PLUGINS =
            Set.of(
                    "interceptor.classes",
                    "metric.reporters",
                    "partitioner.class",
                    "security.providers",
                    "ssl.engine.factory.class",
                    "sasl.client.callback.handler.class",
                    "sasl.login.callback.handler.class",
                    "sasl.login.class");

    private ClientProperties() {}

    private static Set<String> known() {
        Set<String> names = new TreeSet<>();
        CLIENTS.forEach(client -> names.addAll(client.names()));
        return names;
    }

    /**
     * Why no client can be built with a value. Classes are not looked for, secrets not looked at.
     *
     * @return half a sentence; empty if it can, if no client knows the property, or if the engine
     *     sets it itself
     */
    public static Optional<String> fault(String name, Object value) {
        if (value == null || KafkaClients.MANAGED.contains(name)) {
            return Optional.empty();
        }
        for (ConfigDef client : CLIENTS) {
            ConfigDef.ConfigKey key = client.configKeys().get(name);
            if (key == null
                    || key.type == ConfigDef.Type.CLASS
                    || key.type == ConfigDef.Type.PASSWORD) {
                continue;
            }
            try {
                new ConfigDef().define(key).parse(Map.of(name, value));
            } catch (ConfigException e) {
                return Optional.of(
                        "has a value that Kafka's clients do not take: " + reason(name, e));
            }
        }
        return Optional.empty();
    }

    /** Kafka's words without the name, which stands in front of them already. */
    private static String reason(String name, ConfigException e) {
        return Causes.shortest(e)
                .replaceFirst("^ConfigException: ", "")
                .replace(" for configuration " + name, "");
    }

    /**
     * Finds what no client knows. Interceptors and other classes of the user's may have properties
     * of any name; then only what looks like a mistake is found.
     *
     * @param properties of one connection
     * @param name one of them
     * @return half a sentence, with the nearest names; empty if it is known, or may be
     */
    public static Optional<String> warning(Collection<String> properties, String name) {
        if (KNOWN.contains(name) || name.startsWith(OWN)) {
            return Optional.empty();
        }
        List<String> near = NearNames.of(name, KNOWN);
        if (near.isEmpty() && properties.stream().anyMatch(PLUGINS::contains)) {
            return Optional.empty();
        }
        return Optional.of(
                "is known to no Kafka client and does nothing by itself"
                        + (near.isEmpty() ? "" : "; did you mean " + near.get(0) + "?"));
    }
}
