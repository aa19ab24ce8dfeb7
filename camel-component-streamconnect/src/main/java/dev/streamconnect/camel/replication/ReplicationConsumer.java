package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.HeaderNames;
import dev.streamconnect.camel.LinkConsumer;
import dev.streamconnect.engine.Link;
import dev.streamconnect.engine.StreamConnectEngine;
import dev.streamconnect.record.TopicReplication;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.model.RouteDefinition;

/** Reads the source side of a topic replication. */
final class ReplicationConsumer extends LinkConsumer {

    private final ReplicationEndpoint endpoint;
    private boolean claimed;

    ReplicationConsumer(ReplicationEndpoint endpoint, Processor processor) {
        super(endpoint, processor, HeaderNames.REPLICATION, endpoint.isBatch());
        this.endpoint = endpoint;
    }

    @Override
    protected Link open(StreamConnectEngine engine) {
        ReplicationComponent component = endpoint.component();
        TopicReplication replication = component.activeReplication(endpoint.getId());
        component.claims().claim(replication, getRouteId(), component.isBuildRoutes());
        try {
            TopicReplicationLinks links = component.links();
            Link link =
                    engine.open(
                            links.link(
                                    replication,
                                    component.linkOptions(links, replication, endpoint.isBatch())),
                            this::handle);
            claimed = true;
            if (component.staysPaused(endpoint.getId())) {
                link.pause();
            }
            return link;
        } finally {
            if (!claimed) {
                component.claims().release(endpoint.getId());
            }
        }
    }

    @Override
    protected void warn(RouteDefinition route) {
        OwnDestination.warn(getEndpoint().getCamelContext(), route, endpoint.getId());
    }

    @Override
    protected void describe(Exchange exchange) {
        exchange.getMessage().setHeader(ReplicationConstants.ID, endpoint.getId());
    }

    @Override
    protected void doStop() throws Exception {
        try {
            super.doStop();
        } finally {
            if (claimed) {
                claimed = false;
                endpoint.component().claims().release(endpoint.getId());
            }
        }
    }
}
