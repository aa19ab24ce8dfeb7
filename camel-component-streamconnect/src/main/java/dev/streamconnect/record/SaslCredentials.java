package dev.streamconnect.record;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * User name and password toward a customer's Kafka.
 *
 * @param mechanism never null
 * @param username never null
 * @param password never null
 * @param jaasTemplate JAAS line with {@code ${username}} and {@code ${password}} inside of double
 *     quotes; the mechanism's own if empty
 */
public record SaslCredentials(
        SaslMechanism mechanism, String username, Secret password, Optional<Secret> jaasTemplate) {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(username|password)}");

    public SaslCredentials {
        Objects.requireNonNull(mechanism, "mechanism");
        Objects.requireNonNull(username, "username");
        Objects.requireNonNull(password, "password");
        Objects.requireNonNull(jaasTemplate, "jaasTemplate");
    }

    /** The JAAS line with both put in; quotes and backslashes in them are escaped. */
    public Secret jaasConfig() {
        String template = jaasTemplate.map(Secret::reveal).orElseGet(mechanism::defaultTemplate);
        String line =
                VARIABLE.matcher(template)
                        .replaceAll(
                                found ->
                                        Matcher.quoteReplacement(
                                                escaped(
                                                        found.group(1).equals("username")
                                                                ? username
                                                                : password.reveal())));
        return Secret.of(line);
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
