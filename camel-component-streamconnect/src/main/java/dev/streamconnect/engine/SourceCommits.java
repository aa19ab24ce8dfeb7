package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commits of a source client: an offset is committed only if its {@link PartitionFlow} has
 * settled it. Poll thread only.
 */
final class SourceCommits {

    private static final Logger LOG = LoggerFactory.getLogger(SourceCommits.class);

    private static final Duration CALL_LIMIT = Duration.ofSeconds(5);

    /** No answer for so long: the next one is sent. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** A side may be idle for weeks, and a broker forgets a position that is old. */
    static final Duration KEEP_POSITIONS = Duration.ofHours(1);

    private final ConnectionSettings settings;
    private final Clock clock;
    private final SourceConsumer consumer;
    private final Map<TopicPartition, PartitionFlow> flows;
    private final SourceMemory memory;
    private Instant last = Instant.EPOCH;
    private Instant lastOfAll;
    private Instant underWaySince;
    private boolean byTopic;

    /**
     * @param flows of the partitions that are read, kept by {@link SourceAssignment}
     * @param memory told what is committed at the end of an assignment
     */
    SourceCommits(
            ConnectionSettings settings,
            Clock clock,
            SourceConsumer consumer,
            Map<TopicPartition, PartitionFlow> flows,
            SourceMemory memory) {
        this.settings = settings;
        this.clock = clock;
        this.consumer = consumer;
        this.flows = flows;
        this.memory = memory;
        this.lastOfAll = clock.instant();
    }

    /** True if a commit has no answer yet, and may still get one. */
    boolean isUnderWay() {
        return underWaySince != null && underWaySince.plus(PATIENCE).isAfter(clock.instant());
    }

    /** True if the last one is that old. */
    boolean isOlderThan(Duration interval) {
        return last.plus(interval).isBefore(clock.instant());
    }

    /** The interval counts as over. */
    void hurry() {
        last = Instant.EPOCH;
    }

    /** A new consumer has none under way. */
    void restarted() {
        underWaySince = null;
    }

    /** Begins a commit of all that is settled, unless one is under way. */
    void begin() {
        if (isUnderWay()) {
            return;
        }
        Instant now = clock.instant();
        last = now;
        Map<TopicPartition, Long> offsets = committable(flows.values());
        if (!lastOfAll.plus(KEEP_POSITIONS).isAfter(now)) {
            lastOfAll = now;
            addKept(offsets);
        }
        if (offsets.isEmpty()) {
            return;
        }
        underWaySince = now;
        Collection<Map<TopicPartition, Long>> parts = byTopic ? byTopic(offsets) : List.of(offsets);
        byTopic = false;
        int[] left = {parts.size()};
        for (Map<TopicPartition, Long> part : parts) {
            consumer.get()
                    .commitAsync(
                            SourcePositions.withMetadata(part, flows),
                            (done, error) -> {
                                if (--left[0] == 0 && now.equals(underWaySince)) {
                                    underWaySince = null;
                                }
                                answered(part, error);
                            });
        }
    }

    private void addKept(Map<TopicPartition, Long> offsets) {
        flows.forEach(
                (partition, flow) -> {
                    long kept = flow.committed();
                    if (kept >= 0) {
                        offsets.putIfAbsent(partition, kept);
                    }
                });
    }

    private void answered(Map<TopicPartition, Long> offsets, Exception error) {
        if (error == null) {
            confirm(offsets);
            return;
        }
        // One topic that is gone or forbidden fails a commit for all that are in it.
        byTopic = true;
        LOG.debug("{}: commit failed, it is tried again", settings.displayName(), error);
    }

    private static Collection<Map<TopicPartition, Long>> byTopic(
            Map<TopicPartition, Long> offsets) {
        Map<String, Map<TopicPartition, Long>> parts = new HashMap<>();
        offsets.forEach(
                (partition, offset) ->
                        parts.computeIfAbsent(partition.topic(), t -> new HashMap<>())
                                .put(partition, offset));
        return parts.values();
    }

    private static Map<TopicPartition, Long> committable(Collection<PartitionFlow> of) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        for (PartitionFlow flow : of) {
            long offset = flow.committable();
            if (offset >= 0) {
                offsets.put(flow.partition(), offset);
            }
        }
        return offsets;
    }

    private void confirm(Map<TopicPartition, Long> offsets) {
        offsets.forEach(
                (partition, offset) -> {
                    PartitionFlow flow = flows.get(partition);
                    if (flow != null) {
                        flow.committed(offset);
                    }
                });
    }

    /** As {@link #commitNow}, at the end of an assignment that is still ours. */
    void commitLast(Collection<PartitionFlow> of) {
        commitNow(of);
        memory.last(of, clock.instant());
    }

    /** Commits what these have settled, and waits for it for seconds at most. */
    void commitNow(Collection<PartitionFlow> of) {
        Map<TopicPartition, Long> offsets = committable(of);
        if (offsets.isEmpty()) {
            return;
        }
        try {
            SourceConsumer.unwoken(
                    () ->
                            consumer.get()
                                    .commitSync(
                                            SourcePositions.withMetadata(offsets, flows),
                                            CALL_LIMIT));
            confirm(offsets);
        } catch (KafkaException | IllegalStateException e) {
            // At least once: what is not committed is read again.
            LOG.debug("{}: commit failed at the end of an assignment", settings.displayName(), e);
        }
    }
}
