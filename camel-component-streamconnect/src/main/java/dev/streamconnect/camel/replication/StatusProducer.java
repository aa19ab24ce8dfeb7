package dev.streamconnect.camel.replication;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.engine.LinkStatus;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultProducer;
import org.apache.camel.support.PatternHelper;

/**
 * Answers the states of the topic replications whose ids match: a list of {@link LinkStatus}, or
 * JSON text.
 */
final class StatusProducer extends DefaultProducer {

    private final ReplicationEndpoint endpoint;

    StatusProducer(ReplicationEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
    }

    @Override
    public void process(Exchange exchange) {
        List<LinkStatus> found =
                ContextEngine.of(endpoint.getCamelContext()).engine().status().stream()
                        .filter(status -> PatternHelper.matchPattern(status.id(), endpoint.getId()))
                        .toList();
        exchange.getMessage().setBody(endpoint.isJson() ? json(found) : found);
    }

    private static String json(List<LinkStatus> found) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (LinkStatus status : found) {
            array.addObject()
                    .put("id", status.id())
                    .put("state", status.state().name())
                    .put("reason", status.reason())
                    .put("since", text(status.since()))
                    .put("errorSince", text(status.errorSince()))
                    .put("source", status.source())
                    .put("destination", status.destination())
                    .put("assignedPartitions", status.assignedPartitions())
                    .put("messages", status.messages())
                    .put("bytes", status.bytes())
                    .put("lag", status.lag());
        }
        return array.toString();
    }

    private static String text(Object value) {
        return value == null ? null : value.toString();
    }
}
