package dev.streamconnect.camel;

/**
 * The message headers of a scheme that tell where a record comes from, or, set in a route, how it
 * is to be sent.
 *
 * @param topic full name of the topic
 * @param partition the partition
 * @param offset the offset
 * @param timestamp milliseconds since the epoch
 * @param key the key's bytes
 * @param side the side of the pair
 * @param undelivered why a message that was sent is kept in the undelivered store
 */
public record HeaderNames(
        String topic,
        String partition,
        String offset,
        String timestamp,
        String key,
        String side,
        String undelivered) {

    /** Of {@code hermes:}. */
    public static final HeaderNames HERMES = of("CamelHermes");

    /** Of {@code replication:}. */
    public static final HeaderNames REPLICATION = of("CamelReplication");

    /** The names that start with this. */
    static HeaderNames of(String prefix) {
        return new HeaderNames(
                prefix + "Topic",
                prefix + "Partition",
                prefix + "Offset",
                prefix + "Timestamp",
                prefix + "Key",
                prefix + "Side",
                prefix + "Undelivered");
    }
}
