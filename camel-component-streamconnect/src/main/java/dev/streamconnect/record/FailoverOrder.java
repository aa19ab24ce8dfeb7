package dev.streamconnect.record;

import java.util.Optional;

/** What is handed out first where both sides of Hermes have messages, as after a fail-over. */
public enum FailoverOrder {
    /** Each side as it comes; a key may be out of order across the sides, which is counted. */
    FAST("fast"),
    /** The older side to its end, then the other one. */
    DRAIN_FIRST("drainFirst");

    private final String field;

    FailoverOrder(String field) {
        this.field = field;
    }

    /** The one with this value in a records file. */
    public static Optional<FailoverOrder> ofField(String text) {
        for (FailoverOrder order : values()) {
            if (order.field.equals(text)) {
                return Optional.of(order);
            }
        }
        return Optional.empty();
    }

    /** The value in a records file, such as {@code drainFirst}. */
    public String field() {
        return field;
    }
}
