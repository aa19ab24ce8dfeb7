package dev.streamconnect.cluster;

import java.util.Optional;

/**
 * The consumer groups' names. They derive from ids that never change, so that a later release finds
 * the positions of an earlier one.
 */
public final class GroupNames {

    /** Longest group id taken, in characters. */
    public static final int MAX_LENGTH = 249;

    private GroupNames() {}

    /** Group at the customer's Kafka: {@code <instance>-consumer-<connection id>}. */
    public static String customer(HermesInstance instance, String connectionId) {
        return checked(instance.name() + "-consumer-" + connectionId);
    }

    /** Group at Hermes: {@code snc.<instance>.<label>}. */
    public static String hermes(HermesInstance instance, String label) {
        return checked(instance.topicPrefix() + label);
    }

    /** Why a group id cannot be used at a customer's Kafka: reason with mend, or none. */
    public static Optional<String> problem(String groupId) {
        if (groupId == null || groupId.isBlank()) {
            return Optional.of("is empty; give it a value or remove it");
        }
        if (!groupId.equals(groupId.strip())) {
            return Optional.of("starts or ends with white space; remove it");
        }
        if (groupId.codePoints().anyMatch(Character::isISOControl)) {
            return Optional.of("holds a control character; remove it");
        }
        if (groupId.length() > MAX_LENGTH) {
            return Optional.of(
                    "has " + groupId.length() + " characters; use " + MAX_LENGTH + " at most");
        }
        return Optional.empty();
    }

    /** Why a group id cannot be used at Hermes: reason with mend, or none. */
    public static Optional<String> hermesProblem(HermesInstance instance, String groupId) {
        Optional<String> problem = problem(groupId);
        if (problem.isPresent()) {
            return problem;
        }
        String prefix = instance.topicPrefix();
        if (!groupId.startsWith(prefix) || groupId.length() == prefix.length()) {
            return Optional.of(
                    "'"
                            + TopicNames.shown(groupId)
                            + "' does not have the form "
                            + prefix
                            + "<label> that Hermes demands; start it so");
        }
        return Optional.empty();
    }

    private static String checked(String groupId) {
        problem(groupId)
                .ifPresent(
                        reason -> {
                            throw new IllegalArgumentException("group id: " + reason);
                        });
        return groupId;
    }
}
