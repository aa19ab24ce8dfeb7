package dev.streamconnect.preflight;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * When the last message of a topic is dated, by its timestamp. One that is dated in the future
 * tells of a wrong clock: no request of Kafka asks a broker for its time.
 */
final class LastMessage {

    private final ClusterClient client;
    private final Instant now;

    LastMessage(ClusterClient client, Instant now) {
        this.client = client;
        this.now = now;
    }

    /** Asks, with one question for all partitions of the topic. */
    Verdict verdict(String topic, List<Integer> partitions) {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        partitions.forEach(
                each -> latest.put(new TopicPartition(topic, each), OffsetSpec.maxTimestamp()));
        ListOffsetsResult asked = client.admin().listOffsets(latest);
        long last = -1;
        try {
            for (TopicPartition partition : latest.keySet()) {
                last = Math.max(last, client.answer(asked.partitionResult(partition)).timestamp());
            }
        } catch (UnsupportedVersionException e) {
            return Verdict.skipped("the broker is older than 3.0");
        } catch (KafkaException e) {
            return Verdict.skipped(ClusterClient.said(e));
        }
        return last < 0 ? Verdict.ok("none") : verdict(last);
    }

    private Verdict verdict(long last) {
        ClockDifference difference = ClockDifference.of(last, now);
        Instant dated = Instant.ofEpochMilli(last);
        return difference.isAhead()
                ? Verdict.warn(
                        "dated " + dated + ", " + difference + " after the time of this machine",
                        "correct the clock of this machine, or of the one that sent the message: Hermes keeps a message by its timestamp")
                : Verdict.ok("dated " + dated + ", " + difference + " ago");
    }
}
