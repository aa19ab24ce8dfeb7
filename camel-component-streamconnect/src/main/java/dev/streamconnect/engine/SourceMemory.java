package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.engine.SourceTopic.LastRead;
import dev.streamconnect.spi.KnownPartition;
import dev.streamconnect.spi.TopicReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * What the database knows of the topics of one source client, and what it is told. Poll thread
 * only; nothing waits for the database.
 *
 * <p>Only positions that the group has committed are noted, so a note is never ahead of them, and
 * only with a topic's id: without it nobody could tell a topic that was made anew.
 */
final class SourceMemory {

    /** So far a note may be behind the position. */
    static final Duration NOTE_EACH = Duration.ofMinutes(1);

    /** How often what has not changed is noted. */
    static final Duration SEEN_EACH = Duration.ofHours(1);

    private final KnownTopics known;
    private final ConnectionSettings settings;
    private final Map<TopicPartition, Noted> noted = new HashMap<>();

    private record Noted(PositionMark mark, long position, Instant at) {

        boolean isDue(Noted now) {
            Duration each = position == now.position ? SEEN_EACH : NOTE_EACH;
            return !mark.equals(now.mark) || !at.plus(each).isAfter(now.at);
        }
    }

    /**
     * @param known null without a database: nothing is known then
     */
    SourceMemory(KnownTopics known, ConnectionSettings settings) {
        this.known = known;
        this.settings = settings;
    }

    /**
     * Asks what is known of a topic.
     *
     * @return never completes exceptionally; as long as it is not complete the link's status says
     *     why
     */
    CompletableFuture<Recalled> recall(SourceTopic topic) {
        if (known == null) {
            return CompletableFuture.completedFuture(Recalled.NOTHING);
        }
        String scope = settings.role() + " known topics " + topic.name();
        LinkMonitor monitor = topic.link().monitor();
        return known.recall(
                        reader(topic.name()),
                        why ->
                                monitor.problem(
                                        scope,
                                        new Problem(
                                                LinkState.STALLED,
                                                "the group has no position in "
                                                        + topic.name()
                                                        + ", and whether it was read before is not known: "
                                                        + why,
                                                topic.link().clock().instant(),
                                                false,
                                                true)))
                .thenApply(
                        found -> {
                            monitor.clear(scope);
                            return recalled(found);
                        });
    }

    private static Recalled recalled(List<KnownPartition> found) {
        Map<Integer, LastRead> partitions = new HashMap<>();
        found.forEach(
                one -> partitions.put(one.partition(), new LastRead(mark(one), one.position())));
        PositionMark newest =
                found.stream()
                        .max(Comparator.comparing(KnownPartition::lastSeen))
                        .map(SourceMemory::mark)
                        .orElse(PositionMark.UNKNOWN);
        return new Recalled(partitions, newest);
    }

    private static PositionMark mark(KnownPartition one) {
        return new PositionMark(one.topicId(), one.clusterId(), one.firstPartitions());
    }

    /** Notes those that are due. */
    void note(Collection<PartitionFlow> flows, Instant now) {
        note(flows, now, false);
    }

    /** Notes where partitions are that will not be read here any more. */
    void last(Collection<PartitionFlow> flows, Instant now) {
        note(flows, now, true);
    }

    /** They are read here no more. Others may have gone on in them, so nothing is noted. */
    void forget(Collection<PartitionFlow> flows) {
        flows.forEach(flow -> noted.remove(flow.partition()));
    }

    private void note(Collection<PartitionFlow> flows, Instant now, boolean last) {
        if (known == null) {
            return;
        }
        List<KnownPartition> due = new ArrayList<>();
        for (PartitionFlow flow : flows) {
            Noted seen = new Noted(flow.mark(), flow.committed(), now);
            Noted before = noted.get(flow.partition());
            if (seen.position() < 0 || seen.mark().topicId().isEmpty()) {
                continue;
            }
            boolean moved = before == null || before.position() != seen.position();
            if (before == null || before.isDue(seen) || (last && moved)) {
                noted.put(flow.partition(), seen);
                due.add(known(flow.partition(), seen));
            }
        }
        if (!due.isEmpty()) {
            known.note(due);
        }
    }

    private KnownPartition known(TopicPartition partition, Noted seen) {
        return new KnownPartition(
                reader(partition.topic()),
                partition.partition(),
                seen.mark().topicId(),
                seen.mark().clusterId(),
                seen.mark().firstPartitions(),
                seen.position(),
                seen.at(),
                seen.at());
    }

    private TopicReader reader(String topic) {
        String side = settings.role().side();
        return new TopicReader(
                settings.groupId(), settings.cluster(), side == null ? "" : side, topic);
    }
}
