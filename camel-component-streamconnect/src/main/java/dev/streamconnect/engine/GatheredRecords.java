package dev.streamconnect.engine;

import java.util.ArrayList;
import java.util.List;

/** Records that several deliveries emitted, for one shipment. */
final class GatheredRecords {

    private static final int MAX_RECORDS = 4_000;

    private final long timestamp;
    private final List<OutgoingRecord> records = new ArrayList<>();
    private final List<Long> offsets = new ArrayList<>();
    private final List<Long> ends = new ArrayList<>();
    private int sourceRecords;
    private long endOffset = -1;

    /**
     * @param first emits at least one record
     */
    GatheredRecords(FlowDelivery first) {
        timestamp = first.batch().records().get(0).timestamp();
        add(first);
    }

    boolean isFull() {
        return records.size() >= MAX_RECORDS;
    }

    int size() {
        return records.size();
    }

    /** Adds what a delivery emitted, which may be nothing. */
    void add(FlowDelivery delivery) {
        sourceRecords += delivery.batch().size();
        endOffset = delivery.endOffset();
        if (!delivery.emittedNothing()) {
            for (OutgoingRecord record : delivery.emitted()) {
                records.add(record);
                offsets.add(delivery.batch().records().get(0).offset());
                ends.add(-1L);
            }
        }
        ends.set(ends.size() - 1, endOffset);
    }

    /** Timestamp of the first source record, in milliseconds since the epoch. */
    long timestamp() {
        return timestamp;
    }

    int sourceRecords() {
        return sourceRecords;
    }

    /** Offset after the last source record. */
    long endOffset() {
        return endOffset;
    }

    /**
     * For each record the offset that is settled with it: after the source records of its delivery
     * where it is the last one of them; -1 elsewhere.
     */
    long[] ends() {
        return ends.stream().mapToLong(Long::longValue).toArray();
    }

    Shipment shipment(
            int partition, int sourcePartitions, OriginHeader origin, Shipment.Listener listener) {
        return new Shipment.Routed(
                records,
                offsets.stream().mapToLong(Long::longValue).toArray(),
                partition,
                sourcePartitions,
                origin,
                listener);
    }
}
