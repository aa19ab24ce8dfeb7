package dev.streamconnect.engine;

/**
 * What a source hands to a route: one record or one batch of a single partition, with the means to
 * settle it.
 *
 * <p>The route emits any number of outgoing records and then settles the delivery exactly once, by
 * {@link #complete} or {@link #fail}. Nothing that was emitted leaves before the delivery is
 * complete and every earlier delivery of the partition is released, so the order of the source
 * partition is kept whatever the route does in between. After {@code fail} the emitted records are
 * dropped and the same delivery is handed out again after a back-off.
 *
 * <p>All methods may be called from any thread.
 */
public interface Delivery {

    /**
     * Id of the link (the topic replication's id, or the consumer's) that this delivery belongs to.
     */
    String linkId();

    /** The records, at least one, byte for byte as polled. */
    RecordBatch batch();

    /**
     * Side of the pair that it was read from: {@code A}, {@code B}, or null for a single cluster.
     */
    String side();

    /**
     * Adds an outgoing record.
     *
     * @return false if the delivery is settled already (the exchange outlived it, as after an
     *     aggregate or a wire tap): nothing was added and the caller has to send by itself
     */
    boolean emit(OutgoingRecord outgoing);

    /**
     * Adds the records of a batch as they are, without a wrapper for each. Otherwise as {@link
     * #emit}.
     */
    boolean emitBatch(RecordBatch outgoing);

    /**
     * Settles: what was emitted is released in order, nothing emitted means that the route dropped
     * the record.
     */
    void complete();

    /** Settles as failed in a step of the route; it is handed out again after a back-off. */
    void fail(Throwable cause);
}
