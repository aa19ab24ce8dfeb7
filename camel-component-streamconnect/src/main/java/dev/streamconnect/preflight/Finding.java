package dev.streamconnect.preflight;

import dev.streamconnect.cluster.ClientRole;
import java.util.Objects;

/**
 * One line of a preflight.
 *
 * @param connection id of the connection, or {@code hermes}
 * @param role the side: the customer's Kafka, the producer ports, side A or side B
 * @param subject what was looked at: a host, {@code host:port}, a topic, a group
 * @param stage which look
 * @param outcome how it ended
 * @param found what was found, one line
 * @param mend what to do, one sentence; null where nothing is to do
 */
public record Finding(
        String connection,
        ClientRole role,
        String subject,
        Stage stage,
        Outcome outcome,
        String found,
        String mend) {

    public Finding {
        Objects.requireNonNull(connection, "connection");
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(found, "found");
    }

    /** Connection and side for people, such as {@code hermes side A}. */
    public String place() {
        return connection + " " + role.label();
    }
}
