package dev.streamconnect.engine;

import dev.streamconnect.cluster.Causes;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.KafkaClients;
import dev.streamconnect.cluster.UnresolvedHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one consumer of a connection (or of a side of the pair); links register their topics on it.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Only the poll thread touches the consumer (but for {@code wakeup} and its metrics); it
 *       never waits for a destination.
 *   <li>A topic joins the subscription only after a probe has seen it and the right to read it, and
 *       leaves at its first error, since an error of one topic is thrown for all of them.
 *   <li>Positions are set by {@link SourcePositions}, never by a reset policy of the client.
 *   <li>An offset is committed only if its {@link PartitionFlow} has settled it.
 * </ul>
 *
 * <p>The class is long because everything in it shares the poll thread's state.
 */
final class SourceClient implements AutoCloseable {

    private static final String END_SCOPE = "end";
    private static final Logger LOG = LoggerFactory.getLogger(SourceClient.class);

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration COALESCE = Duration.ofMillis(200);

    /**
     * A link that restarts with other options is back by then, and its topic never left: no
     * rebalance.
     */
    private static final Duration COALESCE_LEAVING = Duration.ofSeconds(1);

    private static final Duration CALL_LIMIT = Duration.ofSeconds(5);
    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(3);
    private static final Duration REVOKE_LIMIT = Duration.ofSeconds(5);
    private static final Duration COMMIT_PATIENCE = Duration.ofSeconds(10);
    private static final int ERRORS_BEFORE_REBUILD = 5;

    /** A side may be idle for weeks, and a broker forgets a position that is old. */
    static final Duration KEEP_POSITIONS = Duration.ofHours(1);

    private final ConnectionSettings settings;
    private final Clock clock;
    private final OutageGate gate;
    private final Supplier<Consumer<byte[], byte[]>> consumers;
    private final SourceMemory memory;
    private final Runnable leaveGroup;
    private final SourceProbe probe;
    private final LostConnection connection;
    private final Backoff errorBackoff =
            new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    private final Map<String, SourceTopic> topics = new ConcurrentHashMap<>();
    private final Map<TopicPartition, PartitionFlow> flows = new ConcurrentHashMap<>();
    private final SourceReplays replays;
    private final Set<TopicPartition> paused = new HashSet<>();
    private final BlockingQueue<Runnable> commands = new LinkedBlockingQueue<>();
    private final Map<KafkaLink, DrainFirst.Answer> questions = new ConcurrentHashMap<>();
    private final AtomicBoolean wakeWanted = new AtomicBoolean();
    private final ThrottleTime throttle = ThrottleTime.ofConsumer();
    private final UnreadableSearch unreadable = new UnreadableSearch();
    private final Thread poller;

    /**
     * Null as long as no host of the bootstrap list has an address, and in an outage as long as
     * nothing answers.
     */
    private volatile Consumer<byte[], byte[]> consumer;

    private volatile boolean polling;

    /** Why nothing is read any more; null while it is. */
    private volatile Problem ended;

    private volatile boolean closing;
    private volatile Instant closeBy = Instant.EPOCH;
    private SourcePositions positions;
    private Set<String> subscribed = Set.of();
    private Instant subscribeAt = Instant.MAX;
    private Instant lastCommit = Instant.EPOCH;
    private Instant lastFullCommit;
    private Instant commitUnderWaySince;
    private boolean commitsByTopic;
    private boolean hasJoined;
    private int errorsInARow;

    /**
     * @param known null without a database
     */
    SourceClient(ConnectionSettings settings, String clientId, Clock clock, KnownTopics known) {
        this(
                settings,
                clientId,
                clock,
                new OutageGate(settings, clock),
                placeInGroup(settings, clientId),
                new SourceMemory(known, settings));
    }

    /**
     * A place for this run of the process, or the one that the user has named: it survives a kill,
     * and no two processes may have it at once.
     */
    private static String placeInGroup(ConnectionSettings settings, String clientId) {
        Object named = settings.properties().get(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        return named == null ? clientId + "-" + UUID.randomUUID() : String.valueOf(named);
    }

    private SourceClient(
            ConnectionSettings settings,
            String clientId,
            Clock clock,
            OutageGate gate,
            String instanceId,
            SourceMemory memory) {
        this(
                settings,
                clientId,
                clock,
                gate,
                () -> KafkaClients.consumer(settings, clientId, instanceId),
                () ->
                        KafkaClients.leaveGroup(
                                settings, clientId + "-leave", instanceId, LEAVE_LIMIT),
                new SourceProbe(settings, clientId + "-probe", instanceId, clock, gate),
                memory);
    }

    /**
     * With consumers and a probe of the caller's, which this client closes.
     *
     * @param consumers consumers built one after another have one place in the group, which they
     *     keep when they are closed
     * @param leaveGroup gives it up; may block for seconds
     */
    SourceClient(
            ConnectionSettings settings,
            String clientId,
            Clock clock,
            OutageGate gate,
            Supplier<Consumer<byte[], byte[]>> consumers,
            Runnable leaveGroup,
            SourceProbe probe,
            SourceMemory memory) {
        this.settings = settings;
        this.clock = clock;
        this.gate = gate;
        this.consumers = consumers;
        this.leaveGroup = leaveGroup;
        this.memory = memory;
        this.probe = probe;
        this.lastFullCommit = clock.instant();
        this.connection = LostConnection.ofConsumer(SourceProbe.SILENT, clock);
        this.replays = new SourceReplays(flows, settings.role().side());
        try {
            use(consumers.get());
        } catch (UnresolvedHostException e) {
            // The poll thread tries again and says so.
            LOG.debug("no consumer yet", e);
        }
        this.poller = new Thread(this::run, "streamconnect-poll-" + clientId);
        this.poller.setDaemon(true);
        this.poller.start();
    }

    private void use(Consumer<byte[], byte[]> built) {
        consumer = built;
        positions = new SourcePositions(built, settings, CALL_LIMIT, memory);
    }

    /** Registers a link's topic; it is read as soon as a probe has seen it. Never blocks. */
    void register(KafkaLink link) {
        String topic = link.definition().sourceTopic();
        SourceTopic added = new SourceTopic(topic, link);
        if (topics.putIfAbsent(topic, added) != null) {
            throw new IllegalStateException(
                    "topic "
                            + topic
                            + " is read already by "
                            + topics.get(topic).link().id()
                            + " over "
                            + settings.displayName()
                            + ": one consumer for a topic and group");
        }
        if (ended != null) {
            tellEnd(link);
        }
    }

    /** Settles, commits and leaves a link's topic within the limit. */
    void unregister(KafkaLink link, Duration limit) {
        SourceTopic topic = topics.get(link.definition().sourceTopic());
        if (topic == null || topic.link() != link) {
            return;
        }
        CompletableFuture<Void> left = new CompletableFuture<>();
        long deadline = System.nanoTime() + limit.toNanos();
        List<PartitionFlow> own = flowsOf(topic.name());
        own.forEach(PartitionFlow::stop);
        settle(own, deadline, () -> requestCommit(own, deadline));
        command(
                () -> {
                    leave(topic.name(), COALESCE_LEAVING);
                    topics.remove(topic.name());
                    questions.remove(link);
                    left.complete(null);
                });
        try {
            left.get(
                    Math.max(1, deadline - System.nanoTime()) + CALL_LIMIT.toNanos(),
                    TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.debug("{}: topic {} was not left in time", settings.displayName(), topic.name(), e);
        }
    }

    /**
     * Moves positions of a link's topic back; never blocks.
     *
     * @param partition null for all
     * @param limit how long it may take
     * @param answer what was done with each partition; if it is completed before this client can
     *     begin, nothing is done
     */
    void replay(
            KafkaLink link,
            ReplayFrom from,
            Integer partition,
            Duration limit,
            CompletableFuture<List<ReplayedPartition>> answer) {
        SourceTopic topic = topics.get(link.definition().sourceTopic());
        if (topic == null || topic.link() != link) {
            answer.complete(List.of());
            return;
        }
        command(
                () ->
                        unwoken(
                                () ->
                                        replays.begin(
                                                topic,
                                                from,
                                                partition,
                                                positions,
                                                clock.instant(),
                                                limit,
                                                answer)));
    }

    /**
     * Tells the ends of a link's topic as soon as they can be had; never blocks. A later question
     * takes the place of one that has no answer yet.
     */
    void askEnds(KafkaLink link, DrainFirst.Answer answer) {
        // No command: it would cut a pause after an error short.
        questions.put(link, answer);
        wake();
    }

    /** A or B; null for a customer's Kafka. */
    String side() {
        return settings.role().side();
    }

    boolean hasTopics() {
        return !topics.isEmpty();
    }

    /**
     * Probes topics and watches for silence; called several times a second by the engine's
     * housekeeping.
     */
    void housekeep() {
        if (closing) {
            return;
        }
        SourceProbe.Changes changes = probe.probe(topics.values());
        changes.gone().forEach(topic -> command(() -> leave(topic.name())));
        changes.anew()
                .forEach(topic -> command(() -> positions.anew(flowsOf(topic.name()), topic)));
        if (!changes.joined().isEmpty()) {
            command(this::changeSubscription);
        }
        Consumer<byte[], byte[]> watched = consumer;
        watch(watched);
        if (probe.hears()) {
            probe.transactions().look();
            probe.others().look(topics.values());
        }
        long throttled =
                watched == null ? 0 : throttle.more(watched, watched::metrics, clock.millis());
        for (SourceTopic topic : topics.values()) {
            topic.link().monitor().throttled(settings.displayName(), throttled);
            topic.link().monitor().partitions(settings.role().name(), topic.partitions());
            topic.link().tick();
        }
    }

    private void watch(Consumer<byte[], byte[]> watched) {
        boolean listens =
                watched == null
                        ? topics.values().stream().anyMatch(SourceTopic::isReadable)
                        : !subscribed.isEmpty();
        boolean silent = probe.watch(watched, listens, topics.values());
        if (watched == null) {
            return;
        }
        // Asked for again and again until it is done.
        if (listens && connection.isLost(watched, watched::metrics)) {
            ifStill(watched, this::giveUp);
        } else if (silent) {
            ifStill(watched, () -> rebuild("it is silent though the cluster answers"));
        }
    }

    private void ifStill(Consumer<byte[], byte[]> watched, Runnable change) {
        command(
                () -> {
                    if (watched == consumer) {
                        change.run();
                    }
                });
    }

    // ---- poll thread

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
            topics.values().forEach(topic -> tellEnd(topic.link()));
        }
        end();
    }

    private void tellEnd(KafkaLink link) {
        link.monitor().problem(probe.scope(END_SCOPE), ended);
    }

    private void pollUntilClosed() {
        try {
            while (!closing) {
                try {
                    if (consumer == null && !gate.isOpen()) {
                        waitForCommand();
                        continue;
                    }
                    step();
                    worked();
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
            positions.repair(e, flows);
        } else if (error instanceof TopicAuthorizationException e) {
            e.unauthorizedTopics().forEach(topic -> leaveAtError(topic, e));
        } else if (error instanceof InvalidTopicException e) {
            e.invalidTopics().forEach(topic -> leaveAtError(topic, e));
        } else if (MissingCodec.explain(error) != null) {
            String topic = unreadable.failed(assignedTopics());
            if (topic != null) {
                // It is assigned until the subscription has changed, and would fail each poll.
                consumer.pause(flowsOf(topic).stream().map(PartitionFlow::partition).toList());
                leaveAtError(topic, error);
            }
        } else {
            failed(error);
        }
    }

    private void step() {
        if (consumer == null) {
            use(consumers.get());
            startAnew();
        }
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
        answerQuestions();
        Instant now = clock.instant();
        if (replays.advance(consumer, positions, isCommitUnderWay(now), now)) {
            lastCommit = Instant.EPOCH;
        }
        if (!now.isBefore(subscribeAt)) {
            subscribe();
        }
        if (subscribed.isEmpty()) {
            waitForCommand();
            return;
        }
        positions.setMissing(flows, topics);
        applyPauses();
        ConsumerRecords<byte[], byte[]> records = pollOnce();
        unreadable.worked();
        for (TopicPartition partition : records.partitions()) {
            PartitionFlow flow = flows.get(partition);
            if (flow != null && !positions.isMissing(partition)) {
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
                unwoken(() -> positions.tellEnds(topic, flows.keySet(), answer));
            }
        }
    }

    private void waitForCommand() {
        try {
            Runnable command = commands.poll(POLL.toMillis(), TimeUnit.MILLISECONDS);
            if (command != null) {
                command.run();
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private ConsumerRecords<byte[], byte[]> pollOnce() {
        polling = true;
        try {
            // What can't be read is here already.
            boolean atOnce = wakeWanted.getAndSet(false) || unreadable.isUnderWay();
            return consumer.poll(atOnce ? Duration.ZERO : POLL);
        } finally {
            polling = false;
        }
    }

    /** Lets the poll thread look at pauses and commits now; from any thread, never blocks. */
    private void wake() {
        if (!wakeWanted.getAndSet(true) && polling) {
            consumer.wakeup();
        }
    }

    private void command(Runnable command) {
        commands.add(command);
        wake();
    }

    private void applyPauses() {
        List<TopicPartition> pause = new ArrayList<>();
        List<TopicPartition> resume = new ArrayList<>();
        for (Map.Entry<TopicPartition, PartitionFlow> entry : flows.entrySet()) {
            boolean wanted =
                    entry.getValue().wantsPause()
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
            consumer.pause(pause);
        }
        if (!resume.isEmpty()) {
            consumer.resume(resume);
        }
    }

    private void afterPoll() {
        Instant now = clock.instant();
        boolean due = false;
        boolean intervalOver = false;
        for (Map.Entry<TopicPartition, PartitionFlow> entry : flows.entrySet()) {
            PartitionFlow flow = entry.getValue();
            due |= flow.isCommitUrgent();
            Duration interval =
                    topics.get(entry.getKey().topic())
                            .link()
                            .definition()
                            .options()
                            .commitInterval();
            intervalOver |= lastCommit.plus(interval).isBefore(now);
        }
        if (intervalOver) {
            flows.forEach(this::observe);
            memory.note(flows.values(), now);
        }
        if ((due || intervalOver) && !isCommitUnderWay(now)) {
            commitAsync(now);
        }
    }

    private boolean isCommitUnderWay(Instant now) {
        return commitUnderWaySince != null
                && commitUnderWaySince.plus(COMMIT_PATIENCE).isAfter(now);
    }

    private void observe(TopicPartition partition, PartitionFlow flow) {
        if (positions.isMissing(partition)) {
            return;
        }
        long behind = flow.pending();
        long position = -1;
        try {
            // Known locally: no call to the broker.
            position = consumer.position(partition, Duration.ZERO);
            flow.idleAt(position);
            behind = flow.behind(position);
        } catch (TimeoutException e) {
            // After a change of leaders the client looks at its position first: next time.
            LOG.debug("{}: the position of {} is not known now", settings.displayName(), partition);
        }
        OptionalLong unread = consumer.currentLag(partition);
        SourceTopic topic = topics.get(partition.topic());
        if (position >= 0 && unread.isPresent() && unread.getAsLong() + behind == 0) {
            probe.transactions().readTo(partition, position, topic.link().monitor());
        } else {
            probe.transactions().forget(partition);
        }
        if (unread.isPresent()) {
            topic.link()
                    .monitor()
                    .lag(
                            lagScope(partition),
                            unread.getAsLong() + behind,
                            flow.headTimestamp(),
                            topic.retentionMillis());
        }
    }

    /** What is left behind at the end of an assignment; not known after every failure. */
    private void observeLast(Collection<PartitionFlow> leaving) {
        try {
            leaving.forEach(flow -> observe(flow.partition(), flow));
        } catch (RuntimeException e) {
            LOG.debug("{}: the last lag is not known", settings.displayName(), e);
        }
    }

    private String lagScope(TopicPartition partition) {
        return settings.role() + " " + partition;
    }

    private void commitAsync(Instant now) {
        lastCommit = now;
        Map<TopicPartition, Long> offsets = committable(flows.values());
        if (!lastFullCommit.plus(KEEP_POSITIONS).isAfter(now)) {
            lastFullCommit = now;
            addKept(offsets);
        }
        if (offsets.isEmpty()) {
            return;
        }
        commitUnderWaySince = now;
        Collection<Map<TopicPartition, Long>> parts =
                commitsByTopic ? byTopic(offsets) : List.of(offsets);
        commitsByTopic = false;
        int[] left = {parts.size()};
        for (Map<TopicPartition, Long> part : parts) {
            consumer.commitAsync(
                    SourcePositions.withMetadata(part, flows),
                    (done, error) -> {
                        if (--left[0] == 0 && now.equals(commitUnderWaySince)) {
                            commitUnderWaySince = null;
                        }
                        committed(part, error);
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

    private void committed(Map<TopicPartition, Long> offsets, Exception error) {
        if (error == null) {
            confirm(offsets);
            return;
        }
        // One topic that is gone or forbidden fails a commit for all that are in it.
        commitsByTopic = true;
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

    private void commitSync(Collection<PartitionFlow> of) {
        Map<TopicPartition, Long> offsets = committable(of);
        if (offsets.isEmpty()) {
            return;
        }
        try {
            unwoken(
                    () ->
                            consumer.commitSync(
                                    SourcePositions.withMetadata(offsets, flows), CALL_LIMIT));
            confirm(offsets);
        } catch (KafkaException | IllegalStateException e) {
            // At least once: what is not committed is read again.
            LOG.debug("{}: commit failed at the end of an assignment", settings.displayName(), e);
        }
    }

    /** At the end of an assignment that is still ours. */
    private void commitLast(Collection<PartitionFlow> of) {
        commitSync(of);
        memory.last(of, clock.instant());
    }

    /** A wakeup that was meant for the poll must not break another call. */
    private void unwoken(Runnable call) {
        try {
            call.run();
        } catch (WakeupException e) {
            call.run();
        }
    }

    // ---- subscription

    private void changeSubscription() {
        changeSubscription(COALESCE);
    }

    private void changeSubscription(Duration coalesce) {
        Instant at = clock.instant().plus(coalesce);
        if (at.isBefore(subscribeAt)) {
            subscribeAt = at;
        }
    }

    private void subscribe() {
        subscribeAt = Instant.MAX;
        Set<String> wanted = new HashSet<>();
        topics.values().stream()
                .filter(SourceTopic::isReadable)
                .forEach(topic -> wanted.add(topic.name()));
        if (wanted.equals(subscribed)) {
            // A topic may have left and come back within the time in which changes are put
            // together.
            consumer.assignment().forEach(this::adopt);
            return;
        }
        subscribed = Set.copyOf(wanted);
        unwoken(() -> consumer.subscribe(wanted, new Rebalance()));
        if (wanted.isEmpty()) {
            leaveGroup();
        } else {
            hasJoined = true;
        }
    }

    /** Others take the partitions now; else they would wait for the end of the session. */
    private void leaveGroup() {
        if (hasJoined && gate.isOpen()) {
            hasJoined = false;
            leaveGroup.run();
        }
    }

    private void adopt(TopicPartition partition) {
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
                        this::wake);
        if (topic.link().undelivered() != null) {
            flow.keepUndelivered(topic.link().undelivered(), topic.mark().topicId());
        }
        flows.put(partition, flow);
        topic.link().add(flow);
        positions.missing(partition);
        if (consumer.paused().contains(partition)) {
            // Of a flow before this one: the topic left and came back, the assignment stayed.
            paused.add(partition);
        }
        tellAssigned(topic);
    }

    private void leaveAtError(String name, RuntimeException error) {
        SourceTopic topic = topics.get(name);
        if (topic != null) {
            probe.failed(
                    topic,
                    FailureClassifier.classify(
                            "topic " + name + " at " + settings.displayName(), error));
        }
        leave(name);
    }

    private void leave(String name) {
        leave(name, COALESCE);
    }

    private void leave(String name, Duration coalesce) {
        List<PartitionFlow> own = flowsOf(name);
        commitLast(own);
        observeLast(own);
        drop(own);
        SourceTopic topic = topics.get(name);
        if (topic != null) {
            topic.left();
        }
        changeSubscription(coalesce);
    }

    private Set<String> assignedTopics() {
        Set<String> assigned = new HashSet<>();
        flows.keySet().forEach(partition -> assigned.add(partition.topic()));
        return assigned;
    }

    private List<PartitionFlow> flowsOf(String topic) {
        return flows.values().stream()
                .filter(flow -> flow.partition().topic().equals(topic))
                .toList();
    }

    private void drop(Collection<PartitionFlow> dropped) {
        memory.forget(dropped);
        for (PartitionFlow flow : dropped) {
            flow.close();
            flows.remove(flow.partition());
            paused.remove(flow.partition());
            probe.transactions().forget(flow.partition());
            SourceTopic topic = topics.get(flow.partition().topic());
            positions.forget(flow, topic);
            if (topic != null) {
                topic.link().remove(flow);
                topic.link().monitor().noLag(lagScope(flow.partition()));
                tellAssigned(topic);
            }
        }
    }

    private void tellAssigned(SourceTopic topic) {
        topic.link().monitor().assigned(settings.role().name(), flowsOf(topic.name()).size());
    }

    /** Waits for the flows within the deadline; commits in between where that lets them go on. */
    private static void settle(List<PartitionFlow> settling, long deadlineNanos, Runnable commit) {
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

    private void requestCommit(List<PartitionFlow> of, long deadlineNanos) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        command(
                () -> {
                    commitSync(of);
                    done.complete(null);
                });
        try {
            done.get(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.debug("{}: no commit within the deadline", settings.displayName(), e);
        }
    }

    private final class Rebalance implements ConsumerRebalanceListener {

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
            assigned.forEach(SourceClient.this::adopt);
            // Before the poll goes on: it would read from the committed position by itself.
            positions.setMissing(flows, topics);
            applyPauses();
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
            List<PartitionFlow> leaving = flowsIn(revoked);
            leaving.forEach(PartitionFlow::stop);
            settle(leaving, System.nanoTime() + REVOKE_LIMIT.toNanos(), () -> commitSync(leaving));
            commitLast(leaving);
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

    // ---- failures and the end

    private void worked() {
        if (errorsInARow > 0) {
            errorsInARow = 0;
            topics.values()
                    .forEach(
                            topic ->
                                    topic.link()
                                            .monitor()
                                            .clear(probe.scope(SourceProbe.READ_SCOPE)));
            LOG.info("{}: reading works again", settings.displayName());
        }
    }

    private void failed(RuntimeException error) {
        errorsInARow++;
        FailureVerdict verdict = FailureClassifier.classify(settings.displayName(), error);
        Problem problem = Problem.of(verdict, clock.instant());
        topics.values()
                .forEach(
                        topic ->
                                topic.link()
                                        .monitor()
                                        .problem(probe.scope(SourceProbe.READ_SCOPE), problem));
        if (errorsInARow == 1) {
            LOG.warn("{}: reading fails: {}", settings.displayName(), Causes.shortest(error));
        }
        LOG.debug("{}: reading fails", settings.displayName(), error);
        boolean fatal = verdict instanceof FailureVerdict.ClientFatal;
        boolean needsMending = verdict instanceof FailureVerdict.Unauthorized || consumer == null;
        if (fatal || (errorsInARow >= ERRORS_BEFORE_REBUILD && !needsMending)) {
            tryRebuild(verdict.reason());
        }
        pauseAfterError(errorBackoff.delay(errorsInARow));
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
            LOG.debug("{}: can't build a consumer", settings.displayName(), e);
            Problem problem =
                    Problem.of(
                            new FailureVerdict.Transient(
                                    "can't build a consumer: " + Causes.shortest(e)),
                            clock.instant());
            topics.values()
                    .forEach(
                            t ->
                                    t.link()
                                            .monitor()
                                            .problem(probe.scope(SourceProbe.READ_SCOPE), problem));
        }
    }

    private void rebuild(String reason) {
        LOG.info("{}: new consumer, because {}", settings.displayName(), reason);
        dropConsumer();
        use(consumers.get());
        startAnew();
    }

    /** No broker that it knows is there any more: the next is built when one answers. */
    private void giveUp() {
        LOG.debug("{}: no connection is left", settings.displayName());
        gate.shut();
        dropConsumer();
    }

    private void dropConsumer() {
        drop(List.copyOf(flows.values()));
        Consumer<byte[], byte[]> old = consumer;
        consumer = null;
        subscribed = Set.of();
        if (old == null) {
            return;
        }
        try {
            unwoken(() -> old.close(Duration.ZERO));
        } catch (RuntimeException e) {
            LOG.debug("{}: closing a consumer", settings.displayName(), e);
        }
    }

    private void startAnew() {
        commitUnderWaySince = null;
        probe.restarted();
        changeSubscription();
    }

    private void end() {
        List<PartitionFlow> all = List.copyOf(flows.values());
        all.forEach(PartitionFlow::stop);
        long deadline =
                System.nanoTime()
                        + Math.max(0, Duration.between(clock.instant(), closeBy).toNanos());
        settle(all, deadline, () -> commitSync(all));
        commitLast(all);
        replays.end();
        if (consumer != null) {
            observeLast(all);
        }
        drop(all);
        if (consumer != null) {
            try {
                unwoken(() -> consumer.close(CALL_LIMIT));
            } catch (RuntimeException e) {
                LOG.debug("{}: closing", settings.displayName(), e);
            }
        }
        leaveGroup();
    }

    /**
     * Stops polling, settles what is in flight, commits and leaves the group.
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
            poller.join(Math.max(1, limit.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        probe.close();
    }

    @Override
    public void close() {
        close(clock.instant().plus(REVOKE_LIMIT));
    }
}
