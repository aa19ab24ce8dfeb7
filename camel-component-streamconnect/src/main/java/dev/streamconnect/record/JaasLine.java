package dev.streamconnect.record;

import dev.streamconnect.cluster.JaasOptions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A JAAS line with variables such as {@code ${password}}, as Kafka's clients take it. */
final class JaasLine {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)}");

    /** Comes back whole only from inside of double quotes. */
    private static final String AWKWARD = "a b;c=\"d\\e\n";

    private JaasLine() {}

    /** The line with the values of its variables put in, escaped; other variables stay. */
    static Secret of(Secret template, Map<String, String> values) {
        return Secret.of(
                VARIABLE.matcher(template.reveal())
                        .replaceAll(
                                found -> {
                                    String value = values.get(found.group(1));
                                    return Matcher.quoteReplacement(
                                            value == null ? found.group() : escaped(value));
                                }));
    }

    /**
     * What is wrong with a line without variables.
     *
     * @return a fault and its mend in words, never a piece of the line; empty if there is none
     */
    static Optional<String> fault(Secret line) {
        try {
            JaasOptions.values(line.reveal());
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(
                    "is no JAAS line; write '<login module> required name=\"value\" ...;' with one login module"
                            + " that is allowed");
        }
    }

    /** The same for a template of which the variables are known. */
    static Optional<String> templateFault(Secret template, Set<String> variables) {
        Map<String, String> values =
                variables.stream().collect(Collectors.toMap(name -> name, name -> AWKWARD));
        Secret line = of(template, values);
        Matcher unknown = VARIABLE.matcher(line.reveal());
        if (unknown.find()) {
            return Optional.of(
                    "has a variable that is not known; use ${"
                            + String.join("}, ${", new TreeSet<>(variables))
                            + "}");
        }
        boolean quoted;
        try {
            long written = VARIABLE.matcher(template.reveal()).results().count();
            long read =
                    JaasOptions.values(line.reveal()).stream()
                            .mapToLong(value -> occurrences(String.valueOf(value)))
                            .sum();
            quoted = written == read;
        } catch (IllegalArgumentException e) {
            quoted = false;
        }
        if (quoted) {
            return Optional.empty();
        }
        return Optional.of(
                fault(of(template, Map.of()))
                        .orElse("has a variable outside of double quotes; write name=\"${...}\""));
    }

    private static long occurrences(String value) {
        return (value.length() - value.replace(AWKWARD, "").length()) / AWKWARD.length();
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }
}
