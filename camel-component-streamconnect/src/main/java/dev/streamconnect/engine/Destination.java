package dev.streamconnect.engine;

import java.util.concurrent.CompletionStage;

/**
 * A topic that records without a source are sent to, over a shared connection; close it once.
 * Thread-safe.
 */
public interface Destination extends AutoCloseable {

    /**
     * Sends one record; never blocks. Records of one caller keep their order, also when the client
     * is rebuilt by a fail-over.
     *
     * @return completes at the acknowledgement with the place, or when the record is durable in the
     *     undelivered store; exceptionally with the cause from the Kafka client ({@code
     *     org.apache.kafka.common.errors.TimeoutException} where Hermes cannot be reached within
     *     the delivery time-out). On a client thread: do not block in it
     */
    CompletionStage<SendResult> send(OutgoingRecord outgoing);

    @Override
    void close();
}
