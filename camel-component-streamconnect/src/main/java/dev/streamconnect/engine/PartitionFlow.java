package dev.streamconnect.engine;

import java.util.List;
import java.util.function.IntSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * One source partition in motion, from the poll to the settled offset.
 *
 * <pre>
 *   polled → open deliveries (in the route) → released, in offset order → in flight → settled → committed
 * </pre>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Deliveries are opened and released in offset order; one that is complete waits for every
 *       earlier one.
 *   <li>At most one shipment is with the destination; the next one leaves when it is acknowledged
 *       as a whole.
 *   <li>{@code settled} never passes a record that is not acknowledged (or dropped by the route).
 *   <li>Sent and settled but not committed, plus in flight, is never more than {@code
 *       maxUncommitted} records (or what one delivery emits, if that is more): the bound of
 *       duplicates after a crash.
 *   <li>A failed shipment stays here and is shipped again after a back-off; nothing passes it.
 * </ul>
 *
 * <p>Thread-safe; the poll thread, workers, client threads and the timer meet here, once for each
 * chunk.
 */
final class PartitionFlow {

    private static final int MAX_DELIVERY_RECORDS = 4_000;
    private static final int TURNS = 256;
    private static final long TURN_NANOS = 20_000_000;

    private static final long LOOK_AGAIN_MILLIS = 250;

    private final Object lock = new Object();
    private final KafkaLink link;
    private final TopicPartition partition;
    private final String side;
    private final IntSupplier sourcePartitions;
    private final Runnable wakeSource;
    private final int maxUncommitted;
    private final String scope;
    private final BatchLog log;
    private final String place;
    private final DrainFirst order;

    private final PolledRecords polled = new PolledRecords();
    private final FlowDeliveries deliveries;
    private final FlowRoute route;
    private final FlowShipping shipping;
    private final FlowOffsets offsets;
    private FlowUndelivered undelivered;
    private PositionMark mark = PositionMark.UNKNOWN;

    private long handOutTo = Long.MAX_VALUE;

    private boolean working;
    private boolean draining;
    private boolean stopping;

    /** A stop has dropped polled records: somebody reads them again. */
    private boolean dropped;

    private boolean closed;

    PartitionFlow(
            KafkaLink link,
            TopicPartition partition,
            String side,
            int sourcePartitions,
            Runnable wakeSource) {
        this(link, partition, side, () -> sourcePartitions, wakeSource);
    }

    /**
     * @param sourcePartitions how many the topic has now; they grow
     */
    PartitionFlow(
            KafkaLink link,
            TopicPartition partition,
            String side,
            IntSupplier sourcePartitions,
            Runnable wakeSource) {
        this.link = link;
        this.partition = partition;
        this.side = side;
        this.sourcePartitions = sourcePartitions;
        this.wakeSource = wakeSource;
        LinkOptions options = link.definition().options();
        this.maxUncommitted = options.maxUncommitted();
        this.scope = "partition " + (side == null ? "" : side + " ") + partition;
        this.log = link.batchLog();
        this.place = BatchLog.place(side, partition);
        this.deliveries = new FlowDeliveries(options.maxOpenDeliveries(), options.batch());
        this.offsets = new FlowOffsets(maxUncommitted);
        Backoff backoff = new Backoff(options.retryInitial(), options.retryMax());
        this.route =
                new FlowRoute(
                        this,
                        link,
                        deliveries,
                        backoff,
                        options.routeRetryLimit(),
                        "route " + scope);
        this.shipping = new FlowShipping(this, link, deliveries, offsets, backoff, scope);
        this.order = link.drainFirst();
        if (order != null) {
            order.assigned(side, partition.partition());
        }
    }

    Object lock() {
        return lock;
    }

    String linkId() {
        return link.id();
    }

    String side() {
        return side;
    }

    TopicPartition partition() {
        return partition;
    }

    /** This one is among them, also where the last look at the topic is older. */
    int sourcePartitions() {
        return Math.max(sourcePartitions.getAsInt(), partition.partition() + 1);
    }

    FlowRoute route() {
        return route;
    }

    FlowShipping shipping() {
        return shipping;
    }

    /** Null without a store. */
    FlowUndelivered undelivered() {
        return undelivered;
    }

    /** Uses a store: nothing is handed out before it has told which keys wait. */
    void keepUndelivered(Undelivered store, String topicId) {
        synchronized (lock) {
            undelivered = new FlowUndelivered(this, link, store, topicId);
        }
        goOn();
    }

    /** What its positions belong to. */
    PositionMark mark() {
        synchronized (lock) {
            return mark;
        }
    }

    /** Its positions belong to this from now on. Under the lock. */
    private void belongTo(PositionMark now) {
        mark = now;
        if (undelivered != null) {
            undelivered.follow(now.topicId());
        }
    }

    /** Looks what is next to be sent, stored, or handed out. */
    void goOn() {
        shipNext();
        schedule();
    }

    /** Polled records are dropped, since it stops. Under the lock. */
    void dropped() {
        dropped = true;
    }

    boolean isStopping() {
        synchronized (lock) {
            return stopping;
        }
    }

    /** True between {@link #drain} and what ends it. */
    boolean isDraining() {
        synchronized (lock) {
            return draining;
        }
    }

    boolean isClosed() {
        synchronized (lock) {
            return closed;
        }
    }

    // ---- poll thread

    /** Where reading starts; nothing below it is ours. */
    void startAt(long offset) {
        synchronized (lock) {
            offsets.startAt(offset);
        }
        tellOrder();
    }

    /** As {@link #startAt(long)}, of the topic that the mark says. */
    void startAt(long offset, PositionMark of) {
        synchronized (lock) {
            belongTo(of);
            offsets.startAt(offset);
        }
        tellOrder();
        goOn();
    }

    /** True if nothing is left here: all that was taken is settled. */
    boolean isFinished() {
        synchronized (lock) {
            return !stopping
                    && !closed
                    && !draining
                    && polled.isEmpty()
                    && isQuiet()
                    && (undelivered == null || undelivered.isLoaded());
        }
    }

    /**
     * Goes on elsewhere, also further back or in another topic. Only once it is finished: what the
     * source does not have any more could not be read again.
     */
    void startAnew(long offset, PositionMark of) {
        synchronized (lock) {
            belongTo(of);
            offsets.restartAt(offset);
            offsets.restart();
        }
        tellOrder();
        goOn();
    }

    /** The first offset that is not settled. */
    long position() {
        synchronized (lock) {
            return offsets.position();
        }
    }

    /** True if the broker has this offset or a later one. */
    boolean isCommitted(long offset) {
        synchronized (lock) {
            return offsets.isCommitted(offset);
        }
    }

    /**
     * Hands out and sends nothing more until {@link #restartAt} or {@link #endDrain}; what is with
     * the route, the destination or the store comes to its end.
     *
     * @return false if it does so already, or ends
     */
    boolean drain() {
        synchronized (lock) {
            boolean begins = !draining && !stopping && !closed;
            draining |= begins;
            return begins;
        }
    }

    /**
     * Drops what is here and goes on at an offset, which the caller seeks. Only once it is drained:
     * nothing of before may arrive between what is read anew.
     *
     * @return the first offset that was not settled before; -1 as long as it is not drained
     */
    long restartAt(long offset) {
        long from;
        synchronized (lock) {
            if (!draining || !isDrained()) {
                return -1;
            }
            from = offsets.position();
            deliveries.settleOpen();
            deliveries.clear();
            shipping.inFlight().clear();
            draining = false;
            polled.clear();
            offsets.restartAt(offset);
            restartIfQuiet();
            lock.notifyAll();
        }
        link.monitor().clear(scope);
        route.clear();
        goOn();
        return from;
    }

    private boolean isDrained() {
        InFlight inFlight = shipping.inFlight();
        boolean sent = !inFlight.isEmpty() && !inFlight.waitsForRetry();
        boolean inStore = undelivered != null && (undelivered.isBusy() || !undelivered.isLoaded());
        return !sent && !inStore && deliveries.isRouteDone();
    }

    /** Goes on where it was before {@link #drain}. */
    void endDrain() {
        synchronized (lock) {
            if (!draining) {
                return;
            }
            draining = false;
        }
        route.retryFirst();
        shipping.retry();
        goOn();
    }

    private void restartIfQuiet() {
        if (isQuiet()) {
            offsets.restart();
        }
    }

    /** Of polled records those that are to be offered. */
    List<ConsumerRecord<byte[], byte[]>> withoutRepeats(
            List<ConsumerRecord<byte[], byte[]>> records) {
        return link.withoutRepeats(side, records);
    }

    /** Takes polled records; what is offered after {@link #stop} is read again by somebody else. */
    void offer(List<ConsumerRecord<byte[], byte[]>> records) {
        int[] sizes = PolledRecords.sizes(records);
        synchronized (lock) {
            if (stopping || closed) {
                dropped |= !records.isEmpty();
                return;
            }
            polled.add(records, sizes);
        }
        log.polled(place, records);
        tellOrder();
        schedule();
    }

    /** True while the partition should be paused. */
    boolean wantsPause() {
        synchronized (lock) {
            return polled.isFull()
                    || draining
                    || stopping
                    || closed
                    || link.isPaused()
                    || link.waitsForOrigin();
        }
    }

    /** Offset to commit, or -1 if there is nothing new. The last one asked for counts. */
    long committable() {
        synchronized (lock) {
            restartIfQuiet();
            return closed ? -1 : offsets.committable();
        }
    }

    /** What the broker has stored, to be stored again before it expires; -1 for nothing. */
    long committed() {
        synchronized (lock) {
            return closed ? -1 : offsets.committed();
        }
    }

    /** True if so much waits for its commit that it should not wait for the interval. */
    boolean isCommitUrgent() {
        synchronized (lock) {
            return offsets.isCommitUrgent();
        }
    }

    /** The broker has stored the offset. */
    void committed(long offset) {
        synchronized (lock) {
            if (!offsets.committed(offset)) {
                return;
            }
        }
        log.committed(place, offset);
        goOn();
    }

    /**
     * Nothing is left here and the client is at this position: transaction markers and holes are
     * settled, too.
     */
    void idleAt(long position) {
        synchronized (lock) {
            // The client's position is past what a stop has dropped.
            boolean allTaken = !dropped && !closed && polled.isEmpty();
            if (allTaken && isQuiet()) {
                offsets.settle(position);
            }
        }
        tellOrder();
    }

    /** Records polled and not settled. */
    long pending() {
        synchronized (lock) {
            return polled.size() + deliveries.records() + shipping.inFlight().sourceRecords();
        }
    }

    /** Records that are not settled, of those below this position of the client. */
    long behind(long position) {
        synchronized (lock) {
            // Once it stops, polled records are dropped: the client's position is past them.
            return stopping && offsets.settled() >= 0
                    ? Math.max(0, position - offsets.settled())
                    : pending();
        }
    }

    /** Timestamp of the first record here that is not settled; negative if there is none. */
    long headTimestamp() {
        synchronized (lock) {
            return firstTimestamp();
        }
    }

    private long firstTimestamp() {
        if (!shipping.inFlight().isEmpty()) {
            return shipping.inFlight().timestamp();
        }
        return deliveries.isEmpty() ? polled.firstTimestamp() : deliveries.firstTimestamp();
    }

    /** Hands out nothing more; what is open or in flight goes on. */
    void stop() {
        boolean drained;
        synchronized (lock) {
            stopping = true;
            drained = draining;
            draining = false;
            dropped |= !polled.isEmpty();
            polled.clear();
            route.dropFailed();
        }
        if (drained) {
            shipping.retry();
            shipNext();
        }
    }

    /**
     * Waits until what is open and in flight is settled.
     *
     * @return true if it waits for a commit now and should be asked again after it; false if it is
     *     quiet, waits for a retry (which may take for ever), or the deadline passed
     */
    boolean awaitQuiet(long deadlineNanos) throws InterruptedException {
        synchronized (lock) {
            while (!isQuiet()
                    && !shipping.inFlight().waitsForRetry()
                    && !waitsForStore()
                    && !offsets.waitsForCommit()) {
                long millis = (deadlineNanos - System.nanoTime()) / 1_000_000;
                if (millis <= 0 || link.monitor().hasProblem(SilenceWatch.SCOPE)) {
                    return false;
                }
                lock.wait(Math.min(millis, LOOK_AGAIN_MILLIS));
            }
            return offsets.waitsForCommit();
        }
    }

    private boolean isQuiet() {
        return deliveries.isEmpty() && isSlotFree();
    }

    /** True if nothing is with the destination and no turn of the store runs. */
    private boolean isSlotFree() {
        return shipping.inFlight().isEmpty() && (undelivered == null || !undelivered.isBusy());
    }

    private boolean waitsForStore() {
        return undelivered != null && undelivered.waitsForStore();
    }

    /** Ends it: what is reported later is ignored. */
    void close() {
        synchronized (lock) {
            closed = true;
            stopping = true;
            polled.clear();
            deliveries.clear();
            lock.notifyAll();
        }
        if (order != null) {
            order.left(side, partition.partition());
        }
        link.monitor().clear(scope);
        route.clear();
        if (undelivered != null) {
            undelivered.close();
        }
    }

    // ---- workers

    void schedule() {
        synchronized (lock) {
            if (working || !hasWork()) {
                return;
            }
            working = true;
        }
        link.execute(this::work);
    }

    private boolean hasWork() {
        return !stopping
                && !closed
                && !draining
                && !link.isPaused()
                && !offsets.isRestarting()
                && (undelivered == null || undelivered.isLoaded())
                && !polled.isEmpty()
                && !deliveries.isRouteFailing()
                && deliveries.hasRoom()
                && room() > 0
                && mayHandOut(polled.firstTimestamp());
    }

    /** Last of all: what waits for the other side could go otherwise. */
    private boolean mayHandOut(long timestamp) {
        if (order == null) {
            return true;
        }
        handOutTo = order.bound(side, partition.partition(), timestamp);
        return timestamp <= handOutTo;
    }

    /** The other side may wait for what has moved here. Not under the lock. */
    void tellOrder() {
        if (order == null) {
            return;
        }
        boolean othersWait;
        synchronized (lock) {
            othersWait =
                    !closed
                            && order.moved(
                                    side,
                                    partition.partition(),
                                    offsets.position(),
                                    hasRecords() ? firstTimestamp() : DrainFirst.NO_HEAD,
                                    polled.lastTimestamp());
        }
        if (othersWait) {
            link.scheduleAll();
        }
    }

    private boolean hasRecords() {
        return !shipping.inFlight().isEmpty() || !deliveries.isEmpty() || !polled.isEmpty();
    }

    /** Where the route itself is the destination, what is in it is in flight. */
    private long room() {
        return link.hasDestination()
                ? Integer.MAX_VALUE
                : maxUncommitted - offsets.uncommitted() - deliveries.records();
    }

    private void work() {
        long turnsEnd = System.nanoTime() + TURN_NANOS;
        for (int turn = 0; turn < TURNS && (turn == 0 || System.nanoTime() < turnsEnd); turn++) {
            FlowDelivery delivery;
            boolean resume;
            synchronized (lock) {
                if (!hasWork()) {
                    working = false;
                    return;
                }
                delivery = cut();
                deliveries.open(delivery);
                resume = polled.hasRoomAgain();
            }
            if (resume) {
                wakeSource.run();
            }
            link.handedOut(side, delivery.batch().records());
            route.handOut(delivery);
        }
        // Other partitions, and other links, want their turn.
        link.execute(this::work);
    }

    private FlowDelivery cut() {
        int most =
                link.definition().options().batch()
                        ? Math.max(1, Math.min(MAX_DELIVERY_RECORDS, maxUncommitted / 2))
                        : 1;
        most = (int) Math.min(most, room());
        PolledRecords.Cut cut =
                polled.cut(most, handOutTo, most == 1 ? ChunkSize.DEFAULT : link.chunk());
        return new FlowDelivery(
                this,
                new RecordBatch(partition.topic(), partition.partition(), cut.records()),
                cut.bytes(),
                cut.records().get(cut.records().size() - 1).offset() + 1,
                1);
    }

    /** Takes the next step, if the destination has room for a shipment of this partition. */
    private void shipNext() {
        Runnable next;
        boolean urgent;
        synchronized (lock) {
            next = isSlotFree() && !closed && !draining ? shipping.nextStep() : null;
            restartIfQuiet();
            urgent = offsets.isCommitUrgent();
            if (isQuiet() || offsets.waitsForCommit()) {
                lock.notifyAll();
            }
        }
        shipping.tellDropped();
        if (urgent) {
            wakeSource.run();
        }
        tellOrder();
        if (next != null) {
            next.run();
        }
    }
}
