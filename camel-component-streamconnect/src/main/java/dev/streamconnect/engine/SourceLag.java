package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the links what waits in their partitions, by what the consumer knows without asking the
 * broker. Poll thread only.
 */
final class SourceLag {

    private static final Logger LOG = LoggerFactory.getLogger(SourceLag.class);

    private final ConnectionSettings settings;
    private final Map<String, SourceTopic> topics;
    private final SourceConsumer consumer;
    private final SourceAssignment assignment;
    private final OpenTransactions transactions;
    private final StoppedLag stopped;

    SourceLag(
            ConnectionSettings settings,
            Map<String, SourceTopic> topics,
            SourceConsumer consumer,
            SourceAssignment assignment,
            SourceProbe probe) {
        this.settings = settings;
        this.topics = topics;
        this.consumer = consumer;
        this.assignment = assignment;
        this.transactions = probe.transactions();
        this.stopped = probe.stoppedLag();
    }

    /** Under which a partition's lag is told to its link. */
    static String scope(ConnectionSettings settings, TopicPartition partition) {
        return settings.role() + " " + partition;
    }

    /** Also settles what needs no delivery: transaction markers and holes. */
    void observe(PartitionFlow flow) {
        TopicPartition partition = flow.partition();
        if (assignment.positions().isMissing(partition)) {
            return;
        }
        long behind = flow.pending();
        long position = -1;
        try {
            // Known locally: no call to the broker.
            position = consumer.get().position(partition, Duration.ZERO);
            flow.idleAt(position);
            behind = flow.behind(position);
        } catch (TimeoutException e) {
            // After a change of leaders the client looks at its position first: next time.
            LOG.debug("{}: the position of {} is not known now", settings.displayName(), partition);
        }
        SourceTopic topic = topics.get(partition.topic());
        if (assignment.positions().isStopped(partition)) {
            stopped.stopped(
                    partition,
                    assignment.positions().stoppedBefore(partition),
                    topic.link().monitor());
            return;
        }
        stopped.forget(partition);
        OptionalLong unread = consumer.get().currentLag(partition);
        if (position >= 0 && unread.isPresent() && unread.getAsLong() + behind == 0) {
            transactions.readTo(partition, position, topic.link().monitor());
        } else {
            transactions.forget(partition);
        }
        if (unread.isPresent()) {
            topic.link()
                    .monitor()
                    .lag(
                            scope(settings, partition),
                            unread.getAsLong() + behind,
                            flow.headTimestamp(),
                            topic.retentionMillis());
        }
    }

    /** What is left behind at the end of an assignment; not known after every failure. */
    void observeLast(Collection<PartitionFlow> leaving) {
        try {
            leaving.forEach(this::observe);
        } catch (RuntimeException e) {
            LOG.debug("{}: the last lag is not known", settings.displayName(), e);
        }
    }
}
