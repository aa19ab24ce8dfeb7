package dev.streamconnect.camel.hermes;

import dev.streamconnect.camel.AsyncSend;
import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.camel.HeaderNames;
import dev.streamconnect.camel.NotStartedException;
import dev.streamconnect.camel.OutgoingRecords;
import dev.streamconnect.camel.RateLimitedLog;
import dev.streamconnect.camel.SentHeaders;
import dev.streamconnect.engine.Destination;
import dev.streamconnect.engine.RecordBatch;
import dev.streamconnect.engine.SendResult;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultAsyncProducer;
import org.slf4j.LoggerFactory;

/**
 * Sends to the cluster that is near. A failure becomes the exchange's exception: {@code
 * IllegalArgumentException} for a missing message, {@code
 * org.apache.kafka.common.errors.TimeoutException} where Hermes cannot be reached, {@link
 * NotStartedException} before the start.
 */
final class HermesProducer extends DefaultAsyncProducer {

    private final HermesSettings settings;
    private final OutgoingRecords records;
    private final AtomicLong failures = new AtomicLong();
    private final RateLimitedLog log =
            new RateLimitedLog(
                    LoggerFactory.getLogger(HermesProducer.class),
                    Clock.systemUTC(),
                    Duration.ofSeconds(60));
    private volatile Destination destination;
    private volatile AsyncSend sender;

    HermesProducer(HermesEndpoint endpoint, HermesSettings settings) {
        super(endpoint);
        this.settings = settings;
        this.records = OutgoingRecords.of(endpoint.getCamelContext(), HeaderNames.HERMES);
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        ContextEngine context = ContextEngine.of(getEndpoint().getCamelContext());
        destination =
                context.engine()
                        .destination(
                                settings.producer(),
                                settings.topic(),
                                settings.maxMessageBytes(),
                                settings.keepsUndelivered());
        sender = new AsyncSend(destination, settings.topic(), context.continuations());
    }

    @Override
    protected void doStop() throws Exception {
        Destination closing = destination;
        sender = null;
        destination = null;
        if (closing != null) {
            closing.close();
        }
        super.doStop();
    }

    /** Messages that fireAndForget could not deliver; only grows. */
    long failures() {
        return failures.get();
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        AsyncSend current = sender;
        CompletableFuture<SendResult> sending;
        try {
            if (current == null) {
                throw new NotStartedException("hermes:" + settings.topic());
            }
            sending = start(current, exchange);
        } catch (RuntimeException e) {
            exchange.setException(e);
            callback.done(true);
            return true;
        }
        return switch (settings.delivery()) {
            case ASYNC ->
                    current.settle(
                            sending,
                            exchange,
                            callback,
                            result ->
                                    SentHeaders.setUndelivered(
                                            exchange, HeaderNames.HERMES, result));
            case SYNC ->
                    current.settle(
                            sending,
                            exchange,
                            callback,
                            result -> {
                                SentHeaders.set(exchange, HeaderNames.HERMES, result);
                                SentHeaders.setUndelivered(exchange, HeaderNames.HERMES, result);
                            });
            case FIRE_AND_FORGET -> forget(sending, callback);
        };
    }

    private CompletableFuture<SendResult> start(AsyncSend current, Exchange exchange) {
        Object body = exchange.getMessage().getBody();
        if (body instanceof RecordBatch batch) {
            return current.start(batch);
        }
        if (body == null && !takesTombstone(exchange)) {
            throw new IllegalArgumentException(
                    "hermes:"
                            + settings.topic()
                            + ": the message is missing (null body); to send a tombstone set allowTombstone=true or"
                            + " the header "
                            + HermesConstants.TOMBSTONE);
        }
        return current.start(records.from(exchange));
    }

    private boolean takesTombstone(Exchange exchange) {
        return settings.allowTombstone()
                || OutgoingRecords.isSourceTombstone(exchange)
                || Boolean.TRUE.equals(
                        exchange.getMessage().getHeader(HermesConstants.TOMBSTONE, Boolean.class));
    }

    private boolean forget(CompletableFuture<SendResult> sending, AsyncCallback callback) {
        sending.whenComplete(
                (result, failure) -> {
                    if (failure != null) {
                        failures.incrementAndGet();
                        log.warn(
                                "hermes:" + settings.topic() + ": not delivered",
                                AsyncSend.cause(failure));
                    }
                });
        callback.done(true);
        return true;
    }
}
