package dev.streamconnect.record;

import java.util.Objects;

/** A text that no log, message or console may show: {@link #toString} is always {@code ***}. */
public final class Secret {

    private final String value;

    private Secret(String value) {
        this.value = value;
    }

    /** Wraps a text, never null. */
    public static Secret of(String value) {
        return new Secret(Objects.requireNonNull(value, "value"));
    }

    /** The text itself, only to be handed to a client. */
    public String reveal() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret && ((Secret) other).value.equals(value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return "***";
    }
}
