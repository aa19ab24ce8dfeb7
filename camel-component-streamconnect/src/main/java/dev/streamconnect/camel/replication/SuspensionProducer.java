package dev.streamconnect.camel.replication;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.engine.Link;
import java.util.ArrayList;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultProducer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pauses or resumes topic replications on this node. The body becomes which it changed and which
 * were so already: {@link LinksChanged}, or JSON text.
 */
final class SuspensionProducer extends DefaultProducer {

    private static final Logger LOG = LoggerFactory.getLogger(SuspensionProducer.class);

    private final ReplicationEndpoint endpoint;
    private final boolean pauses;

    SuspensionProducer(ReplicationEndpoint endpoint, boolean pauses) {
        super(endpoint);
        this.endpoint = endpoint;
        this.pauses = pauses;
    }

    @Override
    public void process(Exchange exchange) {
        List<String> changed = new ArrayList<>();
        List<String> unchanged = new ArrayList<>();
        List<Link> links =
                new OperationTarget(endpoint)
                        .links(ContextEngine.of(endpoint.getCamelContext()).engine());
        for (Link link : links) {
            (link.isPaused() == pauses ? unchanged : changed).add(link.id());
            if (pauses) {
                link.pause();
            } else {
                link.resume();
            }
        }
        if (!changed.isEmpty()) {
            LOG.info("{} by an operator: {}", pauses ? "paused" : "resumed", changed);
        }
        LinksChanged answer = new LinksChanged(changed, unchanged);
        exchange.getMessage().setBody(endpoint.isJson() ? json(answer) : answer);
    }

    private static String json(LinksChanged answer) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        answer.changed().forEach(json.putArray("changed")::add);
        answer.unchanged().forEach(json.putArray("unchanged")::add);
        return json.toString();
    }
}
