package dev.streamconnect.engine;

import dev.streamconnect.spi.Epoch;
import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.StoredHeader;
import dev.streamconnect.spi.TopicPair;
import dev.streamconnect.spi.UndeliveredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Makes records of one source partition into messages for the undelivered store. */
final class UndeliveredRecords {

    static final String BEHIND = "an earlier message of its key waits";

    private final MessageOrigin origin;
    private final String topicId;
    private final TopicPair topics;
    private final RetryPolicy policy;
    private volatile int epoch;

    /**
     * @param topicId of the source topic, empty where the broker tells none
     */
    UndeliveredRecords(MessageOrigin origin, String topicId, TopicPair topics, RetryPolicy policy) {
        this.origin = origin;
        this.topicId = topicId;
        this.topics = topics;
        this.policy = policy;
    }

    /** Rows of a topic that was made anew come after those of its predecessor. */
    void follow(Optional<Epoch> latest) {
        epoch =
                latest.map(e -> e.topicId().equals(topicId) ? e.number() : e.number() + 1)
                        .orElse(0);
    }

    /** The destination refuses it. */
    UndeliveredMessage refused(
            Shipment shipment, int index, FailureVerdict.MessageRefused verdict, Instant now) {
        int attempts = verdict.wasAsked() ? 1 : 0;
        return of(
                shipment,
                index,
                Stage.DESTINATION,
                verdict.kind(),
                verdict.errorClass(),
                verdict.reason(),
                attempts,
                now,
                policy.next(attempts, now));
    }

    /** It waits behind one of its key. */
    UndeliveredMessage behind(Shipment shipment, int index, Stage stage, Instant now) {
        return of(shipment, index, stage, Reason.BEHIND_KEY, "", BEHIND, 0, now, now);
    }

    /** A source record whose route failed for too long. */
    UndeliveredMessage failed(ConsumerRecord<byte[], byte[]> record, String why, Instant now) {
        return source(record, Reason.ROUTE, why, 1, now, policy.next(1, now));
    }

    /** A source record that waits for its route behind one of its key. */
    UndeliveredMessage behind(ConsumerRecord<byte[], byte[]> record, Instant now) {
        return source(record, Reason.BEHIND_KEY, BEHIND, 0, now, now);
    }

    private UndeliveredMessage of(
            Shipment shipment,
            int index,
            Stage stage,
            Reason reason,
            String errorClass,
            String text,
            int attempts,
            Instant now,
            Instant next) {
        return new UndeliveredMessage(
                origin,
                stage,
                topicId,
                epoch,
                shipment.offset(index),
                occurrence(shipment, index),
                topics,
                shipment.askedPartition(index),
                shipment.key(index),
                shipment.value(index),
                headers(shipment.headers(index)),
                shipment.timestamp(index),
                reason,
                errorClass,
                text,
                attempts,
                now,
                next);
    }

    /** How many equal records the same source record became before this one. */
    private static int occurrence(Shipment shipment, int index) {
        int equal = 0;
        for (int i = index - 1; i >= 0 && shipment.offset(i) == shipment.offset(index); i--) {
            equal += shipment.isEqual(i, index) ? 1 : 0;
        }
        return equal;
    }

    private UndeliveredMessage source(
            ConsumerRecord<byte[], byte[]> record,
            Reason reason,
            String text,
            int attempts,
            Instant now,
            Instant next) {
        return new UndeliveredMessage(
                origin,
                Stage.ROUTE,
                topicId,
                epoch,
                record.offset(),
                0,
                topics,
                null,
                record.key(),
                record.value(),
                headers(record.headers()),
                record.timestamp(),
                reason,
                "",
                text,
                attempts,
                now,
                next);
    }

    static List<StoredHeader> headers(Iterable<Header> headers) {
        List<StoredHeader> copy = new ArrayList<>();
        headers.forEach(header -> copy.add(new StoredHeader(header.key(), header.value())));
        return copy;
    }
}
