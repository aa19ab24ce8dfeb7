package dev.streamconnect.engine;

import java.util.concurrent.CompletionStage;

/** A connection that records are sent over, shared and counted; close it once. Thread-safe. */
public interface Destination extends AutoCloseable {

    /**
     * Sends one record; never blocks. Records of one caller to one topic keep their order, also
     * when the client is rebuilt by a fail-over.
     *
     * @return completes with the place at the acknowledgement, or exceptionally with the cause from
     *     the Kafka client ({@code org.apache.kafka.common.errors.TimeoutException} where Hermes
     *     cannot be reached within the delivery time-out), on a client thread: do not block in it
     */
    CompletionStage<SendResult> send(String topic, OutgoingRecord outgoing);

    @Override
    void close();
}
