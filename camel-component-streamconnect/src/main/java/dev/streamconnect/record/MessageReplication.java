package dev.streamconnect.record;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The topic replications of one customer Kafka cluster.
 *
 * @param name unique, for people and in display names
 * @param connection id of the {@link KafkaConnection}
 * @param active false stops all its topic replications
 * @param topicReplications unmodifiable
 * @param application a label for people, without effect
 */
public record MessageReplication(
        String name,
        String connection,
        boolean active,
        List<TopicReplication> topicReplications,
        Optional<String> application) {

    public MessageReplication {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(connection, "connection");
        topicReplications = List.copyOf(topicReplications);
        Objects.requireNonNull(application, "application");
    }
}
