package dev.streamconnect.engine;

import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** One topic of a shared destination client, for senders without a source. */
final class TopicDestination implements Destination {

    private final SharedClients<DestinationClient>.Lease lease;
    private final String topic;
    private final int maxMessageBytes;
    private final Clock clock;
    private final DirectUndelivered keeper;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * @param keeper takes what is not delivered; null to tell the sender
     */
    TopicDestination(
            SharedClients<DestinationClient>.Lease lease,
            String topic,
            int maxMessageBytes,
            Clock clock,
            DirectUndelivered keeper) {
        this.lease = lease;
        this.topic = topic;
        this.maxMessageBytes = maxMessageBytes;
        this.clock = clock;
        this.keeper = keeper;
    }

    @Override
    public CompletionStage<SendResult> send(OutgoingRecord outgoing) {
        CompletableFuture<SendResult> result = new CompletableFuture<>();
        DirectSend send =
                new DirectSend(
                        outgoing,
                        lease.client().ownLimit(maxMessageBytes),
                        clock.instant().plus(lease.client().deliveryLimit()),
                        keeper,
                        result);
        FailureVerdict tooLarge = send.tooLarge();
        if (tooLarge != null) {
            send.failed(send.shipment(), tooLarge);
        } else {
            lease.client().ship(topic, maxMessageBytes, send.shipment());
        }
        return result;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            lease.release(DestinationClient::close);
        }
    }
}
