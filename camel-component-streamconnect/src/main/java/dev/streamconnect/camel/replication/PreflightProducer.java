package dev.streamconnect.camel.replication;

import dev.streamconnect.preflight.PreflightJson;
import dev.streamconnect.preflight.PreflightReport;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultProducer;

/**
 * Looks at addresses, topics and rights. The body becomes what was found: {@link PreflightReport},
 * or JSON text.
 */
final class PreflightProducer extends DefaultProducer {

    private final ReplicationEndpoint endpoint;

    PreflightProducer(ReplicationEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
    }

    @Override
    public void process(Exchange exchange) {
        PreflightReport report =
                endpoint.component().preflight(endpoint.getId(), endpoint.isTestMessage());
        exchange.getMessage()
                .setBody(endpoint.isJson() ? PreflightJson.of(report).toString() : report);
    }
}
