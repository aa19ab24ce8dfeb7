package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.record.StartFrom;
import dev.streamconnect.spi.TopicPair;
import java.util.List;
import java.util.Objects;

/**
 * What a link reads and where it goes.
 *
 * @param id unique in the engine
 * @param sources one connection, or both sides of the pair
 * @param sourceTopic full name of the topic to read
 * @param startFrom where to begin if the group has no position
 * @param destination connection to send to; null for a consumer whose deliveries are settled by its
 *     route alone
 * @param destinationTopic full name of the topic to write; null without a destination
 * @param options bounds and modes
 */
public record LinkDefinition(
        String id,
        List<ConnectionSettings> sources,
        String sourceTopic,
        StartFrom startFrom,
        ConnectionSettings destination,
        String destinationTopic,
        LinkOptions options) {

    public LinkDefinition {
        Objects.requireNonNull(id, "id");
        sources = List.copyOf(sources);
        Objects.requireNonNull(sourceTopic, "sourceTopic");
        Objects.requireNonNull(startFrom, "startFrom");
        Objects.requireNonNull(options, "options");
    }

    /** The topics that it connects. */
    public TopicPair topics() {
        return new TopicPair(sourceTopic, destinationTopic == null ? "" : destinationTopic);
    }

    /** Source topic and connection, for people. */
    public String sourceName() {
        return sourceTopic + " @ " + sources.get(0).cluster();
    }

    /** Destination topic and connection, for people; empty without a destination. */
    public String destinationName() {
        return destination == null ? "" : destinationTopic + " @ " + destination.cluster();
    }
}
