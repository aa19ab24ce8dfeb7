package dev.streamconnect.engine;

import dev.streamconnect.cluster.Causes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The way of one source partition's deliveries through the route. A delivery that fails goes in
 * again, in its place and after a back-off, and nothing passes it, until it is through or is given
 * up, which needs an undelivered store.
 *
 * <p>Deliveries are guarded by the flow's lock; their outcomes come from any thread.
 */
final class FlowRoute {

    private final PartitionFlow flow;
    private final KafkaLink link;
    private final FlowDeliveries deliveries;
    private final Backoff backoff;
    private final Duration retryLimit;
    private final String scope;

    /**
     * @param retryLimit how long a delivery is tried in its place; zero for ever
     * @param scope of its problem
     */
    FlowRoute(
            PartitionFlow flow,
            KafkaLink link,
            FlowDeliveries deliveries,
            Backoff backoff,
            Duration retryLimit,
            String scope) {
        this.flow = flow;
        this.link = link;
        this.deliveries = deliveries;
        this.backoff = backoff;
        this.retryLimit = retryLimit;
        this.scope = scope;
    }

    void handOut(FlowDelivery delivery) {
        try {
            link.handler().handle(delivery);
        } catch (RuntimeException | Error e) {
            failed(delivery, e);
        }
    }

    /** Hands out one that waits for it, unless the partition stands still or ends. */
    void handOutAgain(FlowDelivery delivery) {
        synchronized (flow.lock()) {
            if (flow.isStopping()
                    || flow.isDraining()
                    || delivery.isSettled()
                    || !delivery.waitsForRetry()) {
                return;
            }
            delivery.retried();
        }
        handOut(delivery);
    }

    private void soonAgain(List<FlowDelivery> waiting) {
        waiting.forEach(each -> link.execute(() -> handOutAgain(each)));
    }

    void completed(FlowDelivery delivery) {
        List<FlowDelivery> retry = List.of();
        synchronized (flow.lock()) {
            if (flow.isClosed() || !delivery.settle()) {
                return;
            }
            if (delivery.row() == null) {
                retry = deliveries.releaseSettled(delivery.attempt() > 1, link.clock().instant());
            }
        }
        if (delivery.row() != null) {
            delivery.row().completed(delivery);
            return;
        }
        if (delivery.attempt() > 1) {
            link.monitor().clear(scope);
        }
        soonAgain(retry);
        flow.goOn();
    }

    /**
     * A step of the route failed: the same records go in again, and nothing of the partition passes
     * them. Only the first that fails is tried again and again; those behind it wait until it got
     * through or was given up.
     */
    void failed(FlowDelivery delivery, Throwable cause) {
        FlowDelivery again = null;
        boolean first = false;
        Instant now = link.clock().instant();
        List<FlowDelivery> retry = List.of();
        synchronized (flow.lock()) {
            if (flow.isClosed() || !delivery.settle()) {
                return;
            }
            if (delivery.row() == null) {
                again = delivery.again(now, "a step of the route fails: " + Causes.shortest(cause));
                first = deliveries.firstOpen() == delivery;
                deliveries.replace(delivery, again);
                if (flow.isStopping()) {
                    dropFailed();
                    return;
                }
                if (first && givesUp(again, now)) {
                    again.giveUp();
                    retry = deliveries.releaseSettled(false, now);
                }
            }
        }
        if (again == null) {
            delivery.row().failed(cause);
            return;
        }
        tellFailed(delivery, cause, now);
        if (again.isGivenUp()) {
            soonAgain(retry);
            flow.goOn();
        } else if (first) {
            List<FlowDelivery> it = List.of(again);
            link.later(() -> soonAgain(it), backoff.delay(delivery.attempt()));
        }
    }

    private boolean givesUp(FlowDelivery again, Instant now) {
        return flow.undelivered() != null
                && !retryLimit.isZero()
                && again.failingSince().plus(retryLimit).isBefore(now);
    }

    private void tellFailed(FlowDelivery delivery, Throwable cause, Instant now) {
        link.monitor()
                .problem(
                        scope,
                        new Problem(
                                LinkState.STALLED,
                                "a step of the route fails for "
                                        + flow.partition()
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
     * start. Under the lock.
     */
    void dropFailed() {
        if (deliveries.dropFailed()) {
            flow.dropped();
        }
        flow.lock().notifyAll();
    }

    /** The first delivery that failed goes in again, now. */
    void retryFirst() {
        FlowDelivery first;
        synchronized (flow.lock()) {
            first = deliveries.firstOpen();
        }
        if (first != null) {
            soonAgain(List.of(first));
        }
    }

    /** It is over: its problem, too. */
    void clear() {
        link.monitor().clear(scope);
    }
}
