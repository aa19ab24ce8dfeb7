package dev.streamconnect.sandbox.control;

import dev.streamconnect.sandbox.SandboxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The query of a control request. Each fault is a {@link SandboxException} that names the
 * parameter.
 */
final class Parameters {

    private final Map<String, String> values;

    private Parameters(Map<String, String> values) {
        this.values = values;
    }

    /**
     * @param query as in the address, still encoded; null for none
     */
    static Parameters parse(String query, Set<String> known) {
        Map<String, String> values = new LinkedHashMap<>();
        if (query != null && !query.isEmpty()) {
            for (String pair : query.split("&")) {
                String[] parts = pair.split("=", 2);
                String name = decoded(parts[0]);
                if (!known.contains(name)) {
                    throw new SandboxException(
                            "parameter '" + name + "' is unknown here; known: " + sorted(known));
                }
                values.put(name, parts.length == 2 ? decoded(parts[1]) : "");
            }
        }
        return new Parameters(values);
    }

    Optional<String> optional(String name) {
        return Optional.ofNullable(values.get(name)).filter(value -> !value.isEmpty());
    }

    String required(String name) {
        return optional(name)
                .orElseThrow(() -> new SandboxException("parameter '" + name + "' is missing"));
    }

    OptionalInt optionalNumber(String name) {
        return optional(name)
                .map(value -> OptionalInt.of((int) number(name, value, 0, Integer.MAX_VALUE)))
                .orElse(OptionalInt.empty());
    }

    long number(String name, long otherwise, long lowest, long highest) {
        return optional(name).map(value -> number(name, value, lowest, highest)).orElse(otherwise);
    }

    /** One of an enum's constants, without regard to case. */
    <E extends Enum<E>> E choice(String name, Class<E> type, E otherwise) {
        return choice(name, type, Enum::name, otherwise);
    }

    <E extends Enum<E>> E choice(
            String name, Class<E> type, Function<E, String> word, E otherwise) {
        return choice(name, List.of(type.getEnumConstants()), word, otherwise);
    }

    /** One of these, by their words, without regard to case. */
    <E> E choice(String name, List<E> constants, Function<E, String> word, E otherwise) {
        if (otherwise != null && optional(name).isEmpty()) {
            return otherwise;
        }
        String value = required(name);
        return constants.stream()
                .filter(constant -> word.apply(constant).equalsIgnoreCase(value))
                .findFirst()
                .orElseThrow(
                        () ->
                                new SandboxException(
                                        name
                                                + " is '"
                                                + value
                                                + "', expected one of "
                                                + constants.stream()
                                                        .map(word)
                                                        .collect(Collectors.joining(", "))));
    }

    /** A list {@code k=v;k=v}. */
    Map<String, String> map(String name) {
        Map<String, String> map = new LinkedHashMap<>();
        for (String entry : optional(name).map(text -> text.split(";")).orElse(new String[0])) {
            String[] parts = entry.split("=", 2);
            map.put(parts[0].strip(), parts.length == 2 ? parts[1].strip() : "");
        }
        return map;
    }

    private static long number(String name, String value, long lowest, long highest) {
        try {
            long number = Long.parseLong(value);
            if (number >= lowest && number <= highest) {
                return number;
            }
        } catch (NumberFormatException e) {
            // falls through to the message for both faults
        }
        throw new SandboxException(
                "%s is '%s', expected a number from %d to %d"
                        .formatted(name, value, lowest, highest));
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new SandboxException("the query cannot be decoded: " + e.getMessage());
        }
    }

    private static String sorted(Set<String> names) {
        return names.isEmpty() ? "none" : names.stream().sorted().collect(Collectors.joining(", "));
    }
}
