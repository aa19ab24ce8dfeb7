package dev.streamconnect.servicenow;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The tables of an instance that are read or written, with the columns that they have by default.
 * Where the vendor documents a label only, the column is the label in the form that the platform
 * makes of labels.
 */
enum InstanceTable {
    /** Message replications. */
    MESSAGE_REPLICATIONS(
            "messageReplications",
            "sys_sc_message_replication",
            "name",
            "name",
            "connection",
            "messaging_service_connection",
            "application",
            "application",
            "active",
            "active"),
    /** Topic replications. */
    TOPIC_REPLICATIONS(
            "topicReplications",
            "sys_kafka_topic_replication",
            "direction",
            "direction",
            "topicName",
            "topic_name",
            "serviceNowTopic",
            "servicenow_topic",
            "messageReplication",
            "replication",
            "active",
            "active"),
    /** Connections to Kafka clusters of the customer. */
    CONNECTIONS(
            "connections",
            "kafka_connection",
            "name",
            "name",
            "alias",
            "connection_alias",
            "bootstrapServers",
            "bootstrap_servers",
            "consumerGroupId",
            "consumer_group_id",
            "properties",
            "additional_client_properties",
            "active",
            "active"),
    /** Status of a message replication on a node. */
    MESSAGE_REPLICATION_STATUS(
            "messageReplicationStatus",
            "sys_sc_message_replication_status",
            "replication",
            "message_replication",
            "node",
            "node",
            "status",
            "status",
            "error",
            "error_message"),
    /** Status of a topic replication on a node. */
    TOPIC_REPLICATION_STATUS(
            "topicReplicationStatus",
            "sys_sc_channel_replication_status",
            "replication",
            "channel_replication",
            "node",
            "node",
            "status",
            "status",
            "error",
            "error_message",
            "errorSince",
            "error_since"),
    /** Metrics windows. */
    METRICS(
            "metrics",
            "sys_sc_channel_replication_metric",
            "collectionTime",
            "collection_time",
            "collectionInterval",
            "collection_interval",
            "replication",
            "channel_replication",
            "messageCount",
            "message_count",
            "byteCount",
            "byte_count",
            "lagMessages",
            "lag_messages",
            "source",
            "source",
            "destination",
            "destination",
            "direction",
            "direction",
            "node",
            "mid_server");

    private final String key;
    private final String table;
    private final Map<String, String> columns;

    InstanceTable(String key, String table, String... columns) {
        this.key = key;
        this.table = table;
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < columns.length; i += 2) {
            map.put(columns[i], columns[i + 1]);
        }
        this.columns = Collections.unmodifiableMap(map);
    }

    /** Name in an overlay file and in a cache. */
    String key() {
        return key;
    }

    /** Name of the table by default. */
    String table() {
        return table;
    }

    /** Names of the columns by default, by the field that they hold. */
    Map<String, String> columns() {
        return columns;
    }
}
