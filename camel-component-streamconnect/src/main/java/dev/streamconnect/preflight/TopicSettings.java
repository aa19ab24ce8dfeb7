package dev.streamconnect.preflight;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Settings of a topic that can stop messages.
 *
 * @param values by name
 */
record TopicSettings(Map<String, String> values) {

    Verdict verdict(TopicUse use) {
        String found =
                Stream.of(
                                text(TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
                                text(TopicConfig.CLEANUP_POLICY_CONFIG),
                                retention())
                        .filter(Objects::nonNull)
                        .collect(Collectors.joining(", "));
        List<String> doubts = new ArrayList<>();
        List<String> mends = new ArrayList<>();
        if (use.writes()) {
            doubtSize(use, doubts, mends);
            doubtPolicy(doubts, mends);
        }
        return doubts.isEmpty()
                ? Verdict.ok(found)
                : Verdict.warn(found + ": " + String.join("; ", doubts), String.join("; ", mends));
    }

    private void doubtSize(TopicUse use, List<String> doubts, List<String> mends) {
        String limit = values.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
        if (limit != null && Long.parseLong(limit) < use.maxMessageBytes()) {
            doubts.add(
                    "larger messages are refused, and up to "
                            + use.maxMessageBytes()
                            + " may come");
            mends.add("raise " + TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
        }
    }

    private void doubtPolicy(List<String> doubts, List<String> mends) {
        String policy = values.get(TopicConfig.CLEANUP_POLICY_CONFIG);
        if (policy != null && policy.contains(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            doubts.add("messages without a key are refused");
            mends.add("send messages with keys, or take compact out of the policy");
        }
    }

    private String text(String name) {
        String value = values.get(name);
        return value == null ? null : name + "=" + value;
    }

    private String retention() {
        String value = values.get(TopicConfig.RETENTION_MS_CONFIG);
        if (value == null) {
            return null;
        }
        long millis = Long.parseLong(value);
        return TopicConfig.RETENTION_MS_CONFIG
                + "="
                + value
                + (millis < 0 ? " (for ever)" : " (" + Duration.ofMillis(millis).toHours() + " h)");
    }
}
