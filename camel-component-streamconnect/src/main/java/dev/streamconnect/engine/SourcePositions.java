package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.engine.PositionEvent.Kind;
import dev.streamconnect.record.OnGap;
import dev.streamconnect.record.OnRecreated;
import dev.streamconnect.record.StartFrom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
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
 *
 * <ul>
 *   <li>{@code startFrom} holds only for partitions that the topic had when the group began to read
 *       it; one that came later begins at its first message.
 *   <li>Whatever else keeps a partition from going on at its position is a {@link PositionEvent}
 *       and goes by the {@link PositionPolicy}. A partition that stops keeps its position.
 *   <li>It is judged by a probe that began after it was seen: topic ids of before may be of the old
 *       topic.
 *   <li>Where a group has no position the {@link SourceMemory} says whether it had one: only if it
 *       does not is it a first start. Until the memory has answered such a partition waits, and
 *       nothing else does.
 *   <li>Going forward over a gap leaves what was taken before it on its way. Going back, or into a
 *       new topic, waits until that is settled, since it can't be read again.
 * </ul>
 */
final class SourcePositions {

    private static final Logger LOG = LoggerFactory.getLogger(SourcePositions.class);

    private final Consumer<byte[], byte[]> consumer;
    private final ConnectionSettings settings;
    private final Duration limit;
    private final SourceMemory memory;
    private final Map<TopicPartition, Need> missing = new HashMap<>();

    /** Partitions that stopped, with where they would go on as it was told. */
    private final Map<TopicPartition, Long> stopped = new HashMap<>();

    /** A partition that may not be read before its position is set. */
    private static final class Need {
        /** It was assigned and has no position; otherwise it can't go on at the one it has. */
        private final boolean assigned;

        private long look = -1;

        /** What is known of the topic; null before it is asked for. */
        private CompletableFuture<Recalled> recall;

        private boolean cut;
        private long cutAt = -1;

        /** An operator wants to go on, after what was told to be left out up to here; -1: no. */
        private long acceptedTo = -1;

        Need(boolean assigned) {
            this.assigned = assigned;
        }

        boolean isAccepted() {
            return acceptedTo >= 0;
        }

        boolean isRecalling() {
            return recall != null && !recall.isDone();
        }
    }

    SourcePositions(
            Consumer<byte[], byte[]> consumer,
            ConnectionSettings settings,
            Duration limit,
            SourceMemory memory) {
        this.consumer = consumer;
        this.settings = settings;
        this.limit = limit;
        this.memory = memory;
    }

    /** A partition was assigned and has no position yet. */
    void missing(TopicPartition partition) {
        missing.put(partition, new Need(true));
    }

    /** The topic of these was made anew while they were read. */
    void anew(Collection<PartitionFlow> flows, SourceTopic topic) {
        for (PartitionFlow flow : flows) {
            if (!isStopped(flow.partition()) && flow.mark().isOther(topic.mark())) {
                missing.putIfAbsent(flow.partition(), new Need(false));
            }
        }
    }

    boolean isMissing(TopicPartition partition) {
        return missing.containsKey(partition);
    }

    /** True if it waits, by its policy, for somebody to decide. */
    boolean isStopped(TopicPartition partition) {
        return stopped.containsKey(partition);
    }

    /** Where a partition that stopped would go on. */
    long stoppedBefore(TopicPartition partition) {
        return stopped.get(partition);
    }

    /** Somebody has decided: a partition that stopped goes on, whatever its policy says. */
    void goOn(PartitionFlow flow, SourceTopic topic) {
        Need need = new Need(false);
        need.acceptedTo = stopped.remove(flow.partition());
        missing.put(flow.partition(), need);
        topic.link().monitor().clear(scope(flow.partition()));
    }

    /** A partition is read here no more. */
    void forget(PartitionFlow flow, SourceTopic topic) {
        Need need = missing.remove(flow.partition());
        stopped.remove(flow.partition());
        if (topic == null) {
            return;
        }
        topic.link().monitor().clear(scope(flow.partition()));
        if (need == null || !need.assigned) {
            topic.lastRead(flow.partition().partition(), flow.mark(), flow.position());
        }
    }

    private String scope(TopicPartition partition) {
        return settings.role() + " position of " + partition;
    }

    /**
     * Sets the positions that are missing; what can't be had now is tried again at the next call.
     */
    void setMissing(Map<TopicPartition, PartitionFlow> flows, Map<String, SourceTopic> topics) {
        missing.keySet().retainAll(flows.keySet());
        if (missing.isEmpty()) {
            return;
        }
        Set<TopicPartition> assigned = new HashSet<>();
        for (Map.Entry<TopicPartition, Need> entry : Map.copyOf(missing).entrySet()) {
            TopicPartition partition = entry.getKey();
            if (entry.getValue().isRecalling()) {
                continue;
            }
            if (entry.getValue().assigned) {
                assigned.add(partition);
            } else {
                PartitionFlow flow = flows.get(partition);
                SourceTopic topic = topics.get(partition.topic());
                unlessAway(() -> move(flow, topic, entry.getValue()));
            }
        }
        if (!assigned.isEmpty()) {
            unlessAway(() -> begin(assigned, flows, topics));
        }
    }

    /** What can't be had now is tried again, and keeps nothing else from being done. */
    private void unlessAway(Runnable task) {
        try {
            task.run();
        } catch (WakeupException e) {
            LOG.trace("woken; the positions are set at the next turn");
        } catch (RetriableException e) {
            LOG.debug("{}: positions can't be had now", settings.displayName(), e);
        }
    }

    // ---- partitions that were assigned

    private void begin(
            Set<TopicPartition> assigned,
            Map<TopicPartition, PartitionFlow> flows,
            Map<String, SourceTopic> topics) {
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(assigned, limit);
        Map<SourceTopic, List<PartitionFlow>> fresh = new LinkedHashMap<>();
        for (TopicPartition partition : assigned) {
            SourceTopic topic = topics.get(partition.topic());
            OffsetAndMetadata known = committed.get(partition);
            // Without the leader epoch: it belongs to one cluster only. Without any position the
            // poll fails for all, so it has one also while it may not be read.
            consumer.seek(partition, known == null ? 0 : known.offset());
            if (known == null) {
                fresh.computeIfAbsent(topic, t -> new ArrayList<>()).add(flows.get(partition));
            } else {
                topic.link().positionsAsked(settings.role().side(), true);
                unlessAway(() -> beginAt(flows.get(partition), topic, known));
            }
        }
        Map<SourceTopic, Recalled> recalled = new HashMap<>();
        fresh.forEach((topic, own) -> recall(own, topic).ifPresent(is -> recalled.put(topic, is)));
        if (recalled.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> others = committedOf(recalled.keySet());
        recalled.forEach(
                (topic, known) ->
                        unlessAway(() -> beginFresh(fresh.get(topic), topic, others, known)));
    }

    /** What is known of the topic of partitions without a position; empty while it is asked for. */
    private Optional<Recalled> recall(List<PartitionFlow> fresh, SourceTopic topic) {
        List<Need> needs = fresh.stream().map(flow -> missing.get(flow.partition())).toList();
        CompletableFuture<Recalled> asked =
                needs.stream()
                        .map(need -> need.recall)
                        .filter(Objects::nonNull)
                        .findAny()
                        .orElseGet(() -> memory.recall(topic));
        needs.forEach(need -> need.recall = asked);
        Optional<Recalled> known = Optional.ofNullable(asked.getNow(null));
        known.ifPresent(is -> topic.link().positionsAsked(settings.role().side(), !is.isEmpty()));
        return known;
    }

    private void beginAt(PartitionFlow flow, SourceTopic topic, OffsetAndMetadata known) {
        PositionMark before = PositionMark.parse(known.metadata());
        if (before.isOther(topic.mark())) {
            beginAnew(flow, topic, before, known.offset());
            return;
        }
        start(flow, topic, known.offset(), before.firstPartitions());
        flow.committed(known.offset());
    }

    /** Positions that the group has anywhere in these topics. */
    private Map<TopicPartition, OffsetAndMetadata> committedOf(Set<SourceTopic> of) {
        Set<TopicPartition> all = new HashSet<>();
        for (SourceTopic topic : of) {
            for (int partition = 0; partition < topic.partitions(); partition++) {
                all.add(new TopicPartition(topic.name(), partition));
            }
        }
        Map<TopicPartition, OffsetAndMetadata> found =
                new HashMap<>(consumer.committed(all, limit));
        found.values().removeIf(Objects::isNull);
        return found;
    }

    /** Partitions in which the group has no position. */
    private void beginFresh(
            List<PartitionFlow> fresh,
            SourceTopic topic,
            Map<TopicPartition, OffsetAndMetadata> committed,
            Recalled recalled) {
        List<PositionMark> marks = new ArrayList<>();
        committed.forEach(
                (partition, position) -> {
                    if (partition.topic().equals(topic.name())) {
                        marks.add(PositionMark.parse(position.metadata()));
                    }
                });
        // The group has positions in this topic; without any they are gone, where it is known.
        boolean isThere = marks.stream().anyMatch(mark -> !mark.isOther(topic.mark()));
        recalled.partitions().values().forEach(noted -> marks.add(noted.mark()));
        PositionMark other = null;
        boolean known = false;
        int first = 0;
        for (PositionMark mark : marks) {
            if (mark.isOther(topic.mark())) {
                other = mark;
            } else {
                known = true;
                first = Math.max(first, mark.firstPartitions());
            }
        }
        for (PartitionFlow flow : fresh) {
            int number = flow.partition().partition();
            SourceTopic.LastRead here = topic.lastRead(number);
            SourceTopic.LastRead last =
                    here.position() >= 0 ? here : recalled.partitions().getOrDefault(number, here);
            boolean wasOther = last.mark().isOther(topic.mark());
            boolean wasRead = last.position() >= 0;
            if (wasOther && (wasRead || !known)) {
                beginAnew(flow, topic, last.mark(), last.position());
            } else if (other != null && !known) {
                beginAnew(flow, topic, other, -1);
            } else if (!wasOther && wasRead) {
                // The commit has not come through, or it is gone, as in a long outage.
                start(flow, topic, last.position(), last.mark().firstPartitions());
                if (last != here) {
                    long at = last.position();
                    tell(Kind.POSITION_GONE, flow, topic, at, at, 0, false);
                }
            } else if (known && number >= first) {
                long begin = beginning(flow.partition());
                start(flow, topic, begin, first);
                tell(Kind.NEW_PARTITION, flow, topic, -1, begin, 0, false);
            } else if (known && !isThere) {
                long begin = beginning(flow.partition());
                start(flow, topic, begin, first);
                tell(Kind.POSITION_GONE, flow, topic, -1, begin, 0, false);
            } else {
                beginByRecord(flow, topic, known ? first : topic.partitions());
            }
        }
    }

    private void beginByRecord(PartitionFlow flow, SourceTopic topic, int firstPartitions) {
        StartFrom from = topic.startFrom(settings.role().side());
        if (from != null) {
            long begin = beginning(flow.partition());
            long offset = firstOffset(flow.partition(), begin, from);
            start(flow, topic, offset, firstPartitions);
            tell(Kind.START, flow, topic, -1, offset, offset - begin, false);
        }
    }

    /** It was assigned, and the topic is not the one in which the group was. */
    private void beginAnew(
            PartitionFlow flow, SourceTopic topic, PositionMark before, long position) {
        if (!hasLooked(missing.get(flow.partition()), topic)) {
            return;
        }
        long begin = beginning(flow.partition());
        boolean stops = policy(topic).onRecreated() == OnRecreated.FAIL;
        if (stops) {
            flow.startAt(position, before);
            stop(flow, topic, Kind.RECREATED, position, begin, -1);
        } else {
            start(flow, topic, begin, 0);
            tell(Kind.RECREATED, flow, topic, position, begin, -1, false);
        }
    }

    private void start(PartitionFlow flow, SourceTopic topic, long offset, int firstPartitions) {
        consumer.seek(flow.partition(), offset);
        flow.startAt(offset, topic.mark().withFirst(firstPartitions));
        missing.remove(flow.partition());
    }

    private long firstOffset(TopicPartition partition, long begin, StartFrom from) {
        if (from instanceof StartFrom.Latest) {
            return end(partition);
        }
        if (from instanceof StartFrom.At at) {
            OffsetAndTimestamp found =
                    consumer.offsetsForTimes(Map.of(partition, at.time().toEpochMilli()), limit)
                            .get(partition);
            return found == null ? end(partition) : found.offset();
        }
        return begin;
    }

    private long beginning(TopicPartition partition) {
        return consumer.beginningOffsets(List.of(partition), limit).get(partition);
    }

    private long end(TopicPartition partition) {
        return consumer.endOffsets(List.of(partition), limit).get(partition);
    }

    // ---- partitions that can't go on at their position

    /** The client has no usable position: none at all, or one outside the log. */
    void repair(InvalidOffsetException error, Map<TopicPartition, PartitionFlow> flows) {
        if (!(error instanceof OffsetOutOfRangeException outside)) {
            error.partitions().forEach(this::missing);
            return;
        }
        outside.offsetOutOfRangePartitions()
                .forEach(
                        (partition, offset) -> {
                            if (flows.containsKey(partition)) {
                                Need need = new Need(false);
                                if (error instanceof LogTruncationException truncation) {
                                    need.cut = true;
                                    need.cutAt = cutAt(truncation, partition);
                                }
                                missing.putIfAbsent(partition, need);
                                // It would look at its leader epoch again and again, and fail.
                                consumer.seek(partition, offset);
                            }
                        });
    }

    private static long cutAt(LogTruncationException truncation, TopicPartition partition) {
        OffsetAndMetadata divergent = truncation.divergentOffsets().get(partition);
        return divergent == null ? -1 : divergent.offset();
    }

    private void move(PartitionFlow flow, SourceTopic topic, Need need) {
        if (!hasLooked(need, topic)) {
            return;
        }
        TopicPartition partition = flow.partition();
        if (flow.mark().isOther(topic.mark())) {
            intoNewTopic(flow, topic, need);
            return;
        }
        long at = consumer.position(partition, limit);
        long begin = beginning(partition);
        if (at < begin) {
            overGap(flow, topic, need, at, begin);
        } else if (need.cut || at > end(partition)) {
            backToCut(flow, topic, at, Math.max(begin, need.cutAt));
        } else {
            missing.remove(partition);
        }
    }

    private void intoNewTopic(PartitionFlow flow, SourceTopic topic, Need need) {
        long from = flow.position();
        boolean stops = !need.isAccepted() && policy(topic).onRecreated() == OnRecreated.FAIL;
        if (stops) {
            stop(flow, topic, Kind.RECREATED, from, beginning(flow.partition()), -1);
        } else if (flow.isFinished()) {
            long begin = beginning(flow.partition());
            goBack(flow, begin, topic.mark().withFirst(0));
            if (!need.isAccepted()) {
                tell(Kind.RECREATED, flow, topic, from, begin, -1, false);
            }
        }
    }

    private void overGap(PartitionFlow flow, SourceTopic topic, Need need, long at, long begin) {
        long from = Math.max(at, need.acceptedTo);
        if (!need.isAccepted() && policy(topic).onGap() == OnGap.FAIL) {
            stop(flow, topic, Kind.GAP, from, begin, begin - from);
            return;
        }
        consumer.seek(flow.partition(), begin);
        missing.remove(flow.partition());
        if (from < begin) {
            tell(Kind.GAP, flow, topic, from, begin, begin - from, false);
        }
    }

    private void backToCut(PartitionFlow flow, SourceTopic topic, long at, long to) {
        if (flow.isFinished()) {
            goBack(flow, to, flow.mark());
            tell(Kind.BEYOND_END, flow, topic, at, to, 0, false);
        }
    }

    private void goBack(PartitionFlow flow, long offset, PositionMark mark) {
        consumer.seek(flow.partition(), offset);
        flow.startAnew(offset, mark);
        missing.remove(flow.partition());
    }

    private void stop(
            PartitionFlow flow, SourceTopic topic, Kind kind, long from, long to, long count) {
        missing.remove(flow.partition());
        stopped.put(flow.partition(), to);
        PositionEvent event = tell(kind, flow, topic, from, to, count, true);
        Problem problem = new Problem(LinkState.FAILED, event.text(), event.at(), true, true);
        topic.link().monitor().problem(scope(flow.partition()), problem);
    }

    private PositionEvent tell(
            Kind kind,
            PartitionFlow flow,
            SourceTopic topic,
            long from,
            long to,
            long count,
            boolean stops) {
        PositionEvent event =
                new PositionEvent(
                        kind,
                        topic.name(),
                        settings.role().side(),
                        flow.partition().partition(),
                        from,
                        to,
                        count,
                        topic.link().clock().instant(),
                        stops);
        topic.link().monitor().happened(event);
        return event;
    }

    private static boolean hasLooked(Need need, SourceTopic topic) {
        if (need.look < 0) {
            need.look = topic.look();
        }
        return topic.hasLooked(need.look);
    }

    private static PositionPolicy policy(SourceTopic topic) {
        return topic.link().definition().options().positions();
    }

    // ---- replay and commit

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

    /**
     * Adds to each offset where it belongs to, so that a later reader can tell a topic that was
     * made anew.
     */
    static Map<TopicPartition, OffsetAndMetadata> withMetadata(
            Map<TopicPartition, Long> offsets, Map<TopicPartition, PartitionFlow> flows) {
        Map<TopicPartition, OffsetAndMetadata> result = new HashMap<>();
        offsets.forEach(
                (partition, offset) -> {
                    PartitionFlow flow = flows.get(partition);
                    String mark = flow == null ? "" : flow.mark().text();
                    result.put(partition, new OffsetAndMetadata(offset, mark));
                });
        return result;
    }
}
