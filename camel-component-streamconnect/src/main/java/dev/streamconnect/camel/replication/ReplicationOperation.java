package dev.streamconnect.camel.replication;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What {@code replication:<id or pattern>?operation=…} does. */
public enum ReplicationOperation {
    /** Answers the states of the topic replications on this node. */
    STATUS,
    /** Answers closed metrics windows. */
    METRICS,
    /** Sends undelivered messages again that are due. */
    RETRY;

    /**
     * Reads the option.
     *
     * @throws IllegalArgumentException for any other, in one line
     */
    static ReplicationOperation parse(String text) {
        for (ReplicationOperation operation : values()) {
            if (operation.name().equalsIgnoreCase(text)) {
                return operation;
            }
        }
        throw new IllegalArgumentException(
                "operation: '"
                        + text
                        + "' is not available in this version; available: "
                        + Arrays.stream(values())
                                .map(value -> value.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", ")));
    }
}
