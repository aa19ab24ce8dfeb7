package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.record.StartFrom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a source client reads: the committed position, or where the record says to start. The
 * client's own reset policy is off, so nothing is ever skipped without a word. Poll thread only;
 * all calls to the broker are bounded.
 */
final class SourcePositions {

    private static final Logger LOG = LoggerFactory.getLogger(SourcePositions.class);

    private final Consumer<byte[], byte[]> consumer;
    private final ConnectionSettings settings;
    private final String side;
    private final Duration limit;
    private final Set<TopicPartition> missing = new HashSet<>();

    SourcePositions(
            Consumer<byte[], byte[]> consumer, ConnectionSettings settings, Duration limit) {
        this.consumer = consumer;
        this.settings = settings;
        this.side = settings.role().side();
        this.limit = limit;
    }

    /** A partition was assigned and has no position yet. */
    void missing(TopicPartition partition) {
        missing.add(partition);
    }

    boolean isMissing(TopicPartition partition) {
        return missing.contains(partition);
    }

    void forget(TopicPartition partition) {
        missing.remove(partition);
    }

    /**
     * Sets the positions that are missing; what can't be had now is tried again at the next call.
     */
    void setMissing(Map<TopicPartition, PartitionFlow> flows, Map<String, SourceTopic> topics) {
        missing.retainAll(flows.keySet());
        if (missing.isEmpty()) {
            return;
        }
        try {
            Map<TopicPartition, OffsetAndMetadata> committed =
                    consumer.committed(Set.copyOf(missing), limit);
            tellAsked(committed, topics);
            Set<TopicPartition> fresh = new HashSet<>();
            for (TopicPartition partition : Set.copyOf(missing)) {
                OffsetAndMetadata known = committed.get(partition);
                SourceTopic topic = topics.get(partition.topic());
                Long remembered = topic.remembered(partition.partition());
                if (known == null && remembered != null) {
                    // It has expired, as in an outage that outlasts it.
                    start(flows.get(partition), remembered);
                } else if (known == null) {
                    fresh.add(partition);
                } else {
                    // Without the leader epoch: it belongs to one cluster only.
                    start(flows.get(partition), known.offset());
                    flows.get(partition).committed(known.offset());
                }
            }
            for (TopicPartition partition : fresh) {
                StartFrom from = topics.get(partition.topic()).startFrom(side);
                if (from != null) {
                    start(flows.get(partition), firstOffset(partition, from));
                }
            }
        } catch (WakeupException e) {
            LOG.trace("woken; the positions are set at the next turn");
        } catch (RetriableException e) {
            LOG.debug("{}: positions can't be had now", settings.displayName(), e);
        }
    }

    private void tellAsked(
            Map<TopicPartition, OffsetAndMetadata> committed, Map<String, SourceTopic> topics) {
        Map<String, Boolean> known = new HashMap<>();
        missing.forEach(
                one -> known.merge(one.topic(), committed.get(one) != null, Boolean::logicalOr));
        known.forEach((topic, any) -> topics.get(topic).link().positionsAsked(side, any));
    }

    private void start(PartitionFlow flow, long offset) {
        consumer.seek(flow.partition(), offset);
        flow.startAt(offset);
        missing.remove(flow.partition());
    }

    private long firstOffset(TopicPartition partition, StartFrom from) {
        List<TopicPartition> one = List.of(partition);
        if (from instanceof StartFrom.Latest) {
            return consumer.endOffsets(one, limit).get(partition);
        }
        if (from instanceof StartFrom.At at) {
            OffsetAndTimestamp found =
                    consumer.offsetsForTimes(Map.of(partition, at.time().toEpochMilli()), limit)
                            .get(partition);
            return found == null ? consumer.endOffsets(one, limit).get(partition) : found.offset();
        }
        return consumer.beginningOffsets(one, limit).get(partition);
    }

    /**
     * Where a replay begins, for each partition that has such a place. Waits for the broker within
     * the limit.
     *
     * @throws KafkaException if it does not tell
     */
    Map<TopicPartition, Long> offsets(Set<TopicPartition> partitions, ReplayFrom from) {
        if (from instanceof ReplayFrom.At at) {
            Map<TopicPartition, Long> times = new HashMap<>();
            partitions.forEach(one -> times.put(one, at.time().toEpochMilli()));
            Map<TopicPartition, Long> offsets = new HashMap<>();
            consumer.offsetsForTimes(times, limit)
                    .forEach(
                            (one, found) -> {
                                if (found != null) {
                                    offsets.put(one, found.offset());
                                }
                            });
            return offsets;
        }
        Map<TopicPartition, Long> offsets =
                new HashMap<>(consumer.beginningOffsets(partitions, limit));
        if (from instanceof ReplayFrom.Offset asked) {
            offsets.replaceAll((one, first) -> Math.max(first, asked.offset()));
        }
        return offsets;
    }

    /**
     * Tells the ends of a topic, and the group's positions where others read it. Waits for the
     * broker within the limit; tells nothing if it does not answer.
     *
     * @param own partitions that are read here
     */
    void tellEnds(SourceTopic topic, Set<TopicPartition> own, DrainFirst.Answer answer) {
        Set<TopicPartition> all = new HashSet<>();
        for (int number = 0; number < topic.partitions(); number++) {
            all.add(new TopicPartition(topic.name(), number));
        }
        Set<TopicPartition> others = new HashSet<>(all);
        others.removeAll(own);
        try {
            Map<Integer, Long> ends = new HashMap<>();
            consumer.endOffsets(all, limit).forEach((one, end) -> ends.put(one.partition(), end));
            Map<Integer, Long> committed = new HashMap<>();
            if (!others.isEmpty()) {
                consumer.committed(others, limit)
                        .forEach(
                                (one, known) -> {
                                    if (known != null) {
                                        committed.put(one.partition(), known.offset());
                                    }
                                });
            }
            answer.ends(ends, committed);
        } catch (RetriableException e) {
            LOG.debug(
                    "{}: the ends of {} can't be had now", settings.displayName(), topic.name(), e);
        }
    }

    /** The client has no usable position: none at all, or one outside the log. */
    void repair(InvalidOffsetException error, Map<TopicPartition, PartitionFlow> flows) {
        if (error instanceof NoOffsetForPartitionException) {
            missing.addAll(error.partitions());
            return;
        }
        for (TopicPartition partition : error.partitions()) {
            PartitionFlow flow = flows.get(partition);
            if (flow == null) {
                continue;
            }
            try {
                long at = consumer.position(partition, limit);
                long begin = consumer.beginningOffsets(List.of(partition), limit).get(partition);
                LOG.warn(
                        "{}: position {} of {} is outside the log, which begins at {}: messages {} to {} are gone at"
                                + " the source; going on at {}",
                        settings.displayName(),
                        at,
                        partition,
                        begin,
                        Math.min(at, begin),
                        Math.max(at, begin) - 1,
                        begin);
                consumer.seek(partition, begin);
                flow.jumpTo(begin);
            } catch (KafkaException e) {
                LOG.debug("{}: {} can't be repaired now", settings.displayName(), partition, e);
            }
        }
    }

    /**
     * Adds to each offset where it belongs to, so that a later reader can tell a topic that was
     * made anew.
     */
    Map<TopicPartition, OffsetAndMetadata> withMetadata(
            Map<TopicPartition, Long> offsets, Map<String, SourceTopic> topics) {
        Map<TopicPartition, OffsetAndMetadata> result = new HashMap<>();
        offsets.forEach(
                (partition, offset) -> {
                    SourceTopic topic = topics.get(partition.topic());
                    String id =
                            topic == null || topic.topicId() == null
                                    ? ""
                                    : "topic=" + topic.topicId();
                    result.put(partition, new OffsetAndMetadata(offset, id));
                });
        return result;
    }
}
