package dev.streamconnect.record;

import java.util.Locale;
import java.util.Optional;

/** What is done with a message that was read from the other side of Hermes before. */
public enum Deduplicate {
    /** It is not looked for. */
    NONE,
    /** It is counted and handed out. */
    COUNT,
    /** It is counted and left out. */
    DROP;

    /** The one with this value in a records file. */
    public static Optional<Deduplicate> ofField(String text) {
        for (Deduplicate one : values()) {
            if (one.field().equals(text)) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }

    /** The value in a records file, such as {@code drop}. */
    public String field() {
        return name().toLowerCase(Locale.ROOT);
    }
}
