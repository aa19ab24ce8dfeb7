package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.hermes.HermesSettings;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.GroupNames;
import dev.streamconnect.engine.LinkDefinition;
import dev.streamconnect.engine.LinkOptions;
import dev.streamconnect.engine.PairOptions;
import dev.streamconnect.record.Direction;
import dev.streamconnect.record.KafkaConnection;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.TopicReplication;
import java.util.List;

/**
 * Turns topic replications into what the engine opens. Immutable.
 *
 * @param records the valid records
 * @param hermes where the instance is reached
 * @param customers the customer's clusters
 */
record TopicReplicationLinks(
        ReplicationRecords records, HermesSettings hermes, CustomerConnections customers) {

    /** With other records of the same places. */
    TopicReplicationLinks with(ReplicationRecords others) {
        return new TopicReplicationLinks(others, hermes, customers);
    }

    /** The link of a topic replication. */
    LinkDefinition link(TopicReplication replication, LinkOptions options) {
        return new LinkDefinition(
                replication.id(),
                sources(replication),
                toServiceNow(replication) ? replication.topicName() : hermesTopic(replication),
                replication.startFrom(),
                destination(replication),
                destinationTopic(replication),
                options);
    }

    /** Where its destination topic is. */
    ConnectionSettings destination(TopicReplication replication) {
        return toServiceNow(replication)
                ? hermes.producer()
                : customers.settings(connection(replication), null);
    }

    /** Full name of its destination topic. */
    String destinationTopic(TopicReplication replication) {
        return toServiceNow(replication) ? hermesTopic(replication) : replication.topicName();
    }

    /**
     * Largest message that its destination takes, in bytes. A customer's broker does not tell; a
     * connection that takes more than Hermes does says so by {@code max.request.size} among its
     * properties.
     *
     * @throws IllegalArgumentException if that property is no number
     */
    int maxMessageBytes(TopicReplication replication) {
        if (toServiceNow(replication)) {
            return hermes.maxMessageBytes();
        }
        KafkaConnection connection = connection(replication);
        String given = connection.properties().get("max.request.size");
        try {
            return given == null
                    ? LinkOptions.HERMES_MAX_MESSAGE_BYTES
                    : Integer.parseInt(given.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "connection '"
                            + connection.id()
                            + "': properties: max.request.size is no number of bytes");
        }
    }

    /** How it puts the two sides together: what its record says, else the options of hermes. */
    PairOptions pair(TopicReplication replication) {
        PairOptions pair = hermes.pair();
        return pair.with(
                replication.failoverOrder().orElse(pair.order()),
                replication.deduplicate().orElse(pair.deduplicate()));
    }

    private List<ConnectionSettings> sources(TopicReplication replication) {
        KafkaConnection connection = connection(replication);
        return toServiceNow(replication)
                ? List.of(customers.settings(connection, connection.groupId(hermes.instance())))
                : hermes.consumers(
                        hermes.groupId() == null
                                ? GroupNames.hermes(hermes.instance(), connection.id())
                                : hermes.groupId());
    }

    private String hermesTopic(TopicReplication replication) {
        return replication.hermesTopic(hermes.instance()).fullName();
    }

    private KafkaConnection connection(TopicReplication replication) {
        return records.connectionOf(replication)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "topic replication '"
                                                + replication.id()
                                                + "' has no connection"));
    }

    private static boolean toServiceNow(TopicReplication replication) {
        return replication.direction() == Direction.TO_SERVICENOW;
    }
}
