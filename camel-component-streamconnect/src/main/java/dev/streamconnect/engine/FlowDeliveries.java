package dev.streamconnect.engine;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Deliveries of one source partition, in offset order: those that are open (in the route, or
 * waiting for another try), then those that are released (done with the route, and all before them
 * too). Guarded by the flow's lock.
 */
final class FlowDeliveries {

    /** A route may work at many messages at once. */
    private static final long MOST_BYTES = 2L * 1024 * 1024;

    /**
     * One batch in the route or ready while another is in flight keeps the destination busy; more
     * would only be copied by the garbage collector.
     */
    private static final long MOST_BYTES_OF_BATCHES = 512L * 1024;

    private final int most;
    private final long mostBytes;
    private final ArrayDeque<FlowDelivery> open = new ArrayDeque<>();
    private final ArrayDeque<FlowDelivery> released = new ArrayDeque<>();
    private long bytes;
    private int records;

    /**
     * Limits what there may be, open and released; one is always let through.
     *
     * @param most how many
     * @param batches whether each is a batch
     */
    FlowDeliveries(int most, boolean batches) {
        this.most = most;
        this.mostBytes = batches ? MOST_BYTES_OF_BATCHES : MOST_BYTES;
    }

    void open(FlowDelivery delivery) {
        open.add(delivery);
        bytes += delivery.bytes();
        records += delivery.batch().size();
    }

    boolean isEmpty() {
        return open.isEmpty() && released.isEmpty();
    }

    boolean hasRoom() {
        return open.size() + released.size() < most && (records == 0 || bytes < mostBytes);
    }

    /** Source records in them. */
    int records() {
        return records;
    }

    /** Milliseconds since the epoch, of the first source record; negative if there is none. */
    long firstTimestamp() {
        FlowDelivery first = released.isEmpty() ? open.peek() : released.peek();
        return first == null ? -1 : first.batch().records().get(0).timestamp();
    }

    // ---- open

    /** Null if none is open. */
    FlowDelivery firstOpen() {
        return open.peek();
    }

    /** The first has failed again: what is new would fail, too, and waits before the route. */
    boolean isRouteFailing() {
        return !open.isEmpty() && open.peek().attempt() > 2;
    }

    /** True if the route has none of them. */
    boolean isRouteDone() {
        return open.stream().allMatch(each -> each.isSettled() || each.waitsForRetry());
    }

    /**
     * Releases what is settled at the front.
     *
     * @param works true if a step that failed works again
     * @return what waits for a retry and should go now: its own time in vain begins
     */
    List<FlowDelivery> releaseSettled(boolean works, Instant now) {
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

    /** One that failed is replaced, in its place, by its next attempt. */
    void replace(FlowDelivery failed, FlowDelivery again) {
        List<FlowDelivery> all = new ArrayList<>(open);
        all.replaceAll(each -> each == failed ? again : each);
        open.clear();
        open.addAll(all);
    }

    /** Drops the first that waits for a retry, and all behind it; false if there is none. */
    boolean dropFailed() {
        boolean failedBefore = false;
        for (Iterator<FlowDelivery> all = open.iterator(); all.hasNext(); ) {
            FlowDelivery delivery = all.next();
            failedBefore |= delivery.waitsForRetry();
            if (failedBefore) {
                all.remove();
                left(delivery);
            }
        }
        return failedBefore;
    }

    // ---- released

    /** Null if none is released. */
    FlowDelivery firstReleased() {
        return released.peek();
    }

    /** The first released one leaves. */
    FlowDelivery take() {
        FlowDelivery delivery = released.poll();
        left(delivery);
        return delivery;
    }

    private void left(FlowDelivery delivery) {
        bytes -= delivery.bytes();
        records -= delivery.batch().size();
    }

    /** What is still said of an open one finds it settled. */
    void settleOpen() {
        open.forEach(FlowDelivery::settle);
    }

    void clear() {
        open.clear();
        released.clear();
        bytes = 0;
        records = 0;
    }
}
