package dev.streamconnect.cluster;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** One of the two clusters of a Hermes pair. */
public enum Side {
    /** Cluster A, read through the first consumer ports. */
    A(Role.CONSUMER_A),
    /** Cluster B, read through the second consumer ports. */
    B(Role.CONSUMER_B);

    private final Role role;

    Side(Role role) {
        this.role = role;
    }

    /** The consumer role that reads this side, never null. */
    public Role role() {
        return role;
    }

    /** The other one of the pair, never null. */
    public Side other() {
        return this == A ? B : A;
    }

    /**
     * Reads the option {@code sides}.
     *
     * @param text {@code AB}, {@code A} or {@code B}
     * @return the sides, unmodifiable, never empty
     * @throws IllegalArgumentException for any other text, with reason and mend in one line
     */
    public static Set<Side> parse(String text) {
        String value = text == null ? "" : text.strip();
        if (value.equals("AB") || value.equals("A,B")) {
            return Collections.unmodifiableSet(EnumSet.allOf(Side.class));
        }
        if (value.equals("A") || value.equals("B")) {
            return Set.of(Side.valueOf(value));
        }
        throw new IllegalArgumentException(
                "sides: '"
                        + value
                        + "' is none of AB (both, the default), A and B; use one of them");
    }
}
