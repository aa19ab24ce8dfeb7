package dev.streamconnect.spi;

import java.util.Objects;

/**
 * A consumer group that reads a topic. Another group is another reader, with a first start of its
 * own.
 *
 * @param group consumer group
 * @param cluster name of the connection to a customer's Kafka, or of Hermes; an address may change
 * @param side A or B; empty for a customer's Kafka
 * @param topic full name
 */
public record TopicReader(String group, String cluster, String side, String topic) {

    public TopicReader {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(side, "side");
        Objects.requireNonNull(topic, "topic");
    }
}
