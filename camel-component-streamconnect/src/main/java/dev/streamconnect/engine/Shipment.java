package dev.streamconnect.engine;

import dev.streamconnect.spi.UndeliveredMessage;
import java.time.Instant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Records on their way to one destination topic, in the order in which they must arrive. It
 * remembers which of them are acknowledged, so that it can be sent again after any failure without
 * sending those once more.
 *
 * <p>Not thread-safe: the destination client that carries it is its only user between {@code ship}
 * and the listener's call.
 */
abstract class Shipment {

    /** Told what becomes of a shipment; calls come from client threads and must not block. */
    interface Listener {

        /** More records from the front are acknowledged: {@code shipment.acked()} has grown. */
        void progressed(Shipment shipment, int records, long bytes);

        /** All are acknowledged. */
        void delivered(Shipment shipment);

        /**
         * Given back: what is not acknowledged stays with the source and has to be shipped again
         * later.
         */
        void failed(Shipment shipment, FailureVerdict verdict);
    }

    private final Listener listener;
    private int acked;
    private BitSet ackedBeyond;
    private BitSet kept;
    private int searchUntil;
    private Exception lastError;

    Shipment(Listener listener) {
        this.listener = listener;
    }

    abstract int size();

    abstract byte[] key(int index);

    abstract byte[] value(int index);

    abstract Headers headers(int index);

    /** Milliseconds since the epoch; negative for none. */
    abstract long timestamp(int index);

    /**
     * The partition to send to where the destination has that many partitions, or null for "by
     * key".
     */
    abstract Integer partition(int index, int destinationPartitions);

    /** The partition as {@link dev.streamconnect.spi.UndeliveredMessage#partition} tells it. */
    abstract Integer askedPartition(int index);

    /** Offset of the source record that it comes from; -1 where there is none. */
    abstract long offset(int index);

    final Listener listener() {
        return listener;
    }

    /** Number of records from the front that are acknowledged. */
    final int acked() {
        return acked;
    }

    /** Asked when its turn to be sent has come: why it may not be sent now; null if it may. */
    FailureVerdict heldBack() {
        return null;
    }

    /**
     * When to give up waiting for a destination; null for never, since the source keeps the
     * records.
     */
    Instant deadline() {
        return null;
    }

    /** Without what was taken out. */
    final long bytesBetween(int from, int to) {
        long bytes = 0;
        for (int i = from; i < to; i++) {
            bytes += isKept(i) ? 0 : RecordSize.of(key(i), value(i), headers(i));
        }
        return bytes;
    }

    /** What the client answered last; null if it was not asked. */
    final Exception lastError() {
        return lastError;
    }

    final void lastError(Exception error) {
        lastError = error;
    }

    /** Told the place of the chunk's last record, where somebody wants to know. */
    void acknowledged(RecordMetadata last) {}

    /** Below that index the records are sent singly, to find the one that the broker refuses. */
    final void searchUntil(int end) {
        searchUntil = end;
    }

    /**
     * Takes a record out: it is with the undelivered store now. It counts as acknowledged, but not
     * as sent.
     */
    final void keep(int index) {
        if (kept == null) {
            kept = new BitSet();
        }
        kept.set(index);
        ack(index);
    }

    /** How many from {@code from} (inclusive) to {@code to} (exclusive) were taken out. */
    final int keptBetween(int from, int to) {
        return kept == null ? 0 : kept.get(from, to).cardinality();
    }

    final boolean isKept(int index) {
        return kept != null && kept.get(index);
    }

    /** True if two records are equal but for the partition asked for. */
    final boolean isEqual(int one, int other) {
        return timestamp(one) == timestamp(other)
                && Arrays.equals(key(one), key(other))
                && Arrays.equals(value(one), value(other))
                && Arrays.equals(headers(one).toArray(), headers(other).toArray());
    }

    final boolean isSearched() {
        return acked < searchUntil;
    }

    final boolean isAcked(int index) {
        return index < acked || (ackedBeyond != null && ackedBeyond.get(index));
    }

    final void ack(int index) {
        if (index == acked) {
            ackRange(index, index + 1);
        } else if (index > acked) {
            if (ackedBeyond == null) {
                ackedBeyond = new BitSet();
            }
            ackedBeyond.set(index);
        }
    }

    /** Acknowledges {@code from} (inclusive) to {@code to} (exclusive) in one step. */
    final void ackRange(int from, int to) {
        if (from <= acked) {
            acked = Math.max(acked, to);
            while (ackedBeyond != null && ackedBeyond.get(acked)) {
                acked++;
            }
        } else {
            for (int i = from; i < to; i++) {
                ack(i);
            }
        }
    }

    final ProducerRecord<byte[], byte[]> toProducerRecord(
            int index, String topic, Integer partition) {
        long timestamp = timestamp(index);
        return new ProducerRecord<>(
                topic,
                partition,
                timestamp < 0 ? null : timestamp,
                key(index),
                value(index),
                headers(index));
    }

    /** Polled records as they are: nothing is made for each of them before it is sent. */
    static final class Raw extends Shipment {
        private final List<ConsumerRecord<byte[], byte[]>> records;
        private final int sourcePartitions;
        private final OriginHeader origin;

        Raw(List<ConsumerRecord<byte[], byte[]>> records, int sourcePartitions, Listener listener) {
            this(records, sourcePartitions, null, listener);
        }

        /**
         * @param origin adds where they come from; null for nothing
         */
        Raw(
                List<ConsumerRecord<byte[], byte[]>> records,
                int sourcePartitions,
                OriginHeader origin,
                Listener listener) {
            super(listener);
            this.records = records;
            this.sourcePartitions = sourcePartitions;
            this.origin = origin;
        }

        @Override
        long offset(int index) {
            return records.get(index).offset();
        }

        @Override
        int size() {
            return records.size();
        }

        @Override
        byte[] key(int index) {
            return records.get(index).key();
        }

        @Override
        byte[] value(int index) {
            return records.get(index).value();
        }

        @Override
        Headers headers(int index) {
            Headers headers = records.get(index).headers();
            return origin == null ? headers : origin.added(headers);
        }

        @Override
        long timestamp(int index) {
            return records.get(index).timestamp();
        }

        @Override
        Integer askedPartition(int index) {
            return UndeliveredMessage.SOURCE_PARTITION;
        }

        @Override
        Integer partition(int index, int destinationPartitions) {
            return destinationPartitions == sourcePartitions
                    ? records.get(index).partition()
                    : null;
        }
    }

    /** Records that a route emitted one by one. */
    static class Routed extends Shipment {
        private final List<OutgoingRecord> records;
        private final long[] offsets;
        private final int sourcePartition;
        private final int sourcePartitions;
        private final OriginHeader origin;

        /** Without a word of where they come from. */
        Routed(
                List<OutgoingRecord> records,
                long[] offsets,
                int sourcePartition,
                int sourcePartitions,
                Listener listener) {
            this(records, offsets, sourcePartition, sourcePartitions, null, listener);
        }

        /**
         * @param offsets source offset of each record; null where there is no source
         * @param sourcePartition partition of the source records, -1 where there is none
         * @param origin adds where they come from; null for nothing
         */
        Routed(
                List<OutgoingRecord> records,
                long[] offsets,
                int sourcePartition,
                int sourcePartitions,
                OriginHeader origin,
                Listener listener) {
            super(listener);
            this.origin = origin;
            this.records = records;
            this.offsets = offsets;
            this.sourcePartition = sourcePartition;
            this.sourcePartitions = sourcePartitions;
        }

        @Override
        int size() {
            return records.size();
        }

        @Override
        long offset(int index) {
            return offsets == null ? -1 : offsets[index];
        }

        @Override
        byte[] key(int index) {
            return records.get(index).key();
        }

        @Override
        byte[] value(int index) {
            return records.get(index).value();
        }

        @Override
        Headers headers(int index) {
            Iterable<org.apache.kafka.common.header.Header> headers = records.get(index).headers();
            if (origin != null) {
                return origin.added(headers);
            }
            return headers instanceof Headers kafkaHeaders
                    ? kafkaHeaders
                    : new RecordHeaders(headers);
        }

        @Override
        long timestamp(int index) {
            Long timestamp = records.get(index).timestamp();
            return timestamp == null ? -1 : timestamp;
        }

        @Override
        Integer askedPartition(int index) {
            OutgoingRecord outgoing = records.get(index);
            return outgoing.partition() == null && outgoing.keepsSourcePartition()
                    ? (Integer) UndeliveredMessage.SOURCE_PARTITION
                    : outgoing.partition();
        }

        @Override
        Integer partition(int index, int destinationPartitions) {
            OutgoingRecord outgoing = records.get(index);
            if (outgoing.partition() != null) {
                return outgoing.partition();
            }
            return outgoing.keepsSourcePartition() && destinationPartitions == sourcePartitions
                    ? (Integer) sourcePartition
                    : null;
        }
    }
}
