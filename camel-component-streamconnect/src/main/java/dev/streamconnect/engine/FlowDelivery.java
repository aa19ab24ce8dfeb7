package dev.streamconnect.engine;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A delivery of a {@link PartitionFlow}; its state is guarded by the flow's lock. */
final class FlowDelivery implements Delivery {

    private final PartitionFlow flow;
    private final RecordBatch batch;
    private final long bytes;
    private final long endOffset;
    private final int attempt;
    private List<OutgoingRecord> outgoing;
    private List<ConsumerRecord<byte[], byte[]>> outgoingBatch;
    private FlowUndelivered.RowThroughRoute row;
    private boolean settled;
    private boolean waitsForRetry;
    private Instant failingSince;
    private String failure;
    private boolean givenUp;

    FlowDelivery(PartitionFlow flow, RecordBatch batch, long bytes, long endOffset, int attempt) {
        this.flow = flow;
        this.batch = batch;
        this.bytes = bytes;
        this.endOffset = endOffset;
        this.attempt = attempt;
    }

    /** A stored source record; it settles no offset. */
    static FlowDelivery ofRow(
            PartitionFlow flow, FlowUndelivered.RowThroughRoute row, RecordBatch batch) {
        FlowDelivery delivery = new FlowDelivery(flow, batch, 0, -1, 1);
        delivery.row = row;
        return delivery;
    }

    /** Null for what comes from the source. */
    FlowUndelivered.RowThroughRoute row() {
        return row;
    }

    /** The same records once more, after a failure at that time. */
    FlowDelivery again(Instant now, String why) {
        FlowDelivery again = new FlowDelivery(flow, batch, bytes, endOffset, attempt + 1);
        again.waitsForRetry = true;
        again.failingSince = failingSince == null ? now : failingSince;
        again.failure = why;
        return again;
    }

    /** When its first attempt in this place failed; null before. */
    Instant failingSince() {
        return failingSince;
    }

    /** The clock of its failures starts now: others before it were the reason until now. */
    void failsSince(Instant now) {
        failingSince = now;
    }

    /** What failed last, one line; null before. */
    String failure() {
        return failure;
    }

    /** No attempt in place any more: its records go to the store. */
    void giveUp() {
        givenUp = true;
        settled = true;
        waitsForRetry = false;
        outgoing = null;
        outgoingBatch = null;
    }

    boolean isGivenUp() {
        return givenUp;
    }

    /** True if the route emitted the polled records as they are. */
    boolean isUntouchedBatch() {
        return outgoingBatch != null && outgoingBatch == batch.records();
    }

    /** True between a failure and the moment at which the route has the records again. */
    boolean waitsForRetry() {
        return waitsForRetry;
    }

    void retried() {
        waitsForRetry = false;
    }

    int emittedCount() {
        return outgoingBatch != null
                ? outgoingBatch.size()
                : outgoing == null ? 0 : outgoing.size();
    }

    @Override
    public String linkId() {
        return flow.linkId();
    }

    @Override
    public RecordBatch batch() {
        return batch;
    }

    @Override
    public String side() {
        return flow.side();
    }

    @Override
    public boolean emit(OutgoingRecord record) {
        synchronized (flow.lock()) {
            if (settled) {
                return false;
            }
            unwrapBatch();
            outgoing().add(record);
            return true;
        }
    }

    @Override
    public boolean emitBatch(RecordBatch records) {
        synchronized (flow.lock()) {
            if (settled) {
                return false;
            }
            if (outgoingBatch == null && outgoing == null) {
                outgoingBatch = records.records();
            } else {
                unwrapBatch();
                addEach(records.records());
            }
            return true;
        }
    }

    private void unwrapBatch() {
        if (outgoingBatch != null) {
            List<ConsumerRecord<byte[], byte[]>> records = outgoingBatch;
            outgoingBatch = null;
            addEach(records);
        }
    }

    private void addEach(List<ConsumerRecord<byte[], byte[]>> records) {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            outgoing()
                    .add(
                            new OutgoingRecord(
                                    record.key(),
                                    record.value(),
                                    record.headers(),
                                    record.timestamp() < 0 ? null : record.timestamp(),
                                    null,
                                    true));
        }
    }

    private List<OutgoingRecord> outgoing() {
        if (outgoing == null) {
            outgoing = new ArrayList<>();
        }
        return outgoing;
    }

    @Override
    public void complete() {
        flow.route().completed(this);
    }

    @Override
    public void fail(Throwable cause) {
        flow.route().failed(this, cause);
    }

    /** Marks it settled; false if it was already. Under the flow's lock. */
    boolean settle() {
        if (settled) {
            return false;
        }
        settled = true;
        return true;
    }

    boolean isSettled() {
        return settled;
    }

    boolean emittedNothing() {
        return (outgoing == null || outgoing.isEmpty())
                && (outgoingBatch == null || outgoingBatch.isEmpty());
    }

    /** Emitted records, or null if whole batches were emitted. */
    List<OutgoingRecord> emitted() {
        return outgoing;
    }

    List<ConsumerRecord<byte[], byte[]>> emittedBatch() {
        return outgoingBatch;
    }

    /** What the polled records take of memory, about. */
    long bytes() {
        return bytes;
    }

    /** Offset after the last source record. */
    long endOffset() {
        return endOffset;
    }

    /** Counted from 1. */
    int attempt() {
        return attempt;
    }
}
