package dev.streamconnect.spi;

import java.util.Objects;

/**
 * The topics that a topic replication connects. A record can be given others and keep its id; what
 * was stored before belongs to the pair of then.
 *
 * @param source full name of the source topic; empty without a source, and for rows that were
 *     stored before it was kept
 * @param destination full name of the destination topic; empty without one
 */
public record TopicPair(String source, String destination) {

    public TopicPair {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(destination, "destination");
    }

    /** What senders without a source send to. */
    public static TopicPair direct(String destinationTopic) {
        return new TopicPair("", destinationTopic);
    }

    /** True if a row of that pair is one of this; an unknown source may be this one. */
    public boolean takes(TopicPair row) {
        return destination.equals(row.destination)
                && (row.source.isEmpty() || row.source.equals(source));
    }

    @Override
    public String toString() {
        return source + " -> " + destination;
    }
}
