package dev.streamconnect.cluster;

import org.apache.kafka.common.acl.AclOperation;

/** Rights that are used where they are there. Without one only what it says is lost. */
public enum OptionalRight {
    /** To read the settings of a topic that is read. */
    SOURCE_SETTINGS(
            AclOperation.DESCRIBE_CONFIGS,
            "DescribeConfigs",
            "it is not known when the source deletes what is not replicated yet (hoursToLoss)"),
    /** To read the settings of a topic that is written. */
    DESTINATION_SETTINGS(
            AclOperation.DESCRIBE_CONFIGS,
            "DescribeConfigs",
            "messages are not checked before they are sent: one that is too large, or without a key"
                    + " in a compacted topic, is found by the broker's refusal; one that is older"
                    + " than the topic's retention counts as delivered and is deleted there"),
    /** To write with an idempotent producer; brokers from 2.8 on ask for no right of its own. */
    IDEMPOTENCE(
            AclOperation.IDEMPOTENT_WRITE,
            "IdempotentWrite",
            "what is sent again after an acknowledgement got lost can be there twice, and one"
                    + " request at a time is on its way to each broker");

    private final AclOperation operation;
    private final String label;
    private final String lost;

    OptionalRight(AclOperation operation, String label, String lost) {
        this.operation = operation;
        this.label = label;
        this.lost = lost;
    }

    /** Of the ACL. */
    public AclOperation operation() {
        return operation;
    }

    /** As Kafka's command {@code kafka-acls} spells it. */
    public String label() {
        return label;
    }

    /** What does not work without it, for people. */
    public String lost() {
        return lost;
    }

    /** True if it is one of the whole cluster, not of a topic. */
    public boolean isOfCluster() {
        return this == IDEMPOTENCE;
    }
}
