package dev.streamconnect.record;

import java.util.Optional;

/** Which way a topic replication goes. */
public enum Direction {
    /** From the customer's topic to the ServiceNow topic. */
    TO_SERVICENOW("toServiceNow", "To ServiceNow", "to-sn"),
    /** From the ServiceNow topic to the customer's topic. */
    FROM_SERVICENOW("fromServiceNow", "From ServiceNow", "from-sn");

    private final String field;
    private final String display;
    private final String idPart;

    Direction(String field, String display, String idPart) {
        this.field = field;
        this.display = display;
        this.idPart = idPart;
    }

    /** The direction with this value in a records file. */
    public static Optional<Direction> ofField(String text) {
        for (Direction direction : values()) {
            if (direction.field.equals(text)) {
                return Optional.of(direction);
            }
        }
        return Optional.empty();
    }

    /** The value in a records file, such as {@code toServiceNow}. */
    public String field() {
        return field;
    }

    /** The words for people and metrics, such as {@code To ServiceNow}. */
    public String display() {
        return display;
    }

    String idPart() {
        return idPart;
    }
}
