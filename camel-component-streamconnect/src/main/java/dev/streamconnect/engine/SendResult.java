package dev.streamconnect.engine;

/**
 * Where a record is now.
 *
 * @param topic full topic name
 * @param partition partition; -1 if it is stored as undelivered
 * @param offset offset, -1 where the broker does not tell
 * @param timestamp milliseconds since the epoch as stored; -1 if it is stored as undelivered
 * @param undelivered why it is stored as undelivered, one line; null if it was delivered
 */
public record SendResult(
        String topic, int partition, long offset, long timestamp, String undelivered) {

    /** Delivered. */
    public static SendResult at(String topic, int partition, long offset, long timestamp) {
        return new SendResult(topic, partition, offset, timestamp, null);
    }

    /** Durable in the undelivered store. */
    public static SendResult stored(String topic, String reason) {
        return new SendResult(topic, -1, -1, -1, reason);
    }
}
