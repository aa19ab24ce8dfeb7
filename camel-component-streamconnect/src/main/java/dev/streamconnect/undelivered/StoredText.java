package dev.streamconnect.undelivered;

import java.nio.charset.StandardCharsets;

/** Texts of others, as a column that any database takes. */
final class StoredText {

    private static final int MAX_LENGTH = 2_000;

    private StoredText() {}

    /** Bounded, without the NUL that PostgreSQL refuses; empty for null. */
    static String of(String text) {
        if (text == null) {
            return "";
        }
        String bounded = text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "…" : text;
        return wellFormed(bounded.replace('\0', ' '));
    }

    /** Half a surrogate pair becomes a question mark: it is no UTF-8. */
    private static String wellFormed(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
