package dev.streamconnect.cluster;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;

/** Reads a JAAS line as Kafka's clients do. */
public final class JaasOptions {

    private JaasOptions() {}

    /**
     * Values of the options of the one login module that a line names.
     *
     * @throws IllegalArgumentException if Kafka's clients would not take the line; its text can
     *     hold pieces of the line, so it is for nobody's eyes
     */
    public static Collection<?> values(String line) {
        return options(line).values();
    }

    /** The user name that a line has; empty if it has none, or clients would not take the line. */
    public static Optional<String> user(String line) {
        try {
            return Optional.ofNullable(options(line).get("username")).map(String::valueOf);
        } catch (IllegalArgumentException e) {
            // Its text can hold pieces of the line.
            return Optional.empty();
        }
    }

    private static Map<String, ?> options(String line) {
        return JaasContext.loadClientContext(
                        Map.of(SaslConfigs.SASL_JAAS_CONFIG, new Password(line)))
                .configurationEntries()
                .get(0)
                .getOptions();
    }
}
