package dev.streamconnect.camel.replication;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.engine.StreamConnectEngine;
import dev.streamconnect.engine.SweepCounts;
import java.util.Date;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultAsyncProducer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends undelivered messages again that are due; holds no thread meanwhile. With a selector the
 * matching rows are made due first, and parked ones wait again. The body becomes what was done on
 * this node: {@link SweepCounts}, or JSON text.
 */
final class RetryProducer extends DefaultAsyncProducer {

    private static final Logger LOG = LoggerFactory.getLogger(RetryProducer.class);

    /** A header of camel-quartz. */
    private static final String NEXT_FIRING = "nextFireTime";

    private static final SweepCounts NOTHING = new SweepCounts(0, 0, 0);

    private final ReplicationEndpoint endpoint;

    RetryProducer(ReplicationEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        ContextEngine context = ContextEngine.of(endpoint.getCamelContext());
        if (isMissedFiring(exchange)) {
            end(exchange, NOTHING, null);
            callback.done(true);
            return true;
        }
        try {
            run(context.engine(), RowRequest.of(endpoint, exchange.getMessage()))
                    .whenCompleteAsync(
                            (counts, failure) -> {
                                end(exchange, counts, failure);
                                callback.done(false);
                            },
                            context.continuations());
            return false;
        } catch (RuntimeException e) {
            exchange.setException(e);
            callback.done(true);
            return true;
        }
    }

    /**
     * True if Quartz makes up for firings that it has missed, and this is not the last of them: one
     * run stands for all. Quartz does so where they are less than its misfire threshold late (a
     * minute), whatever the trigger says.
     */
    private static boolean isMissedFiring(Exchange exchange) {
        return exchange.getMessage().getHeader(NEXT_FIRING) instanceof Date next
                && next.getTime() <= System.currentTimeMillis();
    }

    private CompletionStage<SweepCounts> run(StreamConnectEngine engine, RowRequest request) {
        if (!request.selection().isGiven()) {
            if (!request.target().isPattern()) {
                // Refuses an unknown id.
                request.selector();
            }
            return engine.retry();
        }
        int rows = request.store().retry(request.selector(), engine.metrics().time());
        LOG.info(
                "undelivered messages of '{}' made due: {} ({})",
                endpoint.getId(),
                rows,
                request.selection());
        return engine.retryAnew().thenApply(counts -> counts.afterMadeDue(rows));
    }

    private void end(Exchange exchange, SweepCounts counts, Throwable failure) {
        if (failure != null) {
            exchange.setException(
                    failure instanceof CompletionException && failure.getCause() != null
                            ? failure.getCause()
                            : failure);
        } else {
            exchange.getMessage().setBody(endpoint.isJson() ? json(counts) : counts);
        }
    }

    private static String json(SweepCounts counts) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("madeDue", counts.madeDue())
                .put("delivered", counts.delivered())
                .put("failed", counts.failed())
                .put("parked", counts.parked())
                .toString();
    }
}
