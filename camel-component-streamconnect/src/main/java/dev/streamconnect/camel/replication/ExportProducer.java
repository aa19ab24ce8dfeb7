package dev.streamconnect.camel.replication;

import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultProducer;

/**
 * Answers all matching rows of the undelivered store, by id: an input stream of JSON lines in
 * UTF-8, read from the store while it is read.
 */
final class ExportProducer extends DefaultProducer {

    private final ReplicationEndpoint endpoint;

    ExportProducer(ReplicationEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
    }

    @Override
    public void process(Exchange exchange) {
        RowRequest request = RowRequest.of(endpoint, exchange.getMessage());
        exchange.getMessage()
                .setBody(
                        new ExportStream(
                                request.store(),
                                request.selector(),
                                endpoint.getRowOptions().isPayload()));
    }
}
