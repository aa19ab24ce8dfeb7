package dev.streamconnect.engine;

import dev.streamconnect.cluster.Causes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * One source partition in motion, from the poll to the settled offset.
 *
 * <pre>
 *   offered → buffered → open deliveries (in the route) → released, in offset order → in flight → settled → committed
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
final class PartitionFlow implements Shipment.Listener {

    /** Buffered beyond this many bytes, the partition is paused; it is resumed below half of it. */
    private static final long MAX_BUFFERED_BYTES = 4L * 1024 * 1024;

    private static final int MAX_DELIVERY_BYTES = 1024 * 1024;
    private static final int MAX_DELIVERY_RECORDS = 4_000;
    private static final int TURNS = 256;
    private static final long TURN_NANOS = 20_000_000;

    /** Polled bytes in the route or released; one delivery is always let through. */
    private static final long MAX_OPEN_BYTES = 4L * 1024 * 1024;

    private static final long LOOK_AGAIN_MILLIS = 250;

    private final Object lock = new Object();
    private final KafkaLink link;
    private final TopicPartition partition;
    private final String side;
    private final IntSupplier sourcePartitions;
    private final Runnable wakeSource;
    private final Backoff backoff;
    private final int maxUncommitted;
    private final Duration routeRetryLimit;
    private final String scope;
    private final BatchLog log;
    private final String place;
    private final DrainFirst order;

    private final ArrayDeque<ConsumerRecord<byte[], byte[]>> buffered = new ArrayDeque<>();
    private long bufferedBytes;
    private boolean full;
    private final ArrayDeque<FlowDelivery> open = new ArrayDeque<>();
    private final ArrayDeque<FlowDelivery> released = new ArrayDeque<>();
    private long heldBytes;
    private int heldRecords;
    private Shipment inFlight;
    private long[] endOffsets;
    private long endOffset;
    private boolean untoldMovement;
    private int untoldRecords;
    private long untoldBytes;
    private int inFlightRecords;
    private long inFlightTimestamp = -1;

    private final FlowOffsets offsets;
    private FlowUndelivered undelivered;
    private PositionMark mark = PositionMark.UNKNOWN;

    private long handOutTo = Long.MAX_VALUE;

    private boolean working;
    private boolean draining;
    private boolean stopping;
    private boolean closed;
    private boolean retryPending;
    private int failures;

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
        this.backoff = new Backoff(options.retryInitial(), options.retryMax());
        this.maxUncommitted = options.maxUncommitted();
        this.routeRetryLimit = options.routeRetryLimit();
        this.offsets = new FlowOffsets(maxUncommitted);
        this.log = link.batchLog();
        this.place = BatchLog.place(side, partition);
        this.scope = "partition " + (side == null ? "" : side + " ") + partition;
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

    boolean isStopping() {
        synchronized (lock) {
            return stopping;
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
                    && buffered.isEmpty()
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
            // A late retry finds them settled.
            open.forEach(FlowDelivery::settle);
            open.clear();
            released.clear();
            heldBytes = 0;
            heldRecords = 0;
            inFlight = null;
            inFlightRecords = 0;
            retryPending = false;
            failures = 0;
            draining = false;
            buffered.clear();
            bufferedBytes = 0;
            full = false;
            offsets.restartAt(offset);
            restartIfQuiet();
            lock.notifyAll();
        }
        link.monitor().clear(scope);
        link.monitor().clear(routeScope());
        goOn();
        return from;
    }

    private boolean isDrained() {
        boolean sent = inFlight != null && !retryPending;
        boolean inStore = undelivered != null && (undelivered.isBusy() || !undelivered.isLoaded());
        return !sent
                && !inStore
                && open.stream().allMatch(each -> each.isSettled() || each.waitsForRetry());
    }

    /** Goes on where it was before {@link #drain}. */
    void endDrain() {
        FlowDelivery failed;
        synchronized (lock) {
            if (!draining) {
                return;
            }
            draining = false;
            failed = open.peek();
        }
        if (failed != null) {
            link.execute(() -> handOutAgain(failed));
        }
        retry();
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
        synchronized (lock) {
            if (stopping || closed) {
                return;
            }
            for (ConsumerRecord<byte[], byte[]> record : records) {
                buffered.add(record);
                bufferedBytes += bufferedSize(record);
            }
            full |= bufferedBytes >= MAX_BUFFERED_BYTES;
        }
        log.polled(place, records);
        tellOrder();
        schedule();
    }

    private static int bufferedSize(ConsumerRecord<byte[], byte[]> record) {
        return Math.max(record.serializedKeySize(), 0)
                + Math.max(record.serializedValueSize(), 0)
                + 64;
    }

    /** True while the partition should be paused. */
    boolean wantsPause() {
        synchronized (lock) {
            return full || draining || stopping || closed || link.isPaused();
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
            // Once it stops, polled records are dropped: the client's position is past them.
            boolean allTaken = !stopping && !closed && buffered.isEmpty();
            if (allTaken && isQuiet()) {
                offsets.settle(position);
            }
        }
        tellOrder();
    }

    /** Records polled and not settled. */
    long pending() {
        synchronized (lock) {
            return buffered.size() + heldRecords + inFlightRecords;
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
            if (inFlight instanceof Shipment.Raw raw) {
                return raw.timestamp(Math.min(raw.acked(), raw.size() - 1));
            }
            if (inFlight != null) {
                return inFlightTimestamp;
            }
            FlowDelivery head = released.isEmpty() ? open.peek() : released.peek();
            if (head != null) {
                return head.batch().records().get(0).timestamp();
            }
            return buffered.isEmpty() ? -1 : buffered.peek().timestamp();
        }
    }

    /** Hands out nothing more; what is open or in flight goes on. */
    void stop() {
        boolean drained;
        synchronized (lock) {
            stopping = true;
            drained = draining;
            draining = false;
            buffered.clear();
            bufferedBytes = 0;
            dropFailed();
        }
        if (drained) {
            retry();
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
            while (!isQuiet() && !retryPending && !waitsForStore() && !offsets.waitsForCommit()) {
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
        return open.isEmpty() && released.isEmpty() && isSlotFree();
    }

    /** True if nothing is with the destination and no turn of the store runs. */
    private boolean isSlotFree() {
        return inFlight == null && (undelivered == null || !undelivered.isBusy());
    }

    private boolean waitsForStore() {
        return undelivered != null && undelivered.waitsForStore();
    }

    /** Ends it: what is reported later is ignored. */
    void close() {
        synchronized (lock) {
            closed = true;
            stopping = true;
            buffered.clear();
            open.clear();
            released.clear();
            lock.notifyAll();
        }
        if (order != null) {
            order.left(side, partition.partition());
        }
        link.monitor().clear(scope);
        link.monitor().clear(routeScope());
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
                && !buffered.isEmpty()
                && !isRouteFailing()
                && open.size() + released.size() < link.definition().options().maxOpenDeliveries()
                && (heldRecords == 0 || heldBytes < MAX_OPEN_BYTES)
                && room() > 0
                && mayHandOut(buffered.peek().timestamp());
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
    private void tellOrder() {
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
                                    hasRecords() ? headTimestamp() : DrainFirst.NO_HEAD,
                                    buffered.isEmpty() ? -1 : buffered.peekLast().timestamp());
        }
        if (othersWait) {
            link.scheduleAll();
        }
    }

    private boolean hasRecords() {
        return inFlight != null || !released.isEmpty() || !open.isEmpty() || !buffered.isEmpty();
    }

    /** The first has failed again: what is new would fail, too, and waits before the route. */
    private boolean isRouteFailing() {
        return !open.isEmpty() && open.peek().attempt() > 2;
    }

    /** Where the route itself is the destination, what is in it is in flight. */
    private long room() {
        return link.hasDestination()
                ? Integer.MAX_VALUE
                : maxUncommitted - offsets.uncommitted() - heldRecords;
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
                open.add(delivery);
                resume = full && bufferedBytes < MAX_BUFFERED_BYTES / 2;
                if (resume) {
                    full = false;
                }
            }
            if (resume) {
                wakeSource.run();
            }
            link.handedOut(side, delivery.batch().records());
            handOut(delivery);
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
        List<ConsumerRecord<byte[], byte[]>> records =
                new ArrayList<>(Math.min(most, buffered.size()));
        long bytes = 0;
        while (!buffered.isEmpty()
                && records.size() < most
                && bytes < MAX_DELIVERY_BYTES
                && buffered.peek().timestamp() <= handOutTo) {
            ConsumerRecord<byte[], byte[]> record = buffered.poll();
            bytes += bufferedSize(record);
            records.add(record);
        }
        bufferedBytes -= bytes;
        heldBytes += bytes;
        heldRecords += records.size();
        long end = records.get(records.size() - 1).offset() + 1;
        return new FlowDelivery(
                this,
                new RecordBatch(partition.topic(), partition.partition(), records),
                bytes,
                end,
                1);
    }

    void handOut(FlowDelivery delivery) {
        try {
            link.handler().handle(delivery);
        } catch (RuntimeException | Error e) {
            failed(delivery, e);
        }
    }

    // ---- settling, any thread

    void completed(FlowDelivery delivery) {
        List<FlowDelivery> retry = List.of();
        synchronized (lock) {
            if (closed || !delivery.settle()) {
                return;
            }
            if (delivery.row() == null) {
                retry = releaseSettled(delivery.attempt() > 1, link.clock().instant());
            }
        }
        if (delivery.row() != null) {
            delivery.row().completed(delivery);
            return;
        }
        if (delivery.attempt() > 1) {
            link.monitor().clear(routeScope());
        }
        retry.forEach(each -> link.execute(() -> handOutAgain(each)));
        goOn();
    }

    /**
     * Releases what is settled at the front.
     *
     * @param works true if a step that failed works again
     * @return what waits for a retry and should go now: its own time in vain begins
     */
    private List<FlowDelivery> releaseSettled(boolean works, Instant now) {
        while (!open.isEmpty() && open.peek().isSettled()) {
            released.add(open.poll());
        }
        List<FlowDelivery> retry = List.of();
        FlowDelivery first = open.peek();
        if (works) {
            retry = open.stream().filter(FlowDelivery::waitsForRetry).toList();
        } else if (first != null && first.waitsForRetry()) {
            retry = List.of(first);
        }
        retry.forEach(each -> each.failsSince(now));
        return retry;
    }

    /**
     * A step of the route failed: the same records go in again, and nothing of the partition passes
     * them. Only the first that fails is tried again and again; those behind it wait until it got
     * through or was given up.
     */
    void failed(FlowDelivery delivery, Throwable cause) {
        FlowDelivery again;
        boolean first;
        Instant now = link.clock().instant();
        List<FlowDelivery> retry = List.of();
        synchronized (lock) {
            if (closed || !delivery.settle()) {
                return;
            }
            if (delivery.row() == null) {
                again = delivery.again(now, "a step of the route fails: " + Causes.shortest(cause));
                first = open.peek() == delivery;
                List<FlowDelivery> all = new ArrayList<>(open);
                all.replaceAll(each -> each == delivery ? again : each);
                open.clear();
                open.addAll(all);
                if (stopping) {
                    dropFailed();
                    return;
                }
                if (first && givesUp(again, now)) {
                    again.giveUp();
                    retry = releaseSettled(false, now);
                }
            } else {
                again = null;
                first = false;
            }
        }
        if (again == null) {
            delivery.row().failed(cause);
            return;
        }
        tellFailed(delivery, cause, now);
        if (again.isGivenUp()) {
            retry.forEach(each -> link.execute(() -> handOutAgain(each)));
            goOn();
        } else if (first) {
            link.later(
                    () -> link.execute(() -> handOutAgain(again)),
                    backoff.delay(delivery.attempt()));
        }
    }

    private boolean givesUp(FlowDelivery again, Instant now) {
        return undelivered != null
                && !routeRetryLimit.isZero()
                && again.failingSince().plus(routeRetryLimit).isBefore(now);
    }

    private void tellFailed(FlowDelivery delivery, Throwable cause, Instant now) {
        link.monitor()
                .problem(
                        routeScope(),
                        new Problem(
                                LinkState.STALLED,
                                "a step of the route fails for "
                                        + partition
                                        + " offset "
                                        + delivery.batch().records().get(0).offset()
                                        + ", retried in place: "
                                        + Causes.shortest(cause),
                                now,
                                false,
                                true));
    }

    /**
     * While stopping, what failed and all after it is not settled: it is read again after the next
     * start.
     */
    private void dropFailed() {
        boolean failedBefore = false;
        for (Iterator<FlowDelivery> all = open.iterator(); all.hasNext(); ) {
            FlowDelivery delivery = all.next();
            failedBefore |= delivery.waitsForRetry();
            if (failedBefore) {
                all.remove();
                noLongerHeld(delivery);
            }
        }
        lock.notifyAll();
    }

    private void handOutAgain(FlowDelivery delivery) {
        synchronized (lock) {
            if (closed
                    || stopping
                    || draining
                    || delivery.isSettled()
                    || !delivery.waitsForRetry()) {
                return;
            }
            delivery.retried();
        }
        handOut(delivery);
    }

    private String routeScope() {
        return "route " + scope;
    }

    /** Takes the next step, if the destination has room for a shipment of this partition. */
    private void shipNext() {
        Runnable next;
        boolean urgent;
        boolean moved;
        int records;
        long bytes;
        synchronized (lock) {
            next = isSlotFree() && !closed && !draining ? nextStep() : null;
            restartIfQuiet();
            urgent = offsets.isCommitUrgent();
            if (isQuiet() || offsets.waitsForCommit()) {
                lock.notifyAll();
            }
            moved = untoldMovement;
            records = untoldRecords;
            bytes = untoldBytes;
            untoldMovement = false;
            untoldRecords = 0;
            untoldBytes = 0;
        }
        if (moved) {
            link.monitor().moved(records, bytes);
        }
        if (urgent) {
            wakeSource.run();
        }
        tellOrder();
        if (next != null) {
            next.run();
        }
    }

    /** What takes the slot next: a turn of the store, or a shipment; null for nothing now. */
    private Runnable nextStep() {
        Runnable turn = undelivered == null ? null : undelivered.nextTurn();
        if (turn != null) {
            return turn;
        }
        settleDropped();
        FlowDelivery head = released.peek();
        if (head == null) {
            return undelivered == null ? null : undelivered.nextTurn();
        }
        if (undelivered != null && undelivered.takesWhole(head)) {
            return undelivered.storing(head);
        }
        if (!offsets.hasRoomFor(head.emittedCount())) {
            return null;
        }
        boolean untouched = head.isUntouchedBatch();
        if (head.emittedBatch() != null) {
            take();
            inFlightRecords = head.batch().size();
            endOffsets = null;
            endOffset = head.endOffset();
            inFlight = new Shipment.Raw(head.emittedBatch(), sourcePartitions(), this);
        } else {
            inFlight = gather();
        }
        Shipment shipment = inFlight;
        log.sending(place, shipment);
        Runnable holding =
                undelivered == null
                        ? null
                        : undelivered.holding(
                                shipment, untouched, kept -> keptAndGoOn(shipment, kept));
        return holding != null ? holding : () -> link.ship(shipment);
    }

    /** What the route dropped is settled as soon as everything before it is. */
    private void settleDropped() {
        while (!released.isEmpty()
                && (released.peek().emittedNothing() || !link.hasDestination())
                && (undelivered == null || !undelivered.takesWhole(released.peek()))) {
            FlowDelivery dropped = take();
            offsets.settle(dropped.endOffset());
            log.dropped(place, dropped.batch());
            untoldMovement = true;
            if (!link.hasDestination()) {
                offsets.count(dropped.batch().size());
                untoldRecords += dropped.batch().size();
                untoldBytes += dropped.batch().bytes();
            }
        }
    }

    /** The source records of the first released delivery are in the store. Under the lock. */
    void settleStored(FlowDelivery delivery) {
        if (closed || released.peek() != delivery) {
            return;
        }
        take();
        offsets.settle(delivery.endOffset());
        offsets.count(delivery.batch().size());
    }

    /** What a stored source record became on its way through the route. */
    Shipment shipmentOf(FlowDelivery delivery, long offset, Shipment.Listener listener) {
        if (delivery.emittedBatch() != null) {
            return new Shipment.Raw(delivery.emittedBatch(), sourcePartitions(), listener);
        }
        long[] source = new long[delivery.emittedCount()];
        Arrays.fill(source, offset);
        return new Shipment.Routed(
                delivery.emitted(), source, partition.partition(), sourcePartitions(), listener);
    }

    private FlowDelivery take() {
        FlowDelivery delivery = released.poll();
        noLongerHeld(delivery);
        return delivery;
    }

    private void noLongerHeld(FlowDelivery delivery) {
        heldBytes -= delivery.bytes();
        heldRecords -= delivery.batch().size();
    }

    /** One shipment of the records that several deliveries emitted. */
    private Shipment gather() {
        List<OutgoingRecord> records = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        List<Long> sourceOffsets = new ArrayList<>();
        int sources = 0;
        long end = -1;
        inFlightTimestamp = released.peek().batch().records().get(0).timestamp();
        while (!released.isEmpty()
                && released.peek().emittedBatch() == null
                && records.size() < MAX_DELIVERY_RECORDS
                && (sources == 0 || offsets.fits(records.size() + released.peek().emittedCount()))
                && (undelivered == null || !undelivered.takesWhole(released.peek()))) {
            FlowDelivery delivery = take();
            sources += delivery.batch().size();
            end = delivery.endOffset();
            if (delivery.emittedNothing()) {
                ends.set(ends.size() - 1, end);
                continue;
            }
            for (int i = 0; i < delivery.emitted().size(); i++) {
                records.add(delivery.emitted().get(i));
                sourceOffsets.add(delivery.batch().records().get(0).offset());
                ends.add(-1L);
            }
            ends.set(ends.size() - 1, end);
        }
        inFlightRecords = sources;
        endOffset = end;
        endOffsets = ends.stream().mapToLong(Long::longValue).toArray();
        return new Shipment.Routed(
                records,
                sourceOffsets.stream().mapToLong(Long::longValue).toArray(),
                partition.partition(),
                sourcePartitions(),
                this);
    }

    // ---- outcomes, client threads

    @Override
    public void progressed(Shipment shipment, int records, long bytes) {
        synchronized (lock) {
            if (closed || shipment != inFlight) {
                return;
            }
            settleTo(shipment, records);
            failures = 0;
        }
        tellOrder();
        link.monitor().moved(records, bytes);
        link.monitor().clear(scope);
    }

    private void settleTo(Shipment shipment, int records) {
        if (offsets.settle(settledAfter(shipment))) {
            inFlightRecords = Math.max(0, inFlightRecords - records);
        }
        offsets.count(records);
    }

    /** Some records of the shipment are in the store; the rest goes to the destination. */
    private void keptAndGoOn(Shipment shipment, int kept) {
        synchronized (lock) {
            undelivered.endHolding();
            if (closed || shipment != inFlight) {
                return;
            }
            settleTo(shipment, kept);
            failures = 0;
        }
        log.stored(place, shipment, kept);
        link.monitor().clear(scope);
        if (shipment.acked() >= shipment.size()) {
            delivered(shipment);
        } else {
            link.ship(shipment);
        }
    }

    private long settledAfter(Shipment shipment) {
        int acked = shipment.acked();
        offsets.beyondSettled(0);
        if (endOffsets == null) {
            return acked == 0 ? -1 : ((Shipment.Raw) shipment).offset(acked - 1) + 1;
        }
        int beyond = 0;
        for (int i = acked - 1; i >= 0; i--) {
            if (endOffsets[i] >= 0) {
                return endOffsets[i];
            }
            beyond++;
            offsets.beyondSettled(beyond);
        }
        return -1;
    }

    @Override
    public void delivered(Shipment shipment) {
        synchronized (lock) {
            if (closed || shipment != inFlight) {
                return;
            }
            offsets.settle(endOffset);
            offsets.beyondSettled(0);
            inFlight = null;
            inFlightRecords = 0;
        }
        log.delivered(place, shipment);
        goOn();
    }

    @Override
    public void failed(Shipment shipment, FailureVerdict verdict) {
        int attempt;
        boolean store;
        synchronized (lock) {
            if (closed || shipment != inFlight) {
                return;
            }
            store = undelivered != null && verdict instanceof FailureVerdict.MessageRefused;
            attempt = store ? 0 : ++failures;
            retryPending = !store;
            lock.notifyAll();
        }
        log.failed(place, shipment, verdict);
        if (store) {
            undelivered.refused(
                    shipment,
                    (FailureVerdict.MessageRefused) verdict,
                    kept -> keptAndGoOn(shipment, kept));
            return;
        }
        Instant now = link.clock().instant();
        Problem problem = Problem.of(verdict, now).forPart();
        if (verdict instanceof FailureVerdict.MessageRefused) {
            problem =
                    problem.as(
                            problem.state(),
                            "offset "
                                    + firstOffset(shipment)
                                    + " of "
                                    + partition
                                    + ": "
                                    + problem.reason());
        }
        if (attempt > 1 || !(verdict instanceof FailureVerdict.Transient)) {
            link.monitor().problem(scope, problem);
        }
        link.later(this::retry, backoff.delay(attempt));
    }

    private long firstOffset(Shipment shipment) {
        return shipment instanceof Shipment.Raw raw && raw.acked() < raw.size()
                ? raw.offset(raw.acked())
                : offsets.settled();
    }

    /** Ships again what failed, now. */
    void retry() {
        Shipment again;
        synchronized (lock) {
            if (!retryPending || closed || draining) {
                return;
            }
            retryPending = false;
            again = inFlight;
        }
        if (again != null) {
            link.ship(again);
        }
    }
}
