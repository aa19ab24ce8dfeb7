package dev.streamconnect.engine;

import java.util.Arrays;

/**
 * The way of one source partition from the route to the destination: takes what the route released,
 * in its order, as shipments, of which one at a time is with the destination, and settles what
 * became of it.
 *
 * <p>What the route dropped settles without being sent. What is refused goes to the undelivered
 * store, if there is one; any other failure is shipped again after a back-off, and nothing passes
 * it.
 *
 * <p>State is guarded by the flow's lock; outcomes come from client threads.
 */
final class FlowShipping implements Shipment.Listener {

    private final PartitionFlow flow;
    private final KafkaLink link;
    private final FlowDeliveries deliveries;
    private final FlowOffsets offsets;
    private final InFlight inFlight;
    private final Backoff backoff;
    private final BatchLog log;
    private final String place;
    private final String scope;

    private boolean untoldMovement;
    private int untoldRecords;
    private long untoldBytes;

    /**
     * @param deliveries takes what they release
     * @param offsets settles there what is acknowledged, stored or dropped
     * @param scope of its problems
     */
    FlowShipping(
            PartitionFlow flow,
            KafkaLink link,
            FlowDeliveries deliveries,
            FlowOffsets offsets,
            Backoff backoff,
            String scope) {
        this.flow = flow;
        this.link = link;
        this.deliveries = deliveries;
        this.offsets = offsets;
        this.inFlight = new InFlight(offsets);
        this.backoff = backoff;
        this.log = link.batchLog();
        this.place = BatchLog.place(flow.side(), flow.partition());
        this.scope = scope;
    }

    // ---- under the flow's lock

    InFlight inFlight() {
        return inFlight;
    }

    /**
     * What takes the free slot: a turn of the store, or a shipment; null for nothing now. To be run
     * without the lock.
     */
    Runnable nextStep() {
        Runnable turn = nextTurn();
        if (turn != null) {
            return turn;
        }
        settleDropped();
        FlowDelivery head = deliveries.firstReleased();
        if (head == null) {
            return nextTurn();
        }
        if (isForStore(head)) {
            return flow.undelivered().storing(head);
        }
        if (!offsets.hasRoomFor(head.emittedCount())) {
            return null;
        }
        boolean untouched = head.isUntouchedBatch();
        Shipment shipment = head.emittedBatch() != null ? takeBatch() : takeRecords();
        log.sending(place, shipment);
        FlowUndelivered undelivered = flow.undelivered();
        Runnable holding =
                undelivered == null
                        ? null
                        : undelivered.holding(
                                shipment, untouched, kept -> keptAndGoOn(shipment, kept));
        return holding != null ? holding : () -> link.ship(shipment);
    }

    private Runnable nextTurn() {
        return flow.undelivered() == null ? null : flow.undelivered().nextTurn();
    }

    private boolean isForStore(FlowDelivery delivery) {
        return flow.undelivered() != null && flow.undelivered().takesWhole(delivery);
    }

    /** What the route dropped is settled as soon as everything before it is. */
    private void settleDropped() {
        for (FlowDelivery first = deliveries.firstReleased();
                first != null
                        && (first.emittedNothing() || !link.hasDestination())
                        && !isForStore(first);
                first = deliveries.firstReleased()) {
            FlowDelivery dropped = deliveries.take();
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

    private Shipment takeBatch() {
        FlowDelivery delivery = deliveries.take();
        Shipment.Raw shipment =
                new Shipment.Raw(
                        delivery.emittedBatch(), flow.sourcePartitions(), link.origin(), this);
        inFlight.put(shipment, delivery);
        return shipment;
    }

    /** What several deliveries emitted, as far as there is room for it. */
    private Shipment takeRecords() {
        GatheredRecords gathered = new GatheredRecords(deliveries.take());
        for (FlowDelivery next = deliveries.firstReleased();
                next != null
                        && next.emittedBatch() == null
                        && !gathered.isFull()
                        && offsets.fits(gathered.size() + next.emittedCount())
                        && !isForStore(next);
                next = deliveries.firstReleased()) {
            gathered.add(deliveries.take());
        }
        Shipment shipment =
                gathered.shipment(
                        flow.partition().partition(), flow.sourcePartitions(), link.origin(), this);
        inFlight.put(shipment, gathered);
        return shipment;
    }

    /** The source records of the first released delivery are in the store. */
    void settleStored(FlowDelivery delivery) {
        if (flow.isClosed() || deliveries.firstReleased() != delivery) {
            return;
        }
        deliveries.take();
        offsets.settle(delivery.endOffset());
        offsets.count(delivery.batch().size());
    }

    // ---- without the lock

    /** Tells the monitor what was settled without a shipment. */
    void tellDropped() {
        boolean moved;
        int records;
        long bytes;
        synchronized (flow.lock()) {
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
    }

    /** What a stored source record became on its way through the route. */
    Shipment shipmentOf(FlowDelivery delivery, long offset, Shipment.Listener listener) {
        if (delivery.emittedBatch() != null) {
            return new Shipment.Raw(
                    delivery.emittedBatch(), flow.sourcePartitions(), link.origin(), listener);
        }
        long[] source = new long[delivery.emittedCount()];
        Arrays.fill(source, offset);
        return new Shipment.Routed(
                delivery.emitted(),
                source,
                flow.partition().partition(),
                flow.sourcePartitions(),
                link.origin(),
                listener);
    }

    // ---- outcomes, client threads

    @Override
    public void progressed(Shipment shipment, int records, long bytes) {
        synchronized (flow.lock()) {
            if (isStrange(shipment)) {
                return;
            }
            inFlight.progressed(records);
        }
        flow.tellOrder();
        link.monitor().moved(records, bytes);
        link.monitor().clear(scope);
    }

    /** Some records of the shipment are in the store; the rest goes to the destination. */
    private void keptAndGoOn(Shipment shipment, int kept) {
        synchronized (flow.lock()) {
            flow.undelivered().endHolding();
            if (isStrange(shipment)) {
                return;
            }
            inFlight.progressed(kept);
        }
        log.stored(place, shipment, kept);
        link.monitor().clear(scope);
        if (shipment.acked() >= shipment.size()) {
            delivered(shipment);
        } else {
            link.ship(shipment);
        }
    }

    @Override
    public void delivered(Shipment shipment) {
        synchronized (flow.lock()) {
            if (isStrange(shipment)) {
                return;
            }
            inFlight.delivered();
        }
        log.delivered(place, shipment);
        flow.goOn();
    }

    @Override
    public void failed(Shipment shipment, FailureVerdict verdict) {
        int attempt;
        boolean store;
        long offset;
        synchronized (flow.lock()) {
            if (isStrange(shipment)) {
                return;
            }
            store = flow.undelivered() != null && verdict instanceof FailureVerdict.MessageRefused;
            attempt = store ? 0 : inFlight.failed();
            offset = inFlight.firstOffset();
            flow.lock().notifyAll();
        }
        log.failed(place, shipment, verdict);
        if (store) {
            flow.undelivered()
                    .refused(
                            shipment,
                            (FailureVerdict.MessageRefused) verdict,
                            kept -> keptAndGoOn(shipment, kept));
            return;
        }
        tellFailed(verdict, attempt, offset);
        link.later(this::retry, backoff.delay(attempt));
    }

    private boolean isStrange(Shipment shipment) {
        return flow.isClosed() || !inFlight.is(shipment);
    }

    private void tellFailed(FailureVerdict verdict, int attempt, long offset) {
        Problem problem = Problem.of(verdict, link.clock().instant()).forPart();
        if (verdict instanceof FailureVerdict.MessageRefused) {
            problem =
                    problem.as(
                            problem.state(),
                            "offset "
                                    + offset
                                    + " of "
                                    + flow.partition()
                                    + ": "
                                    + problem.reason());
        }
        if (attempt > 1 || !(verdict instanceof FailureVerdict.Transient)) {
            link.monitor().problem(scope, problem);
        }
    }

    /** Ships again what failed, now. */
    void retry() {
        Shipment again;
        synchronized (flow.lock()) {
            if (!inFlight.waitsForRetry() || flow.isClosed() || flow.isDraining()) {
                return;
            }
            again = inFlight.again();
        }
        link.ship(again);
    }
}
