package dev.streamconnect.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Consecutive records of one source partition, in offset order: the body of an exchange of {@code
 * replication:x?batch=true} and {@code hermes:x?batch=true}.
 *
 * <p>Immutable. The records are the polled ones, byte for byte; do not change their headers. A
 * route that wants to send less or something else puts the result of {@link #filter} or {@link
 * #map} into the body.
 *
 * @param topic the source topic; never null
 * @param partition the source partition
 * @param records the records in offset order; never null, unmodifiable, may be empty after a filter
 */
public record RecordBatch(
        String topic, int partition, List<ConsumerRecord<byte[], byte[]>> records) {

    public RecordBatch {
        Objects.requireNonNull(topic, "topic");
        records = Collections.unmodifiableList(records);
    }

    /** Number of records. */
    public int size() {
        return records.size();
    }

    /** Bytes of all keys, values, header names and header values. */
    public long bytes() {
        long bytes = 0;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            bytes += RecordSize.of(record.key(), record.value(), record.headers());
        }
        return bytes;
    }

    /** Returns a batch of the records for which the predicate holds, in the same order. */
    public RecordBatch filter(Predicate<ConsumerRecord<byte[], byte[]>> keep) {
        List<ConsumerRecord<byte[], byte[]>> kept = new ArrayList<>(records.size());
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (keep.test(record)) {
                kept.add(record);
            }
        }
        return new RecordBatch(topic, partition, kept);
    }

    /** Returns a batch with each record replaced by the function's result, in the same order. */
    public RecordBatch map(UnaryOperator<ConsumerRecord<byte[], byte[]>> change) {
        List<ConsumerRecord<byte[], byte[]>> changed = new ArrayList<>(records.size());
        for (ConsumerRecord<byte[], byte[]> record : records) {
            changed.add(change.apply(record));
        }
        return new RecordBatch(topic, partition, changed);
    }

    /** Names the batch by topic, partition and size; never shows content. */
    @Override
    public String toString() {
        return "RecordBatch[" + topic + "-" + partition + ", " + records.size() + " records]";
    }
}
