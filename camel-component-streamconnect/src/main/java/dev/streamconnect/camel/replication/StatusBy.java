package dev.streamconnect.camel.replication;

/** What {@code operation=status} tells the state of. */
public enum StatusBy {
    /** Topic replications and {@code hermes:} consumers. */
    topicReplication,
    /** Message replications of the records. */
    messageReplication,
    /** The records themselves: which version of them is in effect. */
    records
}
