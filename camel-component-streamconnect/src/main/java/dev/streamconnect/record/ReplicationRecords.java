package dev.streamconnect.record;

import java.util.List;
import java.util.Optional;

/**
 * All records of a node. Immutable.
 *
 * @param connections unmodifiable
 * @param messageReplications unmodifiable
 */
public record ReplicationRecords(
        List<KafkaConnection> connections, List<MessageReplication> messageReplications) {

    /** No records at all. */
    public static final ReplicationRecords NONE = new ReplicationRecords(List.of(), List.of());

    public ReplicationRecords {
        connections = List.copyOf(connections);
        messageReplications = List.copyOf(messageReplications);
    }

    /** The connection with this id. */
    public Optional<KafkaConnection> connection(String id) {
        return connections.stream().filter(c -> c.id().equals(id)).findFirst();
    }

    /** The message replication with this name. */
    public Optional<MessageReplication> messageReplication(String name) {
        return messageReplications.stream().filter(m -> m.name().equals(name)).findFirst();
    }

    /** The topic replication with this id. */
    public Optional<TopicReplication> topicReplication(String id) {
        return topicReplications().stream().filter(t -> t.id().equals(id)).findFirst();
    }

    /** All topic replications in the order of the file. */
    public List<TopicReplication> topicReplications() {
        return messageReplications.stream().flatMap(m -> m.topicReplications().stream()).toList();
    }

    /** Whether it is to run: it is active and so is its message replication. */
    public boolean active(TopicReplication topicReplication) {
        return topicReplication.active()
                && messageReplication(topicReplication.replication())
                        .map(MessageReplication::active)
                        .orElse(false);
    }

    /** The connection that a topic replication of these records uses. */
    public Optional<KafkaConnection> connectionOf(TopicReplication topicReplication) {
        return messageReplication(topicReplication.replication())
                .flatMap(m -> connection(m.connection()));
    }
}
