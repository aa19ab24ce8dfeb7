package dev.streamconnect.engine;

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
 * One record without a source that would keep it: it has a deadline, and its caller is told the
 * exception of Kafka's.
 */
final class DirectSend implements Shipment.Listener {

    private final CompletableFuture<SendResult> result;
    private final Shipment shipment;
    private volatile RecordMetadata place;

    DirectSend(OutgoingRecord outgoing, Instant deadline, CompletableFuture<SendResult> result) {
        this.result = result;
        this.shipment =
                new Shipment.Routed(List.of(outgoing), -1, 0, this) {
                    @Override
                    Instant deadline() {
                        return deadline;
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
                        : new SendResult(
                                at.topic(),
                                at.partition(),
                                at.hasOffset() ? at.offset() : -1,
                                at.timestamp()));
    }

    @Override
    public void failed(Shipment sent, FailureVerdict verdict) {
        result.completeExceptionally(exception(sent, verdict));
    }

    private static Exception exception(Shipment sent, FailureVerdict verdict) {
        if (sent.lastError() != null) {
            return sent.lastError();
        }
        if (verdict instanceof FailureVerdict.MessageRefused) {
            return verdict.reason().contains("over the limit")
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
