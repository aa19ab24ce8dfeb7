package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;

/**
 * The partitions that the group has given to a source client: each has its {@link PartitionFlow}
 * from its assignment to its end, and a position in the present consumer.
 *
 * <p>Poll thread only, but for {@link #flowsOf} and {@link #settle}.
 */
final class SourceAssignment implements ConsumerRebalanceListener {

    /** How long what is in flight may take when the group takes partitions away. */
    static final Duration REVOKE_LIMIT = Duration.ofSeconds(5);

    private static final Duration CALL_LIMIT = Duration.ofSeconds(5);

    private final ConnectionSettings settings;
    private final Map<String, SourceTopic> topics;
    private final Map<TopicPartition, PartitionFlow> flows;
    private final SourceConsumer consumer;
    private final SourceCommits commits;
    private final SourceMemory memory;
    private final OpenTransactions transactions;
    private final StoppedLag stoppedLag;
    private final UnreadableSearch unreadable;
    private final Set<TopicPartition> paused = new HashSet<>();

    /** What was read until the consumer ended; the lag of then is told until it is read again. */
    private final Set<TopicPartition> away = new HashSet<>();

    private SourcePositions positions;
    private boolean pausedByPace;

    /**
     * @param flows empty, and changed here only
     * @param unreadable topics that it holds back are paused
     */
    SourceAssignment(
            ConnectionSettings settings,
            Map<String, SourceTopic> topics,
            Map<TopicPartition, PartitionFlow> flows,
            SourceConsumer consumer,
            SourceCommits commits,
            SourceMemory memory,
            SourceProbe probe,
            UnreadableSearch unreadable) {
        this.settings = settings;
        this.topics = topics;
        this.flows = flows;
        this.consumer = consumer;
        this.commits = commits;
        this.memory = memory;
        this.transactions = probe.transactions();
        this.stoppedLag = probe.stoppedLag();
        this.unreadable = unreadable;
    }

    /** A consumer was built; it has no partitions yet. */
    void begin(Consumer<byte[], byte[]> built) {
        positions = new SourcePositions(built, settings, CALL_LIMIT, memory);
    }

    /** Of the present consumer. */
    SourcePositions positions() {
        return positions;
    }

    Set<String> topicNames() {
        Set<String> assigned = new HashSet<>();
        flows.keySet().forEach(partition -> assigned.add(partition.topic()));
        return assigned;
    }

    List<PartitionFlow> flowsOf(String topic) {
        return flows.values().stream()
                .filter(flow -> flow.partition().topic().equals(topic))
                .toList();
    }

    /** Gives an assigned partition its flow, unless it has one or its topic may not be read. */
    void adopt(TopicPartition partition) {
        SourceTopic topic = topics.get(partition.topic());
        if (topic == null || !topic.isReadable() || flows.containsKey(partition)) {
            return;
        }
        PartitionFlow flow =
                new PartitionFlow(
                        topic.link(),
                        partition,
                        settings.role().side(),
                        topic::partitions,
                        consumer::wake);
        if (topic.link().undelivered() != null) {
            flow.keepUndelivered(topic.link().undelivered(), topic.mark().topicId());
        }
        flows.put(partition, flow);
        topic.link().add(flow);
        positions.missing(partition);
        if (consumer.get().paused().contains(partition)) {
            // Of a flow before this one: the topic left and came back, the assignment stayed.
            paused.add(partition);
        }
        tellAssigned(topic);
    }

    /** Ends flows; what they have not settled is read again by whoever has the partition next. */
    void drop(Collection<PartitionFlow> dropped) {
        end(dropped);
        dropped.forEach(flow -> noLag(flow.partition()));
    }

    private void end(Collection<PartitionFlow> dropped) {
        memory.forget(dropped);
        for (PartitionFlow flow : dropped) {
            flow.close();
            flows.remove(flow.partition());
            paused.remove(flow.partition());
            transactions.forget(flow.partition());
            stoppedLag.forget(flow.partition());
            SourceTopic topic = topics.get(flow.partition().topic());
            positions.forget(flow, topic);
            if (topic != null) {
                topic.link().remove(flow);
                tellAssigned(topic);
            }
        }
    }

    private void noLag(TopicPartition partition) {
        SourceTopic topic = topics.get(partition.topic());
        if (topic != null) {
            topic.link().monitor().noLag(SourceLag.scope(settings, partition));
        }
    }

    /** Ends all flows, with the consumer: nobody can look at their partitions for a while. */
    void dropAll() {
        List<PartitionFlow> all = List.copyOf(flows.values());
        end(all);
        for (PartitionFlow flow : all) {
            SourceTopic topic = topics.get(flow.partition().topic());
            if (topic != null) {
                topic.link().monitor().keepLag(SourceLag.scope(settings, flow.partition()));
                away.add(flow.partition());
            }
        }
    }

    /** The lag of what was read until the consumer ended, and is not read now, is not ours. */
    void forgetAway(Predicate<TopicPartition> which) {
        List<TopicPartition> forgotten = away.stream().filter(which).toList();
        forgotten.forEach(away::remove);
        forgotten.stream().filter(one -> !flows.containsKey(one)).forEach(this::noLag);
    }

    private void tellAssigned(SourceTopic topic) {
        topic.link().monitor().assigned(settings.role().name(), flowsOf(topic.name()).size());
    }

    /** Whether nothing may be read now, since a {@link Pace} holds it back. */
    void pausedByPace(boolean now) {
        pausedByPace = now;
    }

    /**
     * Sets positions that are missing, and pauses and resumes as the flows want it. Before each
     * poll, and in it when partitions were assigned: it would read from the committed position by
     * itself.
     */
    void prepare() {
        positions.setMissing(flows, topics);
        List<TopicPartition> pause = new ArrayList<>();
        List<TopicPartition> resume = new ArrayList<>();
        for (Map.Entry<TopicPartition, PartitionFlow> entry : flows.entrySet()) {
            boolean wanted =
                    pausedByPace
                            || entry.getValue().wantsPause()
                            || positions.isMissing(entry.getKey())
                            || positions.isStopped(entry.getKey())
                            || unreadable.isHeldBack(entry.getKey().topic());
            if (wanted && paused.add(entry.getKey())) {
                pause.add(entry.getKey());
            } else if (!wanted && paused.remove(entry.getKey())) {
                resume.add(entry.getKey());
            }
        }
        if (!pause.isEmpty()) {
            consumer.get().pause(pause);
        }
        if (!resume.isEmpty()) {
            consumer.get().resume(resume);
        }
    }

    /**
     * Waits for the flows within the deadline; commits in between where that lets them go on.
     *
     * @param deadlineNanos as {@link System#nanoTime}
     */
    static void settle(List<PartitionFlow> settling, long deadlineNanos, Runnable commit) {
        try {
            for (PartitionFlow flow : settling) {
                while (flow.awaitQuiet(deadlineNanos) && System.nanoTime() < deadlineNanos) {
                    commit.run();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
        assigned.forEach(this::adopt);
        forgetAway(partition -> true);
        prepare();
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        List<PartitionFlow> leaving = flowsIn(revoked);
        leaving.forEach(PartitionFlow::stop);
        settle(
                leaving,
                System.nanoTime() + REVOKE_LIMIT.toNanos(),
                () -> commits.commitNow(leaving));
        commits.commitLast(leaving);
        drop(leaving);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
        drop(flowsIn(lost));
    }

    private List<PartitionFlow> flowsIn(Collection<TopicPartition> partitions) {
        return partitions.stream().map(flows::get).filter(flow -> flow != null).toList();
    }
}
