package dev.streamconnect.engine;

import dev.streamconnect.cluster.Causes;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.TokenException;
import dev.streamconnect.cluster.UnresolvedHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The poll thread of a source client: does what it is asked, polls, offers the records to the flows
 * of their partitions, has commits begun, mends what fails, and ends in order.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>It never waits for a destination, but within the limits of a revocation and of a stop.
 *   <li>Nothing that a topic does ends it: a topic leaves the subscription at its first error,
 *       since an error of one topic is thrown for all of them.
 * </ul>
 *
 * <p>Threads: what is named so is for any thread and never blocks; the rest is the poll thread's.
 */
final class SourcePoller {

    private static final String END_SCOPE = "end";
    private static final Logger LOG = LoggerFactory.getLogger(SourcePoller.class);

    private static final Duration IDLE = Duration.ofMillis(200);
    private static final Duration CALL_LIMIT = Duration.ofSeconds(5);
    private static final Duration HAND_OVER_LIMIT = Duration.ofSeconds(3);

    private final ConnectionSettings settings;
    private final Clock clock;
    private final OutageGate gate;
    private final Map<String, SourceTopic> topics;
    private final Map<TopicPartition, PartitionFlow> flows = new ConcurrentHashMap<>();
    private final SourceProbe probe;
    private final SourceConsumer consumer;
    private final SourceMemory memory;
    private final SourceCommits commits;
    private final SourceAssignment assignment;
    private final SourceSubscription subscription;
    private final SourceLag lag;
    private final SourceReplays replays;
    private final UnreadableSearch unreadable = new UnreadableSearch();
    private final ReadFailures failures;
    private final BlockingQueue<Runnable> commands = new LinkedBlockingQueue<>();
    private final Map<KafkaLink, DrainFirst.Answer> questions = new ConcurrentHashMap<>();
    private final Thread thread;

    /** Why nothing is read any more; null while it is. */
    private volatile Problem ended;

    private volatile Pace pace = Pace.NONE;
    private volatile boolean closing;
    private volatile Instant closeBy = Instant.EPOCH;

    /**
     * @param topics of the links, by name; thread-safe
     * @param leaveGroup gives the place in the group up; may block for seconds
     */
    SourcePoller(
            ConnectionSettings settings,
            String clientId,
            Clock clock,
            OutageGate gate,
            Map<String, SourceTopic> topics,
            SourceConsumer consumer,
            Runnable leaveGroup,
            SourceProbe probe,
            SourceMemory memory) {
        this.settings = settings;
        this.clock = clock;
        this.gate = gate;
        this.topics = topics;
        this.probe = probe;
        this.consumer = consumer;
        this.memory = memory;
        this.commits = new SourceCommits(settings, clock, consumer, flows, memory);
        this.assignment =
                new SourceAssignment(
                        settings, topics, flows, consumer, commits, memory, probe, unreadable);
        this.subscription =
                new SourceSubscription(clock, gate, topics, consumer, assignment, leaveGroup);
        this.lag = new SourceLag(settings, topics, consumer, assignment, probe);
        this.failures =
                new ReadFailures(settings, clock, topics, probe.scope(SourceProbe.READ_SCOPE));
        this.replays = new SourceReplays(flows, settings.role().side());
        this.thread = new Thread(this::run, "streamconnect-poll-" + clientId);
        this.thread.setDaemon(true);
    }

    /** Builds the first consumer, if a host has an address, and begins; once. */
    void start() {
        try {
            build();
        } catch (UnresolvedHostException | TokenException e) {
            // The poll thread tries again and says so.
            LOG.debug("no consumer yet", e);
        }
        thread.start();
    }

    // ---- any thread

    /** Before anything is read. */
    void pacedBy(Pace shared) {
        pace = shared;
    }

    /** Has the poll thread do something between two polls. */
    void command(Runnable command) {
        commands.add(command);
        consumer.wake();
    }

    /** As {@link #command}, but only if that consumer is still the present one. */
    void ifStill(Consumer<byte[], byte[]> watched, Runnable change) {
        command(
                () -> {
                    if (watched == consumer.get()) {
                        change.run();
                    }
                });
    }

    /** See {@link SourceClient#askEnds}. */
    void askEnds(KafkaLink link, DrainFirst.Answer answer) {
        // No command: it would cut a pause after an error short.
        questions.put(link, answer);
        consumer.wake();
    }

    /** See {@link SourceClient#replay}. */
    void replay(
            SourceTopic topic,
            ReplayFrom from,
            Integer partition,
            Duration limit,
            CompletableFuture<List<ReplayedPartition>> answer) {
        command(
                () ->
                        SourceConsumer.unwoken(
                                () ->
                                        replays.begin(
                                                topic,
                                                from,
                                                partition,
                                                assignment.positions(),
                                                clock.instant(),
                                                limit,
                                                answer)));
    }

    List<PartitionFlow> flowsOf(String topic) {
        return assignment.flowsOf(topic);
    }

    boolean isSubscribed() {
        return !subscription.isEmpty();
    }

    boolean isClosing() {
        return closing;
    }

    /** Tells a link that came after the end of the reading. */
    void tellIfEnded(KafkaLink link) {
        if (ended != null) {
            link.monitor().problem(probe.scope(END_SCOPE), ended);
        }
    }

    /**
     * Stops polling, settles what is in flight, commits and leaves the group. Waits for it.
     *
     * @param by until when to settle
     */
    void close(Instant by) {
        closeBy = by;
        closing = true;
        // Also ends a pause after an error.
        command(() -> {});
        try {
            Duration limit = Duration.between(clock.instant(), by).plus(CALL_LIMIT.multipliedBy(3));
            thread.join(Math.max(1, limit.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- commands, poll thread

    /** What may be read has changed. */
    void changeSubscription() {
        subscription.changeIn(SourceSubscription.COALESCE);
    }

    /** A topic that is read is another one since. */
    void anew(SourceTopic topic) {
        assignment.positions().anew(flowsOf(topic.name()), topic);
    }

    void commitNow(Collection<PartitionFlow> of) {
        commits.commitNow(of);
    }

    /**
     * Ends the flows of a topic, which leaves the subscription.
     *
     * @param coalesce so long it may come back without a rebalance
     */
    void leave(String name, Duration coalesce) {
        List<PartitionFlow> own = flowsOf(name);
        commits.commitLast(own);
        lag.observeLast(own);
        assignment.drop(own);
        assignment.forgetAway(partition -> partition.topic().equals(name));
        SourceTopic topic = topics.get(name);
        if (topic != null) {
            topic.left();
        }
        subscription.changeIn(coalesce);
    }

    /** A link's question is not answered any more. */
    void forget(KafkaLink link) {
        questions.remove(link);
    }

    /**
     * Goes on with a new consumer from where all that was taken is settled and committed, so that
     * nothing is read twice; what takes longer than the limit is read again.
     */
    void handOver(String reason) {
        if (consumer.get() == null) {
            return;
        }
        List<PartitionFlow> all = List.copyOf(flows.values());
        all.forEach(PartitionFlow::stop);
        long deadline = System.nanoTime() + HAND_OVER_LIMIT.toNanos();
        SourceAssignment.settle(all, deadline, () -> commits.commitNow(all));
        commits.commitLast(all);
        rebuild(reason);
    }

    /** Goes on with a new consumer, since this one is silent though its cluster is not. */
    void rebuild(String reason) {
        LOG.info("{}: new consumer, because {}", settings.displayName(), reason);
        dropConsumer();
        build();
        startAnew();
    }

    /** No broker that it knows is there any more: the next is built when one answers. */
    void giveUp() {
        LOG.debug("{}: no connection is left", settings.displayName());
        gate.shut();
        dropConsumer();
    }

    private static long bytes(ConsumerRecords<byte[], byte[]> records) {
        long bytes = 0;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            bytes += RecordSize.of(record.key(), record.value(), record.headers());
        }
        return bytes;
    }

    private void build() {
        assignment.begin(consumer.build());
    }

    private void startAnew() {
        commits.restarted();
        probe.restarted();
        changeSubscription();
    }

    private void dropConsumer() {
        assignment.dropAll();
        subscription.dropped();
        consumer.drop();
    }

    // ---- polling

    private void run() {
        try {
            pollUntilClosed();
        } catch (Error e) {
            LOG.error("{}: reading ended by an error of the JVM", settings.displayName(), e);
            // Kafka's client may skip messages after it: nothing more is polled.
            String missingCodec = MissingCodec.explain(e);
            String why = missingCodec == null ? Causes.shortest(e) : missingCodec;
            ended =
                    new Problem(
                            LinkState.FAILED,
                            settings.displayName()
                                    + ": reading ended: "
                                    + why
                                    + "; restart the process",
                            clock.instant(),
                            true);
            topics.values().forEach(topic -> tellIfEnded(topic.link()));
        }
        end();
    }

    private void pollUntilClosed() {
        try {
            while (!closing) {
                try {
                    if (consumer.get() == null && !gate.isOpen()) {
                        waitForCommand();
                        continue;
                    }
                    step();
                    failures.worked();
                } catch (InterruptException e) {
                    break;
                } catch (RuntimeException e) {
                    mendSafely(e);
                }
            }
        } catch (InterruptException e) {
            LOG.debug("{}: interrupted while mending", settings.displayName());
        }
    }

    private void step() {
        if (consumer.get() == null) {
            build();
            startAnew();
        }
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
            if (consumer.get() == null) {
                // It was given up; what else is wanted waits for the next.
                return;
            }
        }
        answerQuestions();
        if (replays.advance(
                consumer.get(), assignment.positions(), commits.isUnderWay(), clock.instant())) {
            commits.hurry();
        }
        subscription.changeIfDue();
        if (subscription.isEmpty()) {
            waitForCommand();
            return;
        }
        long wait = pace.nanosToWait(this);
        assignment.pausedByPace(wait > 0);
        assignment.prepare();
        // What can't be read is here already.
        ConsumerRecords<byte[], byte[]> records = consumer.poll(unreadable.isUnderWay(), wait);
        if (pace.isOn()) {
            pace.took(this, bytes(records));
        }
        unreadable.worked();
        for (TopicPartition partition : records.partitions()) {
            PartitionFlow flow = flows.get(partition);
            if (flow != null && !assignment.positions().isMissing(partition)) {
                flow.offer(flow.withoutRepeats(records.records(partition)));
            }
        }
        afterPoll();
    }

    private void answerQuestions() {
        for (KafkaLink asking : questions.keySet()) {
            DrainFirst.Answer answer = questions.remove(asking);
            SourceTopic topic = topics.get(asking.definition().sourceTopic());
            if (topic == null || topic.link() != asking) {
                continue;
            }
            if (topic.isMissing()) {
                answer.ends(Map.of(), Map.of());
            } else if (topic.isReadable()) {
                SourceConsumer.unwoken(
                        () -> assignment.positions().tellEnds(topic, flows.keySet(), answer));
            }
        }
    }

    private void waitForCommand() {
        try {
            Runnable command = commands.poll(IDLE.toMillis(), TimeUnit.MILLISECONDS);
            if (command != null) {
                command.run();
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private void afterPoll() {
        boolean urgent = false;
        boolean intervalOver = false;
        for (PartitionFlow flow : flows.values()) {
            urgent |= flow.isCommitUrgent();
            KafkaLink link = topics.get(flow.partition().topic()).link();
            intervalOver |= commits.isOlderThan(link.definition().options().commitInterval());
        }
        if (intervalOver) {
            flows.values().forEach(lag::observe);
            memory.note(flows.values(), clock.instant());
        }
        if (urgent || intervalOver) {
            commits.begin();
        }
    }

    // ---- failures

    /** What goes wrong while mending must not end the poll thread: nobody would read any more. */
    private void mendSafely(RuntimeException error) {
        try {
            mend(error);
        } catch (InterruptException e) {
            throw e;
        } catch (WakeupException e) {
            LOG.trace("woken");
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void mend(RuntimeException error) {
        if (error instanceof WakeupException) {
            LOG.trace("woken");
        } else if (error instanceof InvalidOffsetException e) {
            assignment.positions().repair(e, flows);
        } else if (error instanceof TopicAuthorizationException e) {
            e.unauthorizedTopics().forEach(topic -> leaveAtError(topic, e));
        } else if (error instanceof InvalidTopicException e) {
            e.invalidTopics().forEach(topic -> leaveAtError(topic, e));
        } else if (MissingCodec.explain(error) != null) {
            String topic = unreadable.failed(assignment.topicNames());
            if (topic != null) {
                // It is assigned until the subscription has changed, and would fail each poll.
                consumer.get()
                        .pause(flowsOf(topic).stream().map(PartitionFlow::partition).toList());
                leaveAtError(topic, error);
            }
        } else {
            failed(error);
        }
    }

    private void leaveAtError(String name, RuntimeException error) {
        SourceTopic topic = topics.get(name);
        if (topic != null) {
            probe.failed(
                    topic,
                    FailureClassifier.classify(
                            "topic " + name + " at " + settings.displayName(), settings, error));
        }
        leave(name, SourceSubscription.COALESCE);
    }

    private void failed(RuntimeException error) {
        String why = failures.failed(error, consumer.get() != null);
        if (why != null) {
            tryRebuild(why);
        }
        pauseAfterError(failures.pause());
    }

    private void pauseAfterError(Duration delay) {
        try {
            Runnable command = commands.poll(delay.toMillis(), TimeUnit.MILLISECONDS);
            if (command != null) {
                command.run();
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (InterruptException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.debug("{}: a command failed", settings.displayName(), e);
        }
    }

    /** An unknown host or a certificate that is being replaced: the next turn tries again. */
    private void tryRebuild(String reason) {
        try {
            rebuild(reason);
        } catch (InterruptException e) {
            throw e;
        } catch (RuntimeException e) {
            failures.notRebuilt(e);
        }
    }

    // ---- the end

    private void end() {
        List<PartitionFlow> all = List.copyOf(flows.values());
        all.forEach(PartitionFlow::stop);
        long deadline =
                System.nanoTime()
                        + Math.max(0, Duration.between(clock.instant(), closeBy).toNanos());
        SourceAssignment.settle(all, deadline, () -> commits.commitNow(all));
        commits.commitLast(all);
        replays.end();
        if (consumer.get() != null) {
            lag.observeLast(all);
        }
        assignment.drop(all);
        consumer.close(CALL_LIMIT);
        subscription.leaveGroup();
    }
}
