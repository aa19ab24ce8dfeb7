package dev.streamconnect.preflight;

import java.util.List;
import org.apache.kafka.common.acl.AclOperation;

/**
 * A topic that topic replications read or write at one place.
 *
 * @param topic full name
 * @param right {@code READ} or {@code WRITE}
 * @param maxMessageBytes largest message that may be sent, bytes; only for {@code WRITE}
 * @param replications ids of the topic replications, unmodifiable
 */
public record TopicUse(
        String topic, AclOperation right, int maxMessageBytes, List<String> replications) {

    public TopicUse {
        replications = List.copyOf(replications);
    }

    boolean writes() {
        return right == AclOperation.WRITE;
    }

    /** The topic replications for people. */
    String users() {
        return String.join(", ", replications);
    }
}
