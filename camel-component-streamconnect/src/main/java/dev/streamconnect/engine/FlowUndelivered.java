package dev.streamconnect.engine;

import dev.streamconnect.cluster.Causes;
import dev.streamconnect.spi.Epoch;
import dev.streamconnect.spi.HeldKey;
import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.StoreFullException;
import dev.streamconnect.spi.StoreUnavailableException;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.TopicPair;
import dev.streamconnect.spi.UndeliveredMessage;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The undelivered messages of one source partition: puts messages into the store, holds later ones
 * of their keys behind them, and sends them again.
 *
 * <p>Everything happens in <em>turns</em> that take the place of a shipment: while a turn runs,
 * nothing else of the partition is with the destination or on its way into the store. So a key
 * can't be released while a later message of it is being stored, and no message passes another of
 * its key.
 *
 * <p>A call of the store that fails is repeated after a back-off until the partition is closed: the
 * partition waits, and nothing is settled past it.
 *
 * <p>State is guarded by the flow's lock; calls of the store run on {@link Undelivered}'s threads.
 */
final class FlowUndelivered {

    private static final Logger LOG = LoggerFactory.getLogger(FlowUndelivered.class);

    static final int MAX_ROWS = 500;
    private static final long MAX_BYTES = 1024 * 1024;

    /** Rows that one sweep takes at most, before what is new at the source has its turn. */
    private static final int SWEEPS_IN_A_ROW = 4;

    private static final Backoff STORE_BACKOFF =
            new Backoff(Duration.ofMillis(500), Duration.ofSeconds(15));

    private final PartitionFlow flow;
    private final KafkaLink link;
    private final Undelivered undelivered;
    private final MessageOrigin origin;

    /** Rows of other topics, which the record connected earlier, are left alone. */
    private final TopicPair topics;

    private String topicId;
    private volatile UndeliveredRecords rows;
    private final String scope;

    private Map<Stage, Set<ByteBuffer>> held = new EnumMap<>(Stage.class);
    private boolean loaded;
    private boolean busy;
    private boolean waitsForStore;
    private CompletableFuture<SweepCounts> sweep;
    private boolean sweepWaits;
    private Instant sweepBegan;
    private SweepCounts counts = SweepCounts.NONE;

    FlowUndelivered(PartitionFlow flow, KafkaLink link, Undelivered undelivered, String topicId) {
        this.flow = flow;
        this.link = link;
        this.undelivered = undelivered;
        this.topicId = topicId;
        this.origin =
                new MessageOrigin(
                        link.id(),
                        flow.side() == null ? "" : flow.side(),
                        flow.partition().partition());
        this.topics = link.definition().topics();
        this.rows = records();
        this.scope = "undelivered store " + origin;
    }

    private UndeliveredRecords records() {
        return new UndeliveredRecords(origin, topicId, topics, undelivered.policy());
    }

    MessageOrigin origin() {
        return origin;
    }

    // ---- asked by the flow, under its lock

    /**
     * The partition is another topic's from now on. The rows of the old one stay and go first:
     * which keys wait is asked once more, and new rows come after them.
     */
    void follow(String newTopicId) {
        if (!topicId.equals(newTopicId)) {
            topicId = newTopicId;
            rows = records();
            loaded = false;
        }
    }

    /** False until the keys that wait in the store are known: nothing may be sent before. */
    boolean isLoaded() {
        return loaded;
    }

    /** True while a turn runs. */
    boolean isBusy() {
        return busy;
    }

    /** True while a turn waits for a store that is away or full, which may take for ever. */
    boolean waitsForStore() {
        return waitsForStore;
    }

    /** True if some key waits; from any thread. */
    boolean holdsAny() {
        synchronized (flow.lock()) {
            return !held.isEmpty();
        }
    }

    /** The next turn that goes before what is new; null if there is none. */
    Runnable nextTurn() {
        if (!loaded) {
            busy = true;
            return this::load;
        }
        if (sweep != null && !sweepWaits && !flow.isStopping()) {
            busy = true;
            return () -> sweep(SWEEPS_IN_A_ROW);
        }
        sweepWaits = false;
        return null;
    }

    /**
     * True if the source records of a delivery go into the store as they are: its route failed for
     * too long, or an earlier message of a key waits for the route.
     */
    boolean takesWhole(FlowDelivery delivery) {
        if (delivery.isGivenUp()) {
            return true;
        }
        if (!link.hasDestination() || !holds(Stage.ROUTE) || delivery.isUntouchedBatch()) {
            return false;
        }
        return delivery.batch().records().stream().anyMatch(r -> holds(Stage.ROUTE, r.key()));
    }

    /** The turn that stores a delivery's source records, after which the flow goes on. */
    Runnable storing(FlowDelivery delivery) {
        busy = true;
        List<UndeliveredMessage> messages = new ArrayList<>();
        Instant now = link.clock().instant();
        for (ConsumerRecord<byte[], byte[]> record : delivery.batch().records()) {
            messages.add(
                    delivery.isGivenUp()
                            ? rows.failed(record, delivery.failure(), now)
                            : rows.behind(record, now));
        }
        return () ->
                store(
                        messages,
                        () -> {
                            synchronized (flow.lock()) {
                                flow.shipping().settleStored(delivery);
                            }
                        },
                        this::endTurn);
    }

    /**
     * The turn that stores those records of a shipment whose keys wait; null if there are none.
     *
     * @param untouched true if its records are source records as they are
     * @param goOn told how many were stored; the turn lasts until it ends it
     */
    Runnable holding(Shipment shipment, boolean untouched, Consumer<Integer> goOn) {
        if (held.isEmpty()) {
            return null;
        }
        Taken taken = new Taken();
        Instant now = link.clock().instant();
        for (int i = 0; i < shipment.size(); i++) {
            byte[] key = shipment.key(i);
            if (untouched && holds(Stage.ROUTE, key)) {
                taken.add(i, rows.behind(shipment, i, Stage.ROUTE, now));
            } else if (holds(Stage.DESTINATION, key)) {
                taken.add(i, rows.behind(shipment, i, Stage.DESTINATION, now));
            }
        }
        if (taken.messages.isEmpty()) {
            return null;
        }
        busy = true;
        return () -> storeAndGoOn(shipment, taken, goOn);
    }

    // ---- any thread

    /** The destination refuses the first record of the shipment that is not acknowledged. */
    void refused(Shipment shipment, FailureVerdict.MessageRefused verdict, Consumer<Integer> goOn) {
        Taken taken;
        synchronized (flow.lock()) {
            busy = true;
            taken = takeRefused(shipment, verdict);
        }
        storeAndGoOn(shipment, taken, goOn);
    }

    /** Asks for a sweep; the future ends with it. */
    CompletableFuture<SweepCounts> sweep() {
        CompletableFuture<SweepCounts> wanted;
        synchronized (flow.lock()) {
            if (sweep == null) {
                sweep = new CompletableFuture<>();
                sweepWaits = false;
                sweepBegan = link.clock().instant();
                counts = SweepCounts.NONE;
            }
            wanted = sweep;
        }
        flow.goOn();
        return wanted;
    }

    /** Ends what nobody will end any more. */
    void close() {
        CompletableFuture<SweepCounts> open;
        SweepCounts done;
        synchronized (flow.lock()) {
            open = sweep;
            done = counts;
            sweep = null;
        }
        if (open != null) {
            open.complete(done);
        }
        link.monitor().clear(scope);
    }

    // ---- storing

    /** Records of a shipment on their way into the store. */
    private static final class Taken {
        private final List<Integer> indices = new ArrayList<>();
        private final List<UndeliveredMessage> messages = new ArrayList<>();

        void add(int index, UndeliveredMessage message) {
            indices.add(index);
            messages.add(message);
        }
    }

    /** The refused record and, behind it, those of its key in the same shipment. */
    private Taken takeRefused(Shipment shipment, FailureVerdict.MessageRefused verdict) {
        Taken taken = new Taken();
        Instant now = link.clock().instant();
        int first = shipment.acked();
        taken.add(first, rows.refused(shipment, first, verdict, now));
        byte[] key = shipment.key(first);
        if (undelivered.holdsKeys() && key != null) {
            ByteBuffer wanted = ByteBuffer.wrap(key);
            for (int i = first + 1; i < shipment.size(); i++) {
                byte[] other = shipment.key(i);
                if (!shipment.isAcked(i)
                        && other != null
                        && wanted.equals(ByteBuffer.wrap(other))) {
                    taken.add(i, rows.behind(shipment, i, Stage.DESTINATION, now));
                }
            }
        }
        return taken;
    }

    private void storeAndGoOn(Shipment shipment, Taken taken, Consumer<Integer> goOn) {
        store(
                taken.messages,
                () -> {
                    synchronized (flow.lock()) {
                        taken.indices.forEach(shipment::keep);
                    }
                },
                () -> goOn.accept(taken.indices.size()));
    }

    /** Stores; then, in this order: what the caller does with it, the keys held, the next step. */
    private void store(List<UndeliveredMessage> messages, Runnable stored, Runnable next) {
        call(
                () -> {
                    undelivered.store().store(messages);
                    return null;
                },
                done -> {
                    synchronized (flow.lock()) {
                        messages.forEach(m -> hold(m.stage(), m.key()));
                    }
                    stored.run();
                    link.monitor().stored(messages);
                    next.run();
                });
    }

    private boolean holds(Stage stage) {
        return held.containsKey(stage);
    }

    private boolean holds(Stage stage, byte[] key) {
        Set<ByteBuffer> keys = key == null ? null : held.get(stage);
        return keys != null && keys.contains(ByteBuffer.wrap(key));
    }

    private void hold(Stage stage, byte[] key) {
        if (undelivered.holdsKeys() && key != null) {
            held.computeIfAbsent(stage, s -> new HashSet<>()).add(ByteBuffer.wrap(key));
        }
    }

    // ---- loading and sweeping

    private void load() {
        call(
                () ->
                        new Loaded(
                                undelivered.store().heldKeys(origin, topics),
                                undelivered.store().latestEpoch(origin)),
                found -> {
                    synchronized (flow.lock()) {
                        take(found.keys());
                        rows.follow(found.epoch());
                        loaded = true;
                    }
                    endTurn();
                });
    }

    private record Loaded(List<HeldKey> keys, Optional<Epoch> epoch) {}

    private void take(List<HeldKey> keys) {
        held = new EnumMap<>(Stage.class);
        if (undelivered.holdsKeys()) {
            keys.forEach(
                    key ->
                            held.computeIfAbsent(key.stage(), s -> new HashSet<>())
                                    .add(ByteBuffer.wrap(key.key())));
        }
    }

    private void sweep(int left) {
        if (flow.isStopping()) {
            endSweep();
            return;
        }
        if (left == 0) {
            synchronized (flow.lock()) {
                // What is new at the source has its turn; then it goes on.
                sweepWaits = true;
            }
            endTurn();
            return;
        }
        call(
                () -> due(Stage.DESTINATION),
                rows -> {
                    if (rows.isEmpty()) {
                        sweepRoute(left);
                    } else {
                        deliver(rows, left);
                    }
                });
    }

    private void deliver(List<StoredMessage> rows, int left) {
        new RowsDelivery(
                        rows,
                        flow.sourcePartitions(),
                        undelivered,
                        link.clock(),
                        link.monitor(),
                        link::ship,
                        (result, goOn) ->
                                call(
                                        () -> {
                                            result.note(undelivered.store());
                                            return null;
                                        },
                                        noted -> {
                                            count(result.counts());
                                            if (goOn) {
                                                sweep(left - 1);
                                            } else {
                                                endSweep();
                                            }
                                        }))
                .ship();
    }

    /** As of the sweep's begin, so that it tries each row once, whatever the policy says. */
    private List<StoredMessage> due(Stage stage) {
        Instant began;
        synchronized (flow.lock()) {
            began = sweepBegan;
        }
        int rows = stage == Stage.ROUTE ? 1 : MAX_ROWS;
        return undelivered.store().due(origin, topics, stage, began, rows, MAX_BYTES);
    }

    private void sweepRoute(int left) {
        call(
                () -> due(Stage.ROUTE),
                rows -> {
                    if (rows.isEmpty()) {
                        endSweep();
                    } else {
                        new RowThroughRoute(rows.get(0), left).start();
                    }
                });
    }

    /** What is held is what the store says now: nothing else of the partition is on its way. */
    private void endSweep() {
        call(
                () -> undelivered.store().heldKeys(origin, topics),
                keys -> {
                    CompletableFuture<SweepCounts> ended;
                    SweepCounts done;
                    synchronized (flow.lock()) {
                        take(keys);
                        ended = sweep;
                        done = counts;
                        sweep = null;
                    }
                    endTurn();
                    if (ended != null) {
                        ended.complete(done);
                    }
                });
    }

    /** A stored source record on its way through the route and to the destination. */
    final class RowThroughRoute implements Shipment.Listener {
        private final StoredMessage row;
        private final int left;

        private RowThroughRoute(StoredMessage row, int left) {
            this.row = row;
            this.left = left;
        }

        private void start() {
            FlowDelivery delivery = FlowDelivery.ofRow(flow, this, StoredRows.source(row, flow));
            link.execute(() -> flow.route().handOut(delivery));
        }

        /** The route is done with it; called once. */
        void completed(FlowDelivery delivery) {
            if (delivery.emittedNothing() || !link.hasDestination()) {
                delivered();
                return;
            }
            Shipment shipment = flow.shipping().shipmentOf(delivery, row.message().offset(), this);
            Runnable hold;
            synchronized (flow.lock()) {
                hold = holding(shipment, false, kept -> goOn(shipment));
            }
            if (hold != null) {
                hold.run();
            } else {
                link.ship(shipment);
            }
        }

        /** A step of the route failed; called once. */
        void failed(Throwable cause) {
            String text = "a step of the route fails: " + Causes.shortest(cause);
            RowsResult result =
                    RowsResult.failed(
                            row,
                            true,
                            Reason.ROUTE,
                            cause.getClass().getName(),
                            text,
                            undelivered.policy(),
                            link.clock().instant());
            note(result);
        }

        private void goOn(Shipment shipment) {
            if (shipment.acked() >= shipment.size()) {
                delivered();
            } else {
                link.ship(shipment);
            }
        }

        private void delivered() {
            note(RowsResult.delivered(List.of(row)));
        }

        private void note(RowsResult result) {
            call(
                    () -> {
                        result.note(undelivered.store());
                        return null;
                    },
                    noted -> {
                        count(result.counts());
                        sweep(left - 1);
                    });
        }

        @Override
        public void progressed(Shipment shipment, int records, long bytes) {
            link.monitor().moved(records, bytes);
        }

        @Override
        public void delivered(Shipment shipment) {
            delivered();
        }

        @Override
        public void failed(Shipment shipment, FailureVerdict verdict) {
            if (verdict instanceof FailureVerdict.MessageRefused refused) {
                FlowUndelivered.this.refused(shipment, refused, kept -> goOn(shipment));
            } else {
                // It stays in the store, and what it emitted is emitted again.
                endSweep();
            }
        }
    }

    /** The turn that stored some records of a shipment is over. Under the lock. */
    void endHolding() {
        busy = false;
    }

    private void endTurn() {
        synchronized (flow.lock()) {
            busy = false;
        }
        flow.goOn();
    }

    private void count(SweepCounts more) {
        synchronized (flow.lock()) {
            counts = counts.plus(more);
        }
        link.monitor().retried(more);
    }

    // ---- the store

    /** Runs a call of the store until it works. */
    private <T> void call(Supplier<T> work, Consumer<T> then) {
        attempt(work, then, 1);
    }

    private <T> void attempt(Supplier<T> work, Consumer<T> then, int attempt) {
        undelivered.execute(
                () -> {
                    if (flow.isClosed()) {
                        return;
                    }
                    T result;
                    try {
                        result = work.get();
                    } catch (RuntimeException e) {
                        failed(e, attempt);
                        link.later(
                                () -> attempt(work, then, attempt + 1),
                                STORE_BACKOFF.delay(attempt));
                        return;
                    }
                    synchronized (flow.lock()) {
                        waitsForStore = false;
                    }
                    link.monitor().clear(scope);
                    goOn(then, result);
                });
    }

    /** A fault of ours would leave the turn open for ever: at least nobody shall have to guess. */
    private <T> void goOn(Consumer<T> then, T result) {
        try {
            then.accept(result);
        } catch (RuntimeException e) {
            new LinkLog(LOG, link.id())
                    .error(
                            "Topic replication {}: unexpected failure, {} stops",
                            link.id(),
                            flow.partition(),
                            e);
            link.monitor()
                    .problem(
                            scope,
                            new Problem(
                                    LinkState.FAILED,
                                    flow.partition()
                                            + " stopped after an unexpected failure, restart its"
                                            + " route: "
                                            + Causes.shortest(e),
                                    link.clock().instant(),
                                    false));
        }
    }

    private void failed(RuntimeException error, int attempt) {
        boolean expected =
                error instanceof StoreFullException || error instanceof StoreUnavailableException;
        if (!expected && attempt == 1) {
            new LinkLog(LOG, link.id())
                    .error(
                            "Topic replication {}: the undelivered store failed for {}, tried again",
                            link.id(),
                            flow.partition(),
                            error);
        }
        synchronized (flow.lock()) {
            waitsForStore = true;
            flow.lock().notifyAll();
        }
        link.monitor()
                .problem(
                        scope,
                        new Problem(
                                LinkState.STALLED,
                                flow.partition()
                                        + " waits for the undelivered store: "
                                        + (expected ? error.getMessage() : Causes.shortest(error)),
                                link.clock().instant(),
                                false,
                                true));
    }
}
