package dev.streamconnect.engine;

import dev.streamconnect.spi.Reason;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * One record without a source that would keep it: it has a deadline. What is not delivered goes to
 * the undelivered store, if there is one; else its sender is told the exception of Kafka's.
 */
final class DirectSend implements Shipment.Listener {

    private final OutgoingRecord outgoing;
    private final SizeLimit limit;
    private final DirectUndelivered keeper;
    private final CompletableFuture<SendResult> result;
    private final Shipment shipment;
    private volatile RecordMetadata place;

    /**
     * @param keeper takes it if it is not delivered; null to complete the result exceptionally
     */
    DirectSend(
            OutgoingRecord outgoing,
            SizeLimit limit,
            Instant deadline,
            DirectUndelivered keeper,
            CompletableFuture<SendResult> result) {
        this.outgoing = outgoing;
        this.limit = limit;
        this.keeper = keeper;
        this.result = result;
        this.shipment =
                new Shipment.Routed(List.of(outgoing), null, -1, 0, this) {
                    @Override
                    Instant deadline() {
                        return deadline;
                    }

                    @Override
                    FailureVerdict heldBack() {
                        return keeper == null ? null : keeper.heldBack(outgoing.key());
                    }

                    @Override
                    void acknowledged(RecordMetadata last) {
                        place = last;
                    }
                };
    }

    Shipment shipment() {
        return shipment;
    }

    /** Null if it is not. */
    FailureVerdict tooLarge() {
        int bytes = RecordSize.of(outgoing.key(), outgoing.value(), shipment.headers(0));
        return limit.refuses(bytes)
                .map(why -> new FailureVerdict.MessageRefused(why.text(), why.kind(), ""))
                .orElse(null);
    }

    @Override
    public void progressed(Shipment sent, int records, long bytes) {
        // told by delivered
    }

    @Override
    public void delivered(Shipment sent) {
        RecordMetadata at = place;
        result.complete(
                at == null
                        ? null
                        : SendResult.at(
                                at.topic(),
                                at.partition(),
                                at.hasOffset() ? at.offset() : -1,
                                at.timestamp()));
    }

    @Override
    public void failed(Shipment sent, FailureVerdict verdict) {
        Exception failure = exception(sent, verdict);
        if (keeper == null) {
            result.completeExceptionally(failure);
        } else {
            keeper.keep(outgoing, verdict, failure, result);
        }
    }

    private static Exception exception(Shipment sent, FailureVerdict verdict) {
        if (sent.lastError() != null) {
            return sent.lastError();
        }
        if (verdict instanceof FailureVerdict.MessageRefused refused) {
            return refused.kind() == Reason.SIZE
                    ? new RecordTooLargeException(verdict.reason())
                    : new InvalidRecordException(verdict.reason());
        }
        if (verdict instanceof FailureVerdict.Unauthorized) {
            return new TopicAuthorizationException(verdict.reason());
        }
        if (verdict instanceof FailureVerdict.TopicMissing) {
            return new UnknownTopicOrPartitionException(verdict.reason());
        }
        return new TimeoutException(verdict.reason());
    }
}
