package dev.streamconnect.cluster;

import java.util.Objects;

/**
 * An optional right that is not there: the flow goes on without it.
 *
 * @param side connection and address, for people
 * @param right which one
 * @param topic on which topic; empty where it is one of the cluster
 * @param principal who lacks it, as ACLs name it; empty where that is not known
 * @param mend the ACL that gives it, or where it comes from
 */
public record MissingRight(
        String side, OptionalRight right, String topic, String principal, String mend) {

    public MissingRight {
        Objects.requireNonNull(side, "side");
        Objects.requireNonNull(right, "right");
        Objects.requireNonNull(topic, "topic");
        Objects.requireNonNull(principal, "principal");
        Objects.requireNonNull(mend, "mend");
    }

    /**
     * One of a connection.
     *
     * @param topic not used for a right of the cluster
     */
    public static MissingRight of(ConnectionSettings settings, OptionalRight right, String topic) {
        String on = right.isOfCluster() ? "" : topic;
        String principal = ClientPrincipal.of(settings).orElse("");
        return new MissingRight(
                settings.displayName(), right, on, principal, mend(settings, right, on, principal));
    }

    private static String mend(
            ConnectionSettings settings, OptionalRight right, String topic, String principal) {
        String resource = right.isOfCluster() ? "--cluster" : "--topic " + topic;
        return settings.role() == ClientRole.CUSTOMER
                ? "kafka-acls.sh --add --allow-principal \""
                        + (principal.isEmpty() ? "User:..." : principal)
                        + "\" --operation "
                        + right.label()
                        + " "
                        + resource
                : "have a certificate issued with "
                        + right.label()
                        + (right.isOfCluster() ? " on the cluster" : " on topic " + topic);
    }

    /** What the right is for: a topic, or the cluster. */
    public String resource() {
        return topic.isEmpty() ? "the cluster" : "topic " + topic;
    }

    /** Right and resource, and who lacks it, for people. */
    public String text() {
        return right.label()
                + " on "
                + resource()
                + " is missing"
                + (principal.isEmpty() ? "" : " for " + principal);
    }
}
