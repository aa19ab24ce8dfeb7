package dev.streamconnect.camel.replication;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.streamconnect.spi.StoredMessage;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultProducer;

/**
 * Answers rows of the undelivered store without payload, by id: a list of {@link StoredMessage}, or
 * JSON text.
 */
final class ListProducer extends DefaultProducer {

    private final ReplicationEndpoint endpoint;

    ListProducer(ReplicationEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
    }

    @Override
    public void process(Exchange exchange) {
        RowRequest request = RowRequest.of(endpoint, exchange.getMessage());
        List<StoredMessage> rows =
                request.store().list(request.selector(), 0, request.selection().limit());
        exchange.getMessage().setBody(endpoint.isJson() ? json(rows) : rows);
    }

    private static String json(List<StoredMessage> rows) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        rows.forEach(row -> array.add(StoredMessageJson.of(row, false)));
        return array.toString();
    }
}
