package dev.streamconnect.engine;

import dev.streamconnect.spi.Reason;
import java.util.Map;
import java.util.Optional;

/**
 * What a destination topic takes, as far as it can be read.
 *
 * @param readable false where the rights do not allow to read the topic's settings: only our own
 *     size rule is known then
 * @param size largest message, by our own rule or the topic's
 * @param compacted true if a message without a key is refused
 * @param retentionMs how long messages are kept by their timestamp, in milliseconds; -1 for ever or
 *     unknown
 * @param logAppendTime true if the broker replaces the timestamp, so that its age does not matter
 * @param timestampBeforeMaxMs how far a timestamp may lie in the past, in milliseconds
 * @param timestampAfterMaxMs how far a timestamp may lie in the future, in milliseconds
 */
record DestinationContract(
        boolean readable,
        SizeLimit size,
        boolean compacted,
        long retentionMs,
        boolean logAppendTime,
        long timestampBeforeMaxMs,
        long timestampAfterMaxMs) {

    /** Only the size rule is known. */
    static DestinationContract unread(SizeLimit own) {
        return new DestinationContract(
                false, own, false, -1, false, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** Reads the topic's settings (names as in Kafka's topic configuration). */
    static DestinationContract of(Map<String, String> config, SizeLimit own) {
        return new DestinationContract(
                true,
                own.orOfTopic(number(config, "max.message.bytes", Long.MAX_VALUE)),
                config.getOrDefault("cleanup.policy", "").contains("compact"),
                config.getOrDefault("cleanup.policy", "").contains("delete")
                        ? number(config, "retention.ms", -1)
                        : -1,
                "LogAppendTime".equals(config.get("message.timestamp.type")),
                number(config, "message.timestamp.before.max.ms", Long.MAX_VALUE),
                number(config, "message.timestamp.after.max.ms", Long.MAX_VALUE));
    }

    private static long number(Map<String, String> config, String name, long otherwise) {
        String value = config.get(name);
        return value == null || value.isBlank() ? otherwise : Long.parseLong(value.strip());
    }

    /**
     * Why the destination would not take or not keep the message; empty if it would.
     *
     * @param bytes key, value and headers, uncompressed
     * @param timestamp milliseconds since the epoch, negative for none
     * @param now milliseconds since the epoch
     */
    Optional<Refusal> refuses(boolean hasKey, int bytes, long timestamp, long now) {
        Optional<Refusal> tooLarge = size.refuses(bytes);
        if (tooLarge.isPresent()) {
            return tooLarge;
        }
        if (compacted && !hasKey) {
            return refusal(
                    Reason.NO_KEY, "message without a key, and the destination topic is compacted");
        }
        if (logAppendTime || timestamp < 0) {
            return Optional.empty();
        }
        long age = now - timestamp;
        if (retentionMs >= 0 && age > retentionMs) {
            return refusal(
                    Reason.RETENTION,
                    "message of timestamp "
                            + timestamp
                            + " is older than the destination's retention of "
                            + retentionMs
                            + " ms: it would be deleted at once");
        }
        if (age > timestampBeforeMaxMs) {
            return refusal(
                    Reason.TIMESTAMP,
                    "timestamp "
                            + timestamp
                            + " lies further in the past than the destination's limit of "
                            + timestampBeforeMaxMs
                            + " ms");
        }
        if (-age > timestampAfterMaxMs) {
            return refusal(
                    Reason.TIMESTAMP,
                    "timestamp "
                            + timestamp
                            + " lies further in the future than the destination's limit of "
                            + timestampAfterMaxMs
                            + " ms");
        }
        return Optional.empty();
    }

    private static Optional<Refusal> refusal(Reason kind, String text) {
        return Optional.of(new Refusal(kind, text));
    }
}
