package dev.streamconnect.record;

import java.util.Optional;
import java.util.regex.Pattern;

/** The rules for ids and names that records give themselves: reason with mend, or none. */
final class Named {

    /**
     * Group ids derive from a connection's id and an instance's name, and must stay short enough.
     */
    static final int MAX_CONNECTION_ID = 100;

    static final int MAX_ID = 200;
    static final int MAX_NAME = 100;

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]+");

    private Named() {}

    static Optional<String> id(String id, int longest) {
        if (id.isEmpty()) {
            return Optional.of("is empty; give it a value");
        }
        if (!ID.matcher(id).matches()) {
            return Optional.of(
                    Texts.quote(id) + " may hold only letters, digits, '_' and '-'; rename it");
        }
        if (id.length() > longest) {
            return Optional.of("has " + id.length() + " characters; use " + longest + " at most");
        }
        return Optional.empty();
    }

    static Optional<String> name(String name) {
        if (name.isBlank() || !name.equals(name.strip())) {
            return Optional.of("is blank or has white space around it; give it a plain name");
        }
        if (name.codePoints().anyMatch(Character::isISOControl)) {
            return Optional.of("holds a control character or more than one line; use one line");
        }
        if (name.length() > MAX_NAME) {
            return Optional.of(
                    "has " + name.length() + " characters; use " + MAX_NAME + " at most");
        }
        return Optional.empty();
    }
}
