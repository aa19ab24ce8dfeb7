package dev.streamconnect.engine;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.metrics.Backlog;
import dev.streamconnect.metrics.LinkCounters;
import dev.streamconnect.metrics.LinkTotals;
import dev.streamconnect.metrics.MeasuredLink;
import dev.streamconnect.record.Deduplicate;
import dev.streamconnect.record.FailoverOrder;
import dev.streamconnect.record.StartFrom;
import dev.streamconnect.spi.OriginTotals;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A link on the engine's shared clients: what its partitions have in common. Thread-safe. Not final
 * so that a test can stand in for the destination and the threads.
 */
class KafkaLink implements Link, MeasuredLink {

    private static final int WORKER_SHARE = 4;

    /** How long a partition may take to come to rest for a replay. */
    private static final Duration REPLAY_LIMIT = Duration.ofSeconds(30);

    private final LinkDefinition definition;
    private final DeliveryHandler handler;
    private final DestinationClient sharedDestination;

    /** By which it sends now: the shared one, or its own. */
    private volatile DestinationClient destination;

    private final LinkMonitor monitor;
    private final BatchLog batchLog;
    private final LinkWorkers workers;
    private final ScheduledExecutorService timer;
    private final Clock clock;
    private final Undelivered undelivered;
    private final BiConsumer<KafkaLink, Duration> onClose;
    private final DrainFirst drainFirst;
    private final Reorderings reorderings;
    private final Repeats repeats;
    private final PairStart pairStart;
    private final OriginHeader origin;
    private final Set<PartitionFlow> flows = ConcurrentHashMap.newKeySet();
    private List<SharedClients<SourceClient>.Lease> sourceLeases = List.of();
    private SharedClients<DestinationClient>.Lease destinationLease;
    private boolean leftDestination;
    private volatile boolean paused;

    KafkaLink(
            LinkDefinition definition,
            DeliveryHandler handler,
            DestinationClient destination,
            EngineThreads threads,
            Clock clock,
            Undelivered undelivered,
            BiConsumer<KafkaLink, Duration> onClose) {
        this.definition = definition;
        this.handler = handler;
        this.sharedDestination = destination;
        this.destination = destination;
        this.monitor = new LinkMonitor(definition, clock);
        this.batchLog = new BatchLog(definition);
        this.workers = new LinkWorkers(threads.workers(), WORKER_SHARE);
        this.timer = threads.timer();
        this.clock = clock;
        this.undelivered = undelivered;
        this.onClose = onClose;
        PairOptions pair = definition.options().pair();
        boolean isPair = definition.sources().size() > 1;
        this.drainFirst =
                isPair && pair.order() == FailoverOrder.DRAIN_FIRST
                        ? new DrainFirst(
                                definition.id(), pair.drainLimit(), monitor, clock, this::askEnds)
                        : null;
        this.pairStart =
                isPair && definition.startFrom() instanceof StartFrom.Latest
                        ? new PairStart(clock)
                        : null;
        this.origin = OriginHeader.of(definition);
        this.reorderings = isPair ? new Reorderings() : null;
        this.repeats =
                isPair && pair.deduplicate() != Deduplicate.NONE
                        ? new Repeats(
                                pair.deduplicate() == Deduplicate.DROP, pair.deduplicateWindow())
                        : null;
        monitor.onDestinationOpened(() -> flows.forEach(flow -> flow.shipping().retry()));
    }

    LinkDefinition definition() {
        return definition;
    }

    LinkMonitor monitor() {
        return monitor;
    }

    BatchLog batchLog() {
        return batchLog;
    }

    DeliveryHandler handler() {
        return handler;
    }

    /** Null without a store. */
    Undelivered undelivered() {
        return undelivered;
    }

    /** True if what the store holds is of this link and its present topics. */
    boolean takes(OriginTotals totals) {
        return isOwn(totals) && definition.topics().takes(totals.topics());
    }

    /** True if it is of this link, and of topics that its record connected earlier. */
    boolean hadBefore(OriginTotals totals) {
        return isOwn(totals) && !definition.topics().takes(totals.topics());
    }

    private boolean isOwn(OriginTotals totals) {
        return !totals.origin().isDirect() && totals.origin().link().equals(id());
    }

    /** Whether other nodes can't use what this node stores; true without a store, too. */
    boolean isStoreOfOneNode() {
        return undelivered == null
                ? definition.destination() != null
                : !undelivered.store().isShared();
    }

    /**
     * Another process reads in the group of a source.
     *
     * @param who empty if there is none
     */
    void otherMember(String scope, String who) {
        monitor.notice(
                scope,
                who.isEmpty()
                        ? ""
                        : who
                                + (undelivered == null
                                        ? ", and there is no undelivered store: a refused message stops its partition on every node, and each node has only its own metrics windows"
                                        : ", and undelivered messages are in a file of this node alone: others neither send them again nor hold later messages of their keys; give all nodes one PostgreSQL (undeliveredUrl)"));
    }

    Clock clock() {
        return clock;
    }

    @Override
    public boolean isPaused() {
        return paused;
    }

    /**
     * The group of a source was asked for its positions in the topic.
     *
     * @param known true if it has one
     */
    void positionsAsked(String side, boolean known) {
        if (pairStart != null) {
            pairStart.asked(side, known);
        }
    }

    /** Where partitions of a source begin that have no position; null while that is not known. */
    StartFrom startFrom(String side) {
        return pairStart == null ? definition.startFrom() : pairStart.latest(side);
    }

    /** Null where the sides need not wait for each other. */
    DrainFirst drainFirst() {
        return drainFirst;
    }

    /** Records of a side go to the route, in this order. */
    void handedOut(String side, List<ConsumerRecord<byte[], byte[]>> records) {
        int late = reorderings == null ? 0 : reorderings.handedOut(isB(side), records);
        if (late > 0) {
            monitor.counters().reordered(late);
        }
    }

    /**
     * What of polled records goes on: all but those that the other side had and those that come
     * from their destination, where asked for.
     */
    List<ConsumerRecord<byte[], byte[]>> withoutRepeats(
            String side, List<ConsumerRecord<byte[], byte[]>> polled) {
        List<ConsumerRecord<byte[], byte[]>> records = polled;
        if (origin != null) {
            records = origin.withoutReturning(polled);
            monitor.counters().returned(polled.size() - records.size());
        }
        if (repeats == null) {
            return records;
        }
        Repeats.Read read = repeats.look(isB(side), records);
        monitor.counters().repeated(read.repeats());
        return read.left();
    }

    private static boolean isB(String side) {
        return "B".equals(side);
    }

    /** Lets go what waited for the other side and need not any more. */
    void scheduleAll() {
        flows.forEach(PartitionFlow::schedule);
    }

    /** Null where messages do not tell where they were copied from. */
    OriginHeader origin() {
        return origin;
    }

    /** True while nothing may be read, since it is not known what must not be copied back. */
    boolean waitsForOrigin() {
        return origin != null && !origin.isKnown();
    }

    /** Where its source is; empty while unknown. */
    void readsFrom(String clusterId) {
        if (origin != null) {
            origin.sourceIsAt(clusterId);
        }
    }

    /** Called several times a second. */
    void tick() {
        monitor.tick();
        if (origin != null && destination != null) {
            origin.destinationIsAt(destination.clusterId(definition.destinationTopic()));
        }
        if (drainFirst != null) {
            drainFirst.tick(paused);
            scheduleAll();
        }
    }

    void askEnds(String side, DrainFirst.Answer answer) {
        for (SharedClients<SourceClient>.Lease lease : sourceLeases) {
            if (side.equals(lease.client().side())) {
                lease.client()
                        .askEnds(
                                this,
                                (ends, committed) -> {
                                    answer.ends(ends, committed);
                                    scheduleAll();
                                });
            }
        }
    }

    boolean hasDestination() {
        return sharedDestination != null;
    }

    /** By which it sends now; null without a destination. */
    DestinationClient destination() {
        return destination;
    }

    /** What its destination takes in one batch. */
    ChunkSize chunk() {
        DestinationClient client = destination;
        ChunkSize size = client == null ? ChunkSize.DEFAULT : client.chunk();
        return origin == null ? size : size.with(origin.bytes());
    }

    /** That others send by, too; null without a destination. */
    DestinationClient sharedDestination() {
        return sharedDestination;
    }

    /**
     * Sends by another client from now on; what is with the one before comes to its end there, and
     * a partition ships nothing meanwhile. Called by the housekeeping of the one before.
     *
     * @return false if the link has ended
     */
    synchronized boolean sendBy(DestinationClient other) {
        if (leftDestination) {
            return false;
        }
        destination.forget(definition.destinationTopic(), monitor);
        // What the one before has said of it.
        monitor.clear(DestinationTopic.SCOPE);
        monitor.clear(SilenceWatch.SCOPE);
        registerAt(other);
        destination = other;
        return true;
    }

    void add(PartitionFlow flow) {
        flows.add(flow);
    }

    void remove(PartitionFlow flow) {
        flows.remove(flow);
    }

    List<PartitionFlow> flows() {
        return List.copyOf(flows);
    }

    void execute(Runnable task) {
        try {
            workers.execute(task);
        } catch (RejectedExecutionException e) {
            // The engine is closed: what is not settled is read again after the next start.
            monitor.stopped();
        }
    }

    void later(Runnable task, Duration delay) {
        try {
            timer.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            monitor.stopped();
        }
    }

    void ship(Shipment shipment) {
        destination.ship(
                definition.destinationTopic(), definition.options().maxMessageBytes(), shipment);
    }

    /** Lets the destination look at its topic from the start. */
    void registerDestination() {
        if (destination != null) {
            registerAt(destination);
        }
    }

    /**
     * Lets a client look at the destination's topic.
     *
     * @return false if the link has left it
     */
    synchronized boolean registerAt(DestinationClient client) {
        if (leftDestination) {
            return false;
        }
        client.register(
                definition.destinationTopic(), definition.options().maxMessageBytes(), monitor);
        return true;
    }

    /** Takes over the leases on the shared clients. */
    void hold(
            List<SharedClients<SourceClient>.Lease> sources,
            SharedClients<DestinationClient>.Lease destination) {
        sourceLeases = sources;
        destinationLease = destination;
    }

    /**
     * Leaves each source: a client that others use is told to, the last link's client is closed.
     */
    void closeSources(Consumer<SourceClient> leave, Consumer<SourceClient> closeClient) {
        for (SharedClients<SourceClient>.Lease lease : sourceLeases) {
            boolean others = !lease.isLast();
            if (others) {
                leave.accept(lease.client());
            }
            if (!lease.release(closeClient) && !others) {
                // Somebody came in between.
                leave.accept(lease.client());
            }
        }
    }

    void closeDestination() {
        if (destinationLease != null) {
            synchronized (this) {
                leftDestination = true;
                destination.forget(definition.destinationTopic(), monitor);
            }
            destinationLease.release(DestinationClient::close);
        }
    }

    @Override
    public String id() {
        return definition.id();
    }

    @Override
    public String sourceTopic() {
        return definition.sourceTopic();
    }

    @Override
    public String destinationTopic() {
        return definition.destinationTopic();
    }

    @Override
    public String direction() {
        return definition.sources().get(0).role() == ClientRole.CUSTOMER
                ? "To ServiceNow"
                : "From ServiceNow";
    }

    @Override
    public LinkCounters counters() {
        return monitor.counters();
    }

    @Override
    public LinkTotals totals() {
        return monitor.counters().totals();
    }

    @Override
    public Backlog backlog() {
        return monitor.backlog();
    }

    @Override
    public int assignedPartitions() {
        return monitor.assignedPartitions();
    }

    @Override
    public int totalPartitions() {
        return monitor.totalPartitions();
    }

    @Override
    public long formerRows() {
        return monitor.formerRows();
    }

    @Override
    public boolean hasOwnClient() {
        return destination != sharedDestination;
    }

    @Override
    public boolean healthy() {
        return !monitor.snapshot().state().isDown();
    }

    @Override
    public LinkStatus status() {
        return monitor.snapshot();
    }

    @Override
    public void pause() {
        paused = true;
        monitor.paused(true);
    }

    @Override
    public void resume() {
        paused = false;
        monitor.paused(false);
        flows.forEach(PartitionFlow::schedule);
    }

    @Override
    public CompletionStage<List<ReplayedPartition>> replay(
            ReplayFrom from, Integer partition, String side) {
        List<SourceClient> clients = new ArrayList<>();
        for (SharedClients<SourceClient>.Lease lease : sourceLeases) {
            if (side == null || side.equals(lease.client().side())) {
                clients.add(lease.client());
            }
        }
        String wrong = wrong(clients, from, partition, side);
        if (wrong != null) {
            return CompletableFuture.failedFuture(new IllegalArgumentException(wrong));
        }
        List<CompletableFuture<List<ReplayedPartition>>> answers = new ArrayList<>();
        for (SourceClient client : clients) {
            CompletableFuture<List<ReplayedPartition>> answer = new CompletableFuture<>();
            client.replay(this, from, partition, REPLAY_LIMIT, answer);
            answer.orTimeout(
                    REPLAY_LIMIT.multipliedBy(3).dividedBy(2).toSeconds(), TimeUnit.SECONDS);
            answers.add(answer.exceptionally(failure -> silent(client, failure)));
        }
        return CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
                .thenApply(all -> answers.stream().flatMap(a -> a.join().stream()).toList());
    }

    private static String wrong(
            List<SourceClient> clients, ReplayFrom from, Integer partition, String side) {
        if (clients.isEmpty()) {
            return "side: there is no side " + side + "; use A or B for what comes from Hermes";
        }
        if (!(from instanceof ReplayFrom.Offset)) {
            return null;
        }
        if (partition == null) {
            return "partition: is missing; an offset belongs to one partition";
        }
        return clients.size() > 1
                ? "side: is missing; give A or B, since both sides of Hermes have their own offsets"
                : null;
    }

    /** A side that does not answer keeps nothing from being told of the other. */
    private static List<ReplayedPartition> silent(SourceClient client, Throwable failure) {
        if (failure instanceof IllegalArgumentException refused) {
            throw refused;
        }
        String reason =
                failure instanceof TimeoutException
                        ? "the source does not answer; repeat it when it does"
                        : failure.getMessage();
        return List.of(ReplayedPartition.silent(client.side(), reason));
    }

    @Override
    public void close(Duration limit) {
        onClose.accept(this, limit);
    }
}
