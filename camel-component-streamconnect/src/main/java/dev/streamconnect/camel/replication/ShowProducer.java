package dev.streamconnect.camel.replication;

import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import java.util.List;
import java.util.Optional;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultProducer;

/**
 * Answers one row of the undelivered store, with its payload only on request: a {@link
 * StoredMessage}, or JSON text.
 */
final class ShowProducer extends DefaultProducer {

    private final ReplicationEndpoint endpoint;

    ShowProducer(ReplicationEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
    }

    @Override
    public void process(Exchange exchange) {
        RowRequest request = RowRequest.of(endpoint, exchange.getMessage());
        long id = only(request.selection().rows());
        boolean payload = endpoint.getRowOptions().isPayload();
        UndeliveredStore store = request.store();
        // By the selector first, so that it shows nothing of another topic replication.
        Optional<StoredMessage> found = store.list(request.selector(), 0, 1).stream().findFirst();
        StoredMessage row =
                found.flatMap(listed -> payload ? store.show(id) : found)
                        .orElseThrow(() -> missing(id));
        exchange.getMessage()
                .setBody(endpoint.isJson() ? StoredMessageJson.of(row, payload).toString() : row);
    }

    private static long only(List<Long> rows) {
        if (rows == null || rows.size() != 1) {
            throw new IllegalArgumentException("rows: operation=show needs the id of one row");
        }
        return rows.get(0);
    }

    private IllegalArgumentException missing(long id) {
        return new IllegalArgumentException(
                "rows: no row "
                        + id
                        + " of '"
                        + endpoint.getId()
                        + "' is stored; it may have been delivered or discarded");
    }
}
