package dev.streamconnect.engine;

/**
 * Where a record was stored.
 *
 * @param topic full topic name
 * @param partition partition
 * @param offset offset, -1 where the broker does not tell
 * @param timestamp milliseconds since the epoch as stored
 */
public record SendResult(String topic, int partition, long offset, long timestamp) {}
