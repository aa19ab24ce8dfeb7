package dev.streamconnect.sandbox.client;

/**
 * Where clients begin: lists of {@code host:port} separated by commas.
 *
 * @param local the customer's own Kafka, plain text
 */
public record Bootstrap(
        String instance, String producer, String consumerA, String consumerB, String local) {}
