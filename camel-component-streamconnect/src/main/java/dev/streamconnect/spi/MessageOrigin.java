package dev.streamconnect.spi;

import java.util.Objects;

/**
 * Where a stored message came from: a source partition of a topic replication, or a sender without
 * a source.
 *
 * @param link id of the topic replication; for a sender without a source the full name of the
 *     destination topic
 * @param side side of the pair that it was read from, {@code A} or {@code B}; empty for a single
 *     cluster or none
 * @param partition source partition; -1 without a source
 */
public record MessageOrigin(String link, String side, int partition) {

    public MessageOrigin {
        Objects.requireNonNull(link, "link");
        Objects.requireNonNull(side, "side");
    }

    /** A sender without a source. */
    public static MessageOrigin direct(String destinationTopic) {
        return new MessageOrigin(destinationTopic, "", -1);
    }

    public boolean isDirect() {
        return partition < 0;
    }

    @Override
    public String toString() {
        return isDirect()
                ? link
                : link + (side.isEmpty() ? "" : " " + side) + " partition " + partition;
    }
}
