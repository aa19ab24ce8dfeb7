package dev.streamconnect.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Resolves the placeholders of a value; a failure names them and never their values. */
final class Placeholders {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([^{}]*)}}");

    /** Functions of Camel whose names are followed by what they look up, and ours. */
    private static final String FUNCTIONS =
            "env|sys|service(\\.host|\\.port)?|bean|aws|azure|gcp|hashicorp|ibm|cyberark|vault"
                    + "|(configmap|secret)(-binary)?|secretFile";

    private final UnaryOperator<String> resolver;

    Placeholders(UnaryOperator<String> resolver) {
        this.resolver = resolver;
    }

    /** Whether a text says what to take where a placeholder can't be resolved. */
    static boolean hasDefault(String text) {
        return PLACEHOLDER
                .matcher(text)
                .results()
                .map(found -> found.group(1).split(":", 3))
                .anyMatch(
                        parts ->
                                parts[0].matches("env|sys")
                                        ? parts.length > 2
                                        : parts.length > 1 && !parts[0].matches(FUNCTIONS));
    }

    record Result(String text, Optional<String> fault) {}

    static boolean in(String text) {
        return text.contains("{{");
    }

    Result resolve(String text) {
        String value;
        try {
            value = resolver.apply(text);
        } catch (RuntimeException e) {
            return fault(text);
        }
        return value == null ? fault(text) : new Result(value, Optional.empty());
    }

    private static Result fault(String text) {
        List<String> names = new ArrayList<>();
        Matcher matcher = PLACEHOLDER.matcher(text);
        while (matcher.find()) {
            names.add("{{" + Texts.shown(name(matcher.group(1))) + "}}");
        }
        String what =
                names.isEmpty()
                        ? "'{{' without its '}}'; close the placeholder"
                        : "cannot resolve "
                                + String.join(", ", names)
                                + "; define the property, or give it a default after ':'";
        return new Result(text, Optional.of(what));
    }

    // What follows the second colon of env:NAME:default, or the first of name:default, may be
    // secret.
    private static String name(String inner) {
        String[] parts = inner.split(":", 3);
        boolean function = parts.length > 1 && parts[0].matches(FUNCTIONS);
        return function ? parts[0] + ":" + parts[1] : parts[0];
    }
}
