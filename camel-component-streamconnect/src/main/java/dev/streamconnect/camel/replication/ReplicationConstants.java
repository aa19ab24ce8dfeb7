package dev.streamconnect.camel.replication;

import org.apache.camel.spi.Metadata;

/** Message headers of {@code replication:}. */
public final class ReplicationConstants {

    @Metadata(label = "consumer", description = "Id of the topic replication.", javaType = "String")
    public static final String ID = "CamelReplicationId";

    @Metadata(
            label = "consumer",
            description = "Full name of the topic that the message was read from.",
            javaType = "String")
    public static final String TOPIC = "CamelReplicationTopic";

    @Metadata(
            description =
                    "Consumer: partition that the message was read from. Set it in the route to choose the"
                            + " destination's partition; otherwise the same partition is used where both topics have as"
                            + " many, else the key decides.",
            javaType = "Integer")
    public static final String PARTITION = "CamelReplicationPartition";

    @Metadata(
            label = "consumer",
            description = "Offset of the message, or of the first message of a batch.",
            javaType = "Long")
    public static final String OFFSET = "CamelReplicationOffset";

    @Metadata(
            description =
                    "Timestamp of the message in milliseconds since the epoch. Set it in the route to send another.",
            javaType = "Long")
    public static final String TIMESTAMP = "CamelReplicationTimestamp";

    @Metadata(
            description =
                    "Key of the message. Set it in the route to send another key (bytes, text or a number).",
            javaType = "byte[] or String")
    public static final String KEY = "CamelReplicationKey";

    @Metadata(
            label = "consumer",
            description =
                    "Side of Hermes that the message was read from: A or B; absent for a customer's Kafka.",
            javaType = "String")
    public static final String SIDE = "CamelReplicationSide";

    @Metadata(
            label = "producer",
            description =
                    "Set when a message without a source was not delivered and is kept in the undelivered store: the"
                            + " reason, one line.",
            javaType = "String")
    public static final String UNDELIVERED = "CamelReplicationUndelivered";

    @Metadata(
            label = "producer",
            description =
                    "Reason of the rows that an operation is for; takes the place of the option.",
            javaType = "String")
    public static final String REASON = "CamelReplicationReason";

    @Metadata(
            label = "producer",
            description =
                    "State of the rows that an operation is for; takes the place of the option.",
            javaType = "String")
    public static final String STATE = "CamelReplicationState";

    @Metadata(
            label = "producer",
            description =
                    "An operation is for rows that were stored at this time or later; takes the place of the option.",
            javaType = "java.time.Instant or String")
    public static final String FROM = "CamelReplicationFrom";

    @Metadata(
            label = "producer",
            description =
                    "An operation is for rows that were stored before this time; takes the place of the option.",
            javaType = "java.time.Instant or String")
    public static final String TO = "CamelReplicationTo";

    @Metadata(
            label = "producer",
            description =
                    "Ids of the rows that an operation is for, with commas; takes the place of the option.",
            javaType = "String")
    public static final String ROWS = "CamelReplicationRows";

    @Metadata(
            label = "producer",
            description = "Most rows that are listed; takes the place of the option.",
            javaType = "Integer")
    public static final String LIMIT = "CamelReplicationLimit";

    @Metadata(
            label = "producer",
            description = "Where operation=replay begins; takes the place of the option.",
            javaType = "java.time.Instant or String")
    public static final String REPLAY_FROM = "CamelReplicationReplayFrom";

    @Metadata(
            label = "producer",
            description =
                    "Source partition that operation=replay is for; takes the place of the option.",
            javaType = "Integer")
    public static final String REPLAY_PARTITION = "CamelReplicationReplayPartition";

    @Metadata(
            label = "producer",
            description =
                    "Side of Hermes that operation=replay is for; takes the place of the option.",
            javaType = "String")
    public static final String REPLAY_SIDE = "CamelReplicationReplaySide";

    private ReplicationConstants() {}
}
