package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.KafkaClients;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one consumer of a connection (or of a side of the pair); links register their topics on it.
 *
 * <ul>
 *   <li>The {@link SourcePoller} has the poll thread, the only one that touches the {@link
 *       SourceConsumer} (but for its wake-up and its metrics),
 *   <li>the {@link SourceProbe} looks at topics before they are read, and for silence,
 *   <li>the {@link SourceSubscription} is what may be read, the {@link SourceAssignment} what the
 *       group has given, with a {@link PartitionFlow} each,
 *   <li>{@link SourcePositions}, never a reset policy of the client, says where reading begins;
 *       {@link SourceCommits} commit what is settled; {@link SourceReplays} go back.
 * </ul>
 *
 * <p>Thread-safe. {@link #unregister} and {@link #close} wait within their limits, {@link
 * #housekeep} blocks for seconds at most; the rest never blocks.
 */
final class SourceClient implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SourceClient.class);

    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(3);

    /** What the poll thread may be doing when a link leaves. */
    private static final Duration CALL_LIMIT = Duration.ofSeconds(5);

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final ConnectionSettings settings;
    private final Clock clock;
    private final SourceProbe probe;
    private final LostConnection connection;
    private final ThrottleTime throttle = ThrottleTime.ofConsumer();
    private final HeldBackTime heldBack = new HeldBackTime();
    private final Map<String, SourceTopic> topics = new ConcurrentHashMap<>();
    private final SourceConsumer consumer;
    private final SourcePoller poller;
    private volatile Pace pace = Pace.NONE;

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
        this.probe = probe;
        this.connection = LostConnection.ofConsumer(SourceProbe.SILENT, clock);
        this.consumer = new SourceConsumer(consumers);
        this.poller =
                new SourcePoller(
                        settings,
                        clientId,
                        clock,
                        gate,
                        topics,
                        consumer,
                        leaveGroup,
                        probe,
                        memory);
        poller.start();
    }

    /** Reads no faster than others that share the pace let it; to be called before all else. */
    SourceClient pacedBy(Pace shared) {
        pace = shared;
        poller.pacedBy(shared);
        return this;
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
        poller.tellIfEnded(link);
    }

    /** Settles, commits and leaves a link's topic within the limit. */
    void unregister(KafkaLink link, Duration limit) {
        SourceTopic topic = topicOf(link);
        if (topic == null) {
            return;
        }
        long deadline = System.nanoTime() + limit.toNanos();
        List<PartitionFlow> own = poller.flowsOf(topic.name());
        own.forEach(PartitionFlow::stop);
        SourceAssignment.settle(own, deadline, () -> await(() -> poller.commitNow(own), deadline));
        await(
                () -> {
                    poller.leave(topic.name(), SourceSubscription.COALESCE_LEAVING);
                    topics.remove(topic.name());
                    poller.forget(link);
                },
                Math.max(System.nanoTime(), deadline) + CALL_LIMIT.toNanos());
    }

    /** Null if it is not registered, or another link is in its place. */
    private SourceTopic topicOf(KafkaLink link) {
        SourceTopic topic = topics.get(link.definition().sourceTopic());
        return topic == null || topic.link() != link ? null : topic;
    }

    /** Has the poll thread do something, and waits for it until the deadline. */
    private void await(Runnable command, long deadlineNanos) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        poller.command(
                () -> {
                    command.run();
                    done.complete(null);
                });
        try {
            done.get(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.debug("{}: not done within the deadline", settings.displayName(), e);
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
        SourceTopic topic = topicOf(link);
        if (topic == null) {
            answer.complete(List.of());
        } else {
            poller.replay(topic, from, partition, limit, answer);
        }
    }

    /**
     * Tells the ends of a link's topic as soon as they can be had; never blocks. A later question
     * takes the place of one that has no answer yet.
     */
    void askEnds(KafkaLink link, DrainFirst.Answer answer) {
        poller.askEnds(link, answer);
    }

    /** New TLS material is in effect: hands over to a new consumer. Never blocks. */
    void renewed() {
        probe.renewed(topics.values());
        poller.command(() -> poller.handOver("its certificate was renewed"));
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
        if (poller.isClosing()) {
            return;
        }
        SourceProbe.Changes changes = probe.probe(topics.values());
        changes.gone()
                .forEach(
                        topic ->
                                poller.command(
                                        () ->
                                                poller.leave(
                                                        topic.name(),
                                                        SourceSubscription.COALESCE)));
        changes.anew().forEach(topic -> poller.command(() -> poller.anew(topic)));
        if (!changes.joined().isEmpty()) {
            poller.command(poller::changeSubscription);
        }
        Consumer<byte[], byte[]> watched = consumer.get();
        watch(watched);
        if (probe.hears()) {
            probe.transactions().look();
            probe.stoppedLag().look();
            probe.others().look(topics.values());
        }
        long throttled =
                watched == null ? 0 : throttle.more(watched, watched::metrics, clock.millis());
        long held = heldBack.more(pace, clock.instant());
        for (SourceTopic topic : topics.values()) {
            topic.link().monitor().heldBack(pace.reason(), held);
            topic.link().monitor().throttled(settings.displayName(), throttled);
            topic.link().monitor().partitions(settings.role().name(), topic.partitions());
            topic.link().readsFrom(topic.mark().clusterId());
            topic.link().tick();
        }
    }

    private void watch(Consumer<byte[], byte[]> watched) {
        boolean listens =
                watched == null
                        ? topics.values().stream().anyMatch(SourceTopic::isReadable)
                        : poller.isSubscribed();
        boolean silent = probe.watch(watched, listens, topics.values());
        if (watched == null) {
            return;
        }
        // Asked for again and again until it is done.
        if (listens && connection.isLost(watched, watched::metrics)) {
            poller.ifStill(watched, poller::giveUp);
        } else if (silent) {
            poller.ifStill(
                    watched, () -> poller.rebuild("it is silent though the cluster answers"));
        }
    }

    /**
     * Stops polling, settles what is in flight, commits and leaves the group.
     *
     * @param by until when to settle
     */
    void close(Instant by) {
        poller.close(by);
        probe.close();
    }

    @Override
    public void close() {
        close(clock.instant().plus(CLOSE_LIMIT));
    }
}
