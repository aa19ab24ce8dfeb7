package dev.streamconnect.camel;

import dev.streamconnect.camel.console.ManagedLink;
import dev.streamconnect.engine.Delivery;
import dev.streamconnect.engine.Link;
import dev.streamconnect.engine.LinkLog;
import dev.streamconnect.engine.StreamConnectEngine;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.Suspendable;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.spi.Synchronization;
import org.apache.camel.support.DefaultConsumer;
import org.apache.camel.support.UnitOfWorkHelper;

/**
 * A Camel consumer that is a registration on the engine: each delivery becomes an exchange, and the
 * end of the exchange settles the delivery. A handled exception counts as completed.
 */
public abstract class LinkConsumer extends DefaultConsumer implements Suspendable {

    private final HeaderNames names;
    private final boolean batch;
    private final Map<String, Long> failedOffsets = new ConcurrentHashMap<>();
    private CamelKafkaHeaders kafka = CamelKafkaHeaders.ABSENT;
    private volatile Link link;
    private Link managed;

    /**
     * @param names headers of the exchanges
     * @param batch true: the body is the batch; false: a delivery has one record
     */
    protected LinkConsumer(
            Endpoint endpoint, Processor processor, HeaderNames names, boolean batch) {
        super(endpoint, processor);
        this.names = names;
        this.batch = batch;
    }

    /** Opens the link with {@link #handle} as its handler. */
    protected abstract Link open(StreamConnectEngine engine);

    /** Says what only this scheme finds odd in its route; called once at each start. */
    protected void warn(RouteDefinition route) {}

    /** Adds to an exchange what only this scheme sets. */
    protected void describe(Exchange exchange) {}

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        kafka = CamelKafkaHeaders.of(getEndpoint().getCamelContext());
        RouteWarnings.warn(this);
        link = open(ContextEngine.of(getEndpoint().getCamelContext()).engine());
        managed = link;
        ManagedLink.register(getEndpoint().getCamelContext(), managed);
    }

    @Override
    protected void doStop() throws Exception {
        Link closing = link;
        link = null;
        if (closing != null) {
            closing.close(ContextEngine.of(getEndpoint().getCamelContext()).stopLimit());
        }
        failedOffsets.clear();
        super.doStop();
    }

    @Override
    protected void doShutdown() throws Exception {
        // Not at the stop: a stopped one is shown as such.
        if (managed != null) {
            ManagedLink.unregister(getEndpoint().getCamelContext(), managed);
            managed = null;
        }
        super.doShutdown();
    }

    @Override
    protected void doSuspend() {
        Link paused = link;
        if (paused != null) {
            paused.pause();
        }
    }

    @Override
    protected void doResume() {
        Link resumed = link;
        if (resumed != null) {
            resumed.resume();
        }
    }

    /** Gives a delivery to the route; returns as soon as the route lets go of the thread. */
    protected final void handle(Delivery delivery) {
        Exchange exchange = createExchange(false);
        if (batch) {
            SourceMessage.fillBatch(exchange, delivery, names);
        } else {
            SourceMessage.fillRecord(exchange, delivery, names, kafka);
        }
        describe(exchange);
        exchange.getExchangeExtension().addOnCompletion(new Settlement(delivery, this));
        LinkLog.with(
                delivery.linkId(),
                () -> getAsyncProcessor().process(exchange, doneSync -> finish(exchange)));
    }

    private void finish(Exchange exchange) {
        // Where the route refused the exchange (it stops), no unit of work ran the completions.
        List<Synchronization> left = exchange.getExchangeExtension().handoverCompletions();
        if (left != null && !left.isEmpty()) {
            UnitOfWorkHelper.doneSynchronizations(exchange, left);
        }
        releaseExchange(exchange, false);
    }

    /** Tells the exception handler, once for a delivery however often it is handed out again. */
    final void failed(Delivery delivery, Exchange exchange, Throwable cause) {
        Long offset = offset(delivery);
        if (!offset.equals(failedOffsets.put(place(delivery), offset))) {
            getExceptionHandler()
                    .handleException(
                            "a step of the route failed; the delivery is retried", exchange, cause);
        }
    }

    final void succeeded(Delivery delivery) {
        if (!failedOffsets.isEmpty()) {
            failedOffsets.remove(place(delivery), offset(delivery));
        }
    }

    private static String place(Delivery delivery) {
        return delivery.side() + "-" + delivery.batch().partition();
    }

    private static Long offset(Delivery delivery) {
        return delivery.batch().records().get(0).offset();
    }
}
