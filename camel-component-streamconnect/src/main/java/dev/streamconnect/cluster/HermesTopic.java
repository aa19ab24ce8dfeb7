package dev.streamconnect.cluster;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * The full name of a topic of Hermes: {@code
 * snc.<instance>[.<namespace>][.<applicationId>].<topic>}. Names are case-sensitive. What stands
 * between instance and topic cannot be told apart from a topic name with dots, so equality and
 * everything else goes by the full name.
 *
 * @param fullName never null, at most {@value #MAX_LENGTH} characters
 */
public record HermesTopic(String fullName) {

    /** Longest full name, in characters. */
    public static final int MAX_LENGTH = 200;

    static final String PREFIX = "snc.";

    /**
     * @throws IllegalArgumentException if this is no full name; one line with reason and mend that
     *     does not name the option
     */
    public HermesTopic {
        Objects.requireNonNull(fullName, "fullName");
        TopicNames.characters(fullName).ifPresent(HermesTopic::refuse);
        refuseWrongCase(fullName);
        String[] parts = fullName.split("\\.", -1);
        if (!fullName.startsWith(PREFIX) || parts.length < 3) {
            refuse("'" + fullName + "' is no full name; it has the form snc.<instance>.<topic>");
        }
        for (String part : parts) {
            if (part.isEmpty()) {
                refuse("'" + fullName + "' has an empty part; remove the dot too many");
            }
        }
        if (fullName.length() > MAX_LENGTH) {
            refuse(
                    "the full name has "
                            + fullName.length()
                            + " characters, Hermes takes "
                            + MAX_LENGTH
                            + " at most with snc.<instance> included; use a shorter name");
        }
    }

    /**
     * Makes the full name from what a user writes.
     *
     * @param instance the instance whose topic it is
     * @param name a short name, or a full name that starts with {@code snc.}
     * @param namespace only with a short name
     * @param applicationId only with a short name
     * @throws IllegalArgumentException if a part or the whole is refused, or if a full name is of
     *     another instance; one line with reason and mend
     */
    public static HermesTopic of(
            HermesInstance instance,
            String name,
            Optional<String> namespace,
            Optional<String> applicationId) {
        TopicNames.characters(name).ifPresent(HermesTopic::refuse);
        refuseWrongCase(name);
        if (isFull(name)) {
            HermesTopic topic = fullOf(name, namespace, applicationId);
            if (!topic.instance().equals(instance.name())) {
                refuse(
                        "'"
                                + name
                                + "' is a topic of instance '"
                                + topic.instance()
                                + "', but the configured instance is '"
                                + instance.name()
                                + "'; correct one of them, or use the short name");
            }
            return topic;
        }
        if (TopicNames.internal(name)) {
            refuse("'" + name + "' is an internal topic; those are never replicated");
        }
        StringBuilder full = new StringBuilder(instance.topicPrefix());
        namespace.ifPresent(text -> full.append(checked(TopicNames.namespace(text), text)));
        applicationId.ifPresent(text -> full.append(checked(TopicNames.applicationId(text), text)));
        return new HermesTopic(full.append(name).toString());
    }

    /** Makes the full name from a short or full one without namespace and application id. */
    public static HermesTopic of(HermesInstance instance, String name) {
        return of(instance, name, Optional.empty(), Optional.empty());
    }

    /** Whether the text means a full name: it starts with {@code snc.}. */
    public static boolean isFull(String name) {
        return name.startsWith(PREFIX);
    }

    /** The instance in the name, never empty. */
    public String instance() {
        return fullName.substring(PREFIX.length(), fullName.indexOf('.', PREFIX.length()));
    }

    /** What follows {@code snc.<instance>.}, never empty. */
    public String shortName() {
        return fullName.substring(PREFIX.length() + instance().length() + 1);
    }

    @Override
    public String toString() {
        return fullName;
    }

    private static HermesTopic fullOf(
            String name, Optional<String> namespace, Optional<String> applicationId) {
        if (namespace.isPresent() || applicationId.isPresent()) {
            refuse(
                    "'"
                            + name
                            + "' is a full name, which already says namespace and application id;"
                            + " remove those two, or give the short name");
        }
        HermesTopic topic = new HermesTopic(name);
        if (TopicNames.internal(topic.shortName())) {
            refuse("'" + name + "' is an internal topic; those are never replicated");
        }
        return topic;
    }

    private static void refuseWrongCase(String name) {
        if (name.length() >= 4
                && name.substring(0, 4).toLowerCase(Locale.ROOT).equals(PREFIX)
                && !isFull(name)) {
            refuse(
                    "'"
                            + TopicNames.shown(name)
                            + "' starts with '"
                            + name.substring(0, 4)
                            + "'; names are case-sensitive, write 'snc.' in lower case");
        }
    }

    private static String checked(Optional<String> fault, String text) {
        fault.ifPresent(HermesTopic::refuse);
        return text + ".";
    }

    private static void refuse(String reason) {
        throw new IllegalArgumentException(reason);
    }
}
