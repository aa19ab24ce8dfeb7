package dev.streamconnect.engine;

/**
 * The one shipment of a source partition that is with the destination, or waits to be sent again.
 * Guarded by the flow's lock.
 */
final class InFlight {

    private final FlowOffsets offsets;
    private Shipment shipment;
    private int sourceRecords;
    private long endOffset;
    private long[] ends;
    private long timestamp;
    private boolean waitsForRetry;
    private int failures;

    /**
     * @param offsets told what is acknowledged
     */
    InFlight(FlowOffsets offsets) {
        this.offsets = offsets;
    }

    /** Puts polled records as they are. */
    void put(Shipment.Raw records, FlowDelivery delivery) {
        shipment = records;
        sourceRecords = delivery.batch().size();
        endOffset = delivery.endOffset();
        ends = null;
    }

    /** Puts what a route made of them. */
    void put(Shipment made, GatheredRecords of) {
        shipment = made;
        sourceRecords = of.sourceRecords();
        endOffset = of.endOffset();
        ends = of.ends();
        timestamp = of.timestamp();
    }

    boolean isEmpty() {
        return shipment == null;
    }

    boolean is(Shipment other) {
        return shipment != null && shipment == other;
    }

    /** Source records that are not settled. */
    int sourceRecords() {
        return sourceRecords;
    }

    /** Milliseconds since the epoch, of the first source record that is not settled. */
    long timestamp() {
        return shipment instanceof Shipment.Raw raw
                ? raw.timestamp(Math.min(raw.acked(), raw.size() - 1))
                : timestamp;
    }

    /** Offset of the first record that is not acknowledged. */
    long firstOffset() {
        return shipment instanceof Shipment.Raw raw && raw.acked() < raw.size()
                ? raw.offset(raw.acked())
                : offsets.settled();
    }

    /** So many more of its records are acknowledged or stored. */
    void progressed(int records) {
        if (offsets.settle(settled())) {
            sourceRecords = Math.max(0, sourceRecords - records);
        }
        offsets.count(records);
        failures = 0;
    }

    private long settled() {
        int acked = shipment.acked();
        offsets.beyondSettled(0);
        if (ends == null) {
            return acked == 0 ? -1 : shipment.offset(acked - 1) + 1;
        }
        int beyond = 0;
        for (int i = acked - 1; i >= 0; i--) {
            if (ends[i] >= 0) {
                return ends[i];
            }
            beyond++;
            offsets.beyondSettled(beyond);
        }
        return -1;
    }

    /** All its records are acknowledged or stored. */
    void delivered() {
        offsets.settle(endOffset);
        offsets.beyondSettled(0);
        remove();
    }

    /** It is given back and waits to be sent again. Returns how often that was so in a row. */
    int failed() {
        waitsForRetry = true;
        return ++failures;
    }

    boolean waitsForRetry() {
        return waitsForRetry;
    }

    /** What goes to the destination again now. */
    Shipment again() {
        waitsForRetry = false;
        return shipment;
    }

    /** Drops it: what is said of it later is ignored. */
    void clear() {
        remove();
        waitsForRetry = false;
        failures = 0;
    }

    private void remove() {
        shipment = null;
        sourceRecords = 0;
    }
}
