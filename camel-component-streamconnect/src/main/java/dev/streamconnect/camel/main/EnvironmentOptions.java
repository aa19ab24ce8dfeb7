package dev.streamconnect.camel.main;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Options of our components from environment variables: {@code
 * CAMEL_COMPONENT_HERMES_KEYSTOREPASSWORD} and {@code CAMEL_COMPONENT_HERMES_KEYSTORE_PASSWORD} are
 * {@code camel.component.hermes.keystorePassword}. Camel's manual promises the same for every
 * component, but Camel 4.18 passes over all variables of this kind.
 */
final class EnvironmentOptions {

    private static final String PREFIX = "CAMEL_COMPONENT_";
    private static final List<String> COMPONENTS = List.of("hermes", "replication");

    private EnvironmentOptions() {}

    /**
     * Finds them.
     *
     * @param environment all variables of the process
     * @return value by full option name
     * @throws IllegalArgumentException if a variable names an option that there is not
     */
    static Map<String, String> of(Map<String, String> environment) {
        Map<String, String> found = new TreeMap<>();
        for (String component : COMPONENTS) {
            String prefix = PREFIX + component.toUpperCase(Locale.ROOT) + "_";
            environment.forEach(
                    (variable, value) -> {
                        if (variable.startsWith(prefix)) {
                            String option = option(component, variable, prefix);
                            found.put("camel.component." + component + "." + option, value);
                        }
                    });
        }
        return found;
    }

    private static String option(String component, String variable, String prefix) {
        String wanted = variable.substring(prefix.length()).replace("_", "");
        return options(component).stream()
                .filter(wanted::equalsIgnoreCase)
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "environment variable "
                                                + variable
                                                + ": there is no such option; correct its name"));
    }

    private static List<String> options(String component) {
        String catalog = "/META-INF/dev/streamconnect/camel/%1$s/%1$s.json".formatted(component);
        try (InputStream in = EnvironmentOptions.class.getResourceAsStream(catalog)) {
            List<String> names = new ArrayList<>();
            new ObjectMapper()
                    .readTree(in)
                    .get("componentProperties")
                    .fieldNames()
                    .forEachRemaining(names::add);
            return names;
        } catch (IOException e) {
            throw new IllegalStateException(catalog + " cannot be read", e);
        }
    }
}
