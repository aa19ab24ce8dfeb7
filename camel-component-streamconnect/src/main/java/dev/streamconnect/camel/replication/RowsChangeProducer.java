package dev.streamconnect.camel.replication;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.UndeliveredStore;
import java.util.function.ToIntBiFunction;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultProducer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parks or discards rows of the undelivered store. The body becomes how many it changed: an
 * Integer, or JSON text.
 */
final class RowsChangeProducer extends DefaultProducer {

    private static final Logger LOG = LoggerFactory.getLogger(RowsChangeProducer.class);

    private final ReplicationEndpoint endpoint;
    private final String done;
    private final ToIntBiFunction<UndeliveredStore, RowSelector> change;

    /**
     * @param done what was done to the rows, one word
     */
    RowsChangeProducer(
            ReplicationEndpoint endpoint,
            String done,
            ToIntBiFunction<UndeliveredStore, RowSelector> change) {
        super(endpoint);
        this.endpoint = endpoint;
        this.done = done;
        this.change = change;
    }

    @Override
    public void process(Exchange exchange) {
        RowRequest request = RowRequest.of(endpoint, exchange.getMessage());
        if (request.target().isPattern() && !request.selection().isGiven()) {
            throw new IllegalArgumentException(
                    "operation="
                            + endpoint.getOperation()
                            + " of '"
                            + endpoint.getId()
                            + "' needs a selector: reason, state, from, to or rows");
        }
        int rows = change.applyAsInt(request.store(), request.selector());
        LOG.info(
                "undelivered messages of '{}' {}: {} ({})",
                endpoint.getId(),
                done,
                rows,
                request.selection());
        exchange.getMessage().setBody(endpoint.isJson() ? json(rows) : rows);
    }

    private String json(int rows) {
        return JsonNodeFactory.instance.objectNode().put(done, rows).toString();
    }
}
