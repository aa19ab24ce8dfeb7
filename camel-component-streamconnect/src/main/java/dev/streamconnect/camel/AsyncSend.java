package dev.streamconnect.camel;

import dev.streamconnect.engine.Destination;
import dev.streamconnect.engine.OutgoingRecord;
import dev.streamconnect.engine.RecordBatch;
import dev.streamconnect.engine.SendResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Sends what an exchange holds and goes on with the exchange at the acknowledgement; holds no
 * thread meanwhile and never runs a route on a Kafka client's thread. Thread-safe.
 */
public final class AsyncSend {

    private static final int UNKNOWN = -1;

    private final Destination destination;
    private final String topic;
    private final Executor continuations;

    /**
     * @param topic full name of the destination's topic
     * @param continuations where an exchange goes on
     */
    public AsyncSend(Destination destination, String topic, Executor continuations) {
        this.destination = destination;
        this.topic = topic;
        this.continuations = continuations;
    }

    /** Starts sending one record; a failure is in the future. */
    public CompletableFuture<SendResult> start(OutgoingRecord outgoing) {
        return destination.send(outgoing).toCompletableFuture();
    }

    /** Starts sending all records of a batch in order; completes with the last one's place. */
    public CompletableFuture<SendResult> start(RecordBatch batch) {
        List<CompletableFuture<SendResult>> sent = new ArrayList<>(batch.size());
        for (ConsumerRecord<byte[], byte[]> record : batch.records()) {
            Long timestamp = record.timestamp() < 0 ? null : record.timestamp();
            sent.add(
                    start(
                            new OutgoingRecord(
                                    record.key(),
                                    record.value(),
                                    record.headers(),
                                    timestamp,
                                    null,
                                    false)));
        }
        return CompletableFuture.allOf(sent.toArray(new CompletableFuture<?>[0]))
                .thenApply(
                        all ->
                                sent.isEmpty()
                                        ? SendResult.at(topic, UNKNOWN, UNKNOWN, UNKNOWN)
                                        : sent.get(sent.size() - 1).join());
    }

    /**
     * Ends the exchange's step when the sending is over.
     *
     * @param acknowledged called before a successful exchange goes on
     * @return true if it is over already and the callback was called in this thread
     */
    public boolean settle(
            CompletableFuture<SendResult> sending,
            Exchange exchange,
            AsyncCallback callback,
            Consumer<SendResult> acknowledged) {
        if (sending.isDone()) {
            sending.whenComplete((result, failure) -> end(exchange, result, failure, acknowledged));
            callback.done(true);
            return true;
        }
        sending.whenComplete(
                (result, failure) ->
                        continuations.execute(
                                () -> {
                                    end(exchange, result, failure, acknowledged);
                                    callback.done(false);
                                }));
        return false;
    }

    /** What the Kafka client said, without the wrapper of a future. */
    public static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
    }

    private static void end(
            Exchange exchange,
            SendResult result,
            Throwable failure,
            Consumer<SendResult> acknowledged) {
        if (failure == null) {
            acknowledged.accept(result);
        } else {
            exchange.setException(cause(failure));
        }
    }
}
