package dev.streamconnect.camel.replication;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.engine.Link;
import dev.streamconnect.engine.LinkLog;
import dev.streamconnect.engine.ReplayedPartition;
import dev.streamconnect.engine.ReplayedPartition.Outcome;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultAsyncProducer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the source position of one topic replication back on this node; holds no thread meanwhile.
 * The body becomes what was done with each partition: a list of {@link ReplayedPartition}, or JSON
 * text.
 */
final class ReplayProducer extends DefaultAsyncProducer {

    private static final Logger LOG = LoggerFactory.getLogger(ReplayProducer.class);

    private final ReplicationEndpoint endpoint;

    ReplayProducer(ReplicationEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        try {
            ReplayRequest request =
                    ReplayRequest.of(endpoint.getReplayOptions(), exchange.getMessage());
            ContextEngine context = ContextEngine.of(endpoint.getCamelContext());
            link(context, request)
                    .replay(request.from(), request.partition(), request.side())
                    .whenCompleteAsync(
                            (partitions, failure) -> {
                                end(exchange, partitions, failure);
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

    /** One alone: a pattern would copy more again than somebody meant. */
    private Link link(ContextEngine context, ReplayRequest request) {
        if (request.from() == null) {
            throw new IllegalArgumentException(
                    "replayFrom: is missing; give earliest, a time such as 2026-01-31T08:00:00Z, or an offset with"
                            + " its partition");
        }
        OperationTarget target = new OperationTarget(endpoint);
        if (target.isPattern()) {
            throw new IllegalArgumentException(
                    "operation=replay of '"
                            + endpoint.getId()
                            + "' needs the id of one topic replication, not a pattern");
        }
        return target.links(context.engine()).get(0);
    }

    private void end(Exchange exchange, List<ReplayedPartition> partitions, Throwable failure) {
        if (failure != null) {
            exchange.setException(
                    failure instanceof CompletionException && failure.getCause() != null
                            ? failure.getCause()
                            : failure);
            return;
        }
        new LinkLog(LOG, endpoint.getId())
                .info(
                        "'{}' is replayed by an operator: {}",
                        endpoint.getId(),
                        partitions.stream()
                                .filter(each -> each.outcome() != Outcome.NOT_OWNED)
                                .map(ReplayProducer::text)
                                .collect(Collectors.joining(", ")));
        exchange.getMessage().setBody(endpoint.isJson() ? json(partitions) : partitions);
    }

    private static String text(ReplayedPartition each) {
        return (each.side() == null ? "" : each.side() + " ")
                + "partition "
                + each.partition()
                + " "
                + each.outcome()
                + " from "
                + each.from()
                + " to "
                + each.to();
    }

    private static String json(List<ReplayedPartition> partitions) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (ReplayedPartition each : partitions) {
            ObjectNode one =
                    array.addObject()
                            .put("partition", each.partition())
                            .put("outcome", each.outcome().name())
                            .put("reason", each.reason());
            if (each.side() != null) {
                one.put("side", each.side());
            }
            if (each.from() >= 0) {
                one.put("from", each.from()).put("to", each.to());
            }
        }
        return array.toString();
    }
}
