package dev.streamconnect.cluster;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The rules for names of topics and their parts; each answer is a reason with its mend, or none.
 */
public final class TopicNames {

    /** Longest name of a topic of a customer's Kafka, in characters. */
    public static final int KAFKA_MAX_LENGTH = 249;

    /** Application ids that Hermes knows. */
    public static final Set<String> APPLICATION_IDS =
            Set.of("sn_streamconnect", "sn_logstoanalytics");

    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9._-]+");
    private static final Pattern PART = Pattern.compile("[a-zA-Z0-9_-]+");
    private static final String RESERVED = "sn_";

    private TopicNames() {}

    /**
     * Why a customer's Kafka refuses the name. Internal topics are a matter of {@link #internal}.
     */
    public static Optional<String> customerTopic(String name) {
        Optional<String> fault = characters(name);
        if (fault.isPresent()) {
            return fault;
        }
        if (name.equals(".") || name.equals("..")) {
            return Optional.of("'" + name + "' is no topic name; Kafka refuses it");
        }
        if (name.length() > KAFKA_MAX_LENGTH) {
            return Optional.of(
                    "has "
                            + name.length()
                            + " characters, Kafka takes "
                            + KAFKA_MAX_LENGTH
                            + " at most; use the topic's real name");
        }
        return Optional.empty();
    }

    /** Whether the name is of a topic that Kafka keeps for itself. */
    public static boolean internal(String name) {
        return name.startsWith("__");
    }

    /** Why the text cannot be a namespace. */
    public static Optional<String> namespace(String text) {
        if (text.startsWith(RESERVED)) {
            return Optional.of(
                    "'"
                            + text
                            + "' starts with sn_, which is kept for application ids; use "
                            + (APPLICATION_IDS.contains(text)
                                    ? "applicationId instead"
                                    : "the namespace's own prefix"));
        }
        return part(text);
    }

    /** Why the text cannot be an application id. */
    public static Optional<String> applicationId(String text) {
        if (text.startsWith(RESERVED) && !APPLICATION_IDS.contains(text)) {
            return Optional.of(
                    "'"
                            + text
                            + "' is no known application id; use one of "
                            + String.join(", ", new TreeSet<>(APPLICATION_IDS)));
        }
        return part(text);
    }

    static Optional<String> characters(String name) {
        if (name.isEmpty()) {
            return Optional.of("is empty; give the topic's name");
        }
        if (!NAME.matcher(name).matches()) {
            return Optional.of(
                    "'"
                            + shown(name)
                            + "' holds a character that no topic name may have; use only"
                            + " letters, digits, '.', '_' and '-'");
        }
        return Optional.empty();
    }

    private static Optional<String> part(String text) {
        if (PART.matcher(text).matches()) {
            return Optional.empty();
        }
        return Optional.of(
                text.isEmpty()
                        ? "is empty; give it a value or remove it"
                        : "'" + shown(text) + "' may hold only letters, digits, '_' and '-'");
    }

    /** Text of a user for one line of a message: bounded, control characters replaced. */
    static String shown(String text) {
        String line =
                text.codePoints()
                        .map(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029 ? '?' : c)
                        .limit(80)
                        .collect(
                                StringBuilder::new,
                                StringBuilder::appendCodePoint,
                                StringBuilder::append)
                        .toString();
        return text.codePointCount(0, text.length()) > 80 ? line + "..." : line;
    }
}
