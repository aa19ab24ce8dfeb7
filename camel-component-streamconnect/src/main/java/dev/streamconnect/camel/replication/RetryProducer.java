package dev.streamconnect.camel.replication;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.engine.SweepCounts;
import java.util.concurrent.CompletionException;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultAsyncProducer;

/**
 * Sends undelivered messages again that are due; holds no thread meanwhile. The body becomes what
 * was done on this node: {@link SweepCounts}, or JSON text.
 */
final class RetryProducer extends DefaultAsyncProducer {

    private final ReplicationEndpoint endpoint;

    RetryProducer(ReplicationEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        ContextEngine context = ContextEngine.of(endpoint.getCamelContext());
        try {
            context.engine()
                    .retry()
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
                .put("delivered", counts.delivered())
                .put("failed", counts.failed())
                .put("parked", counts.parked())
                .toString();
    }
}
