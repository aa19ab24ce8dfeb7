package dev.streamconnect.engine;

import dev.streamconnect.cluster.Causes;
import dev.streamconnect.spi.Reason;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One chunk of a shipment with one producer: the hot path. Bytes in, bytes out; nothing is made for
 * a record but Kafka's own objects, and one callback object serves the whole chunk.
 *
 * <p>A chunk never holds more than fits into one producer batch, so that all its records for one
 * destination partition are taken or refused together, and there is at most one unacknowledged
 * chunk for each source partition. It ends early before a record that the destination's contract
 * refuses, and, where that contract can't be read, before a key that it holds already: then a
 * refusal can never be overtaken by a later record of its key.
 *
 * <p>Sent by the client's sender thread; acknowledged by the producer's I/O thread, which calls
 * {@link #onCompletion}.
 */
final class ShipmentAttempt implements Callback {

    private static final Logger LOG = LoggerFactory.getLogger(ShipmentAttempt.class);
    private static final long YEAR_MILLIS = 365L * 24 * 60 * 60 * 1000;

    private final Shipment shipment;
    private final DestinationTopic topic;
    private final ProducerGeneration generation;
    private final int from;
    private final AtomicInteger pending = new AtomicInteger(1);

    private Future<RecordMetadata>[] sent;
    private long sentAt;
    private int to;
    private long bytes;
    private int skipped;
    private volatile Exception firstError;
    private volatile RecordMetadata lastMetadata;
    private Refusal refusal;

    ShipmentAttempt(Shipment shipment, DestinationTopic topic, ProducerGeneration generation) {
        this.shipment = shipment;
        this.topic = topic;
        this.generation = generation;
        this.from = shipment.acked();
        this.to = from;
    }

    /**
     * Sends the next chunk; it may be empty, if the contract refuses the first record.
     *
     * @param chunk how much it may be
     * @param single send one record only, to find the one that the broker refuses
     * @param now milliseconds since the epoch, for the contract and {@link #sentAt}
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    void send(Producer<byte[], byte[]> producer, ChunkSize chunk, boolean single, long now) {
        sentAt = now;
        DestinationContract contract = topic.contract();
        KeysOfChunk keys = contract.readable() ? null : new KeysOfChunk();
        int partitions = producer.partitionsFor(topic.name()).size();
        int size = shipment.size();
        sent = new Future[Math.min(size - from, most(single, chunk))];
        int filled = 0;
        try {
            while (to < size && to - from < sent.length && firstError == null) {
                int index = to;
                if (shipment.isAcked(index)) {
                    skipped++;
                    to++;
                    continue;
                }
                ProducerRecord<byte[], byte[]> record = build(index, partitions);
                if (record == null) {
                    break;
                }
                Header[] headers = record.headers().toArray();
                int payload = RecordSize.of(record.key(), record.value(), headers);
                int needed = payload + RecordSize.overhead(payload, headers.length);
                if (chunk.isFull(filled, needed)) {
                    break;
                }
                refusal =
                        contract.refuses(
                                        record.key() != null,
                                        payload,
                                        shipment.timestamp(index),
                                        now)
                                .orElse(null);
                if (refusal != null || (keys != null && !keys.add(record.key()))) {
                    break;
                }
                warnOfOddTimestamp(shipment.timestamp(index), now);
                filled += needed;
                bytes += payload;
                pending.incrementAndGet();
                sent[index - from] = sendOne(producer, record);
                to++;
            }
        } finally {
            onePendingLess();
        }
    }

    /** Also of a batch that is smaller than a record, one has to go. */
    private static int most(boolean single, ChunkSize chunk) {
        return single ? 1 : Math.max(1, chunk.bytes() / RecordSize.LEAST_OVERHEAD);
    }

    /** Null, with the reason in {@link #refusal}, for what can't be a record of the topic. */
    private ProducerRecord<byte[], byte[]> build(int index, int partitions) {
        Integer partition = shipment.partition(index, partitions);
        if (partition != null && (partition < 0 || partition >= partitions)) {
            // The client would block for it, and with it all who share the client.
            refusal =
                    new Refusal(
                            Reason.PARTITION,
                            "partition " + partition + " is asked for, and it has " + partitions);
            return null;
        }
        try {
            return shipment.toProducerRecord(index, topic.name(), partition);
        } catch (RuntimeException e) {
            refusal =
                    new Refusal(
                            Reason.SERIALIZATION,
                            "it can't be made a record: " + Causes.shortest(e));
            return null;
        }
    }

    /**
     * Seconds or microseconds taken for milliseconds: copied as they are, but retention by time
     * then deletes too early or never.
     */
    private void warnOfOddTimestamp(long timestamp, long now) {
        if (timestamp >= 0
                && !topic.contract().logAppendTime()
                && Math.abs(now - timestamp) > YEAR_MILLIS
                && topic.isFirstOddTimestamp()) {
            LOG.warn(
                    "topic {}: a message has the timestamp {}, more than a year from now; it is copied as it is, but"
                            + " retention by time goes by it; correct the unit where it is written (milliseconds)",
                    topic.name(),
                    timestamp);
        }
    }

    private Future<RecordMetadata> sendOne(
            Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
        try {
            return producer.send(record, this);
        } catch (RuntimeException e) {
            // A closed producer throws instead of calling back.
            onCompletion(null, e);
            return null;
        }
    }

    @Override
    public void onCompletion(RecordMetadata metadata, Exception error) {
        if (error == null) {
            lastMetadata = metadata;
        } else if (firstError == null) {
            firstError = error;
        }
        onePendingLess();
    }

    private void onePendingLess() {
        if (pending.decrementAndGet() == 0) {
            generation.attemptDone(this);
        }
    }

    /**
     * Takes over what the producer acknowledged; waits for it no longer than the limit. Sender
     * thread only.
     */
    void absorbAcks(long limitMillis) {
        for (int i = 0; i < to - from; i++) {
            Future<RecordMetadata> future = sent[i];
            if (future != null && succeeded(future, limitMillis)) {
                shipment.ack(from + i);
            }
        }
    }

    private static boolean succeeded(Future<RecordMetadata> future, long limitMillis) {
        try {
            future.get(limitMillis, TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (StackOverflowError e) {
            // Of a batch that was split time and again: the futures of the parts hang on each
            // other.
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * The first failure that is more than that of a batch neighbour, and the first at all where
     * there is no other.
     */
    Exception decidingError() {
        Exception deciding = firstError;
        for (int i = 0; i < to - from && FailureClassifier.isBatchNeighbour(deciding); i++) {
            Exception own = sent[i] == null ? null : errorOf(sent[i]);
            if (own != null && !FailureClassifier.isBatchNeighbour(own)) {
                deciding = own;
            }
        }
        return deciding;
    }

    private static Exception errorOf(Future<RecordMetadata> future) {
        try {
            future.get(0, TimeUnit.MILLISECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause() instanceof Exception cause ? cause : e;
        } catch (TimeoutException | StackOverflowError e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    void ackAll() {
        shipment.ackRange(from, to);
    }

    /** Records from the front that are acknowledged since this chunk was begun. */
    int acknowledged() {
        return shipment.acked() - from;
    }

    /**
     * Tells the listener of so many acknowledged records from the start of this chunk. More than
     * were sent are new where some behind a refused one had been acknowledged before.
     */
    void tellProgress(int more) {
        if (lastMetadata != null) {
            shipment.acknowledged(lastMetadata);
        }
        int end = from + more;
        int sent = more - shipment.keptBetween(from, end);
        long progressed = sent == size() ? bytes : shipment.bytesBetween(from, end);
        shipment.listener().progressed(shipment, sent, progressed);
    }

    /** True if every record of the chunk is acknowledged. */
    boolean succeeded() {
        return firstError == null;
    }

    /**
     * Why the record after this chunk is refused by the destination's contract; null if it is not.
     */
    Refusal refusal() {
        return refusal;
    }

    /** Acknowledgements still to come; falls as they arrive. */
    int pending() {
        return pending.get();
    }

    /** Key, value and header bytes of what was sent. */
    long bytes() {
        return bytes;
    }

    /** Milliseconds since the epoch; 0 before it is sent. */
    long sentAt() {
        return sentAt;
    }

    /** Records that were sent. */
    int size() {
        return to - from - skipped;
    }

    int end() {
        return to;
    }

    Shipment shipment() {
        return shipment;
    }

    DestinationTopic topic() {
        return topic;
    }

    ProducerGeneration generation() {
        return generation;
    }
}
