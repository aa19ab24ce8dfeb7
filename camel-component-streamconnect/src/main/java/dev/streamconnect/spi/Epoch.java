package dev.streamconnect.spi;

/**
 * An incarnation of a source topic.
 *
 * @param number see {@link UndeliveredMessage#epoch}
 * @param topicId empty where the broker told none
 */
public record Epoch(int number, String topicId) {}
