package dev.streamconnect.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Records before they are valid, each with the pointer of its place. A field that is missing or
 * can't be read has its fault already, and stands here as an empty text or its default: ask {@link
 * Faults#readable} before a rule goes by it.
 *
 * @param allCredentialsNamed false if the id of a credential is not known, so that none can be
 *     called unknown
 * @param allConnectionsNamed false if a connection's id could not be read, so that none can be
 *     called unknown
 */
record Draft(
        List<Item<KafkaCredential>> credentials,
        boolean allCredentialsNamed,
        List<Item<KafkaConnection>> connections,
        List<Item<MessageReplication>> replications,
        List<Topic> topics,
        boolean allConnectionsNamed) {

    record Item<T>(String pointer, T value) {
        String field(String name) {
            return Places.child(pointer, name);
        }
    }

    /**
     * A topic replication.
     *
     * @param parent empty if it is not known whether the message replication is active, or at which
     *     connection
     * @param ownId false if the id is the default one
     * @param idKnown false if the id could not be told
     */
    record Topic(
            String pointer,
            TopicReplication value,
            Optional<MessageReplication> parent,
            boolean ownId,
            boolean idKnown) {

        String field(String name) {
            return Places.child(pointer, name);
        }

        /** By place: a topic replication's parent holds it again and all its neighbours. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Topic && ((Topic) other).pointer.equals(pointer);
        }

        @Override
        public int hashCode() {
            return pointer.hashCode();
        }

        boolean active() {
            return value.active() && parent.map(MessageReplication::active).orElse(false);
        }
    }

    static Draft of(ReplicationRecords records) {
        List<Item<KafkaConnection>> connections = new ArrayList<>();
        List<Item<MessageReplication>> replications = new ArrayList<>();
        List<Topic> topics = new ArrayList<>();
        for (KafkaConnection connection : records.connections()) {
            String pointer = Places.child("/connections", connections.size());
            connections.add(new Item<>(pointer, connection));
        }
        for (MessageReplication replication : records.messageReplications()) {
            String pointer = Places.child("/messageReplications", replications.size());
            replications.add(new Item<>(pointer, replication));
            String list = Places.child(pointer, "topicReplications");
            int index = 0;
            for (TopicReplication topic : replication.topicReplications()) {
                String at = Places.child(list, index++);
                topics.add(new Topic(at, topic, Optional.of(replication), true, true));
            }
        }
        // Of a credential only what its connections have of it is left.
        return new Draft(List.of(), false, connections, replications, topics, true);
    }

    ReplicationRecords records() {
        return new ReplicationRecords(
                connections.stream().map(Item::value).toList(),
                replications.stream().map(Item::value).toList());
    }
}
