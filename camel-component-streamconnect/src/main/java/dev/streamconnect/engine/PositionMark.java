package dev.streamconnect.engine;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a committed offset belongs to. It travels in the offset's metadata string, as {@code
 * topic=…,cluster=…,first=…}; what somebody else wrote there, and nothing at all, is accepted.
 *
 * @param topicId id of the topic; empty while unknown
 * @param clusterId id of the cluster; empty while unknown
 * @param firstPartitions how many partitions the topic had when the group began to read it: where
 *     one of these has no position, {@code startFrom} holds. Later ones begin at their first
 *     message. -1 while unknown
 */
record PositionMark(String topicId, String clusterId, int firstPartitions) {

    static final PositionMark UNKNOWN = new PositionMark("", "", -1);

    /** Reads a metadata string; null and foreign text are {@link #UNKNOWN}. */
    static PositionMark parse(String metadata) {
        Map<String, String> fields = new TreeMap<>();
        for (String part : metadata == null ? new String[0] : metadata.split(",", 10)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                fields.put(part.substring(0, equals), part.substring(equals + 1));
            }
        }
        return new PositionMark(
                fields.getOrDefault("topic", ""),
                fields.getOrDefault("cluster", ""),
                number(fields.get("first")));
    }

    private static int number(String text) {
        try {
            return text == null ? -1 : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    PositionMark withFirst(int partitions) {
        return new PositionMark(topicId, clusterId, partitions);
    }

    /** True if both are known and are not of one topic. */
    boolean isOther(PositionMark mark) {
        return differ(topicId, mark.topicId) || differ(clusterId, mark.clusterId);
    }

    private static boolean differ(String one, String other) {
        return !one.isEmpty() && !other.isEmpty() && !one.equals(other);
    }

    /** The metadata string. */
    String text() {
        StringBuilder text = new StringBuilder();
        add(text, "topic", topicId);
        add(text, "cluster", clusterId);
        add(text, "first", firstPartitions < 0 ? "" : String.valueOf(firstPartitions));
        return text.toString();
    }

    private static void add(StringBuilder text, String name, String value) {
        if (!value.isEmpty()) {
            text.append(text.isEmpty() ? "" : ",").append(name).append('=').append(value);
        }
    }
}
