package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.UndeliveredStore;
import org.apache.camel.Message;

/**
 * A request for rows of the undelivered store: the endpoint's id or pattern, its options, and the
 * headers of the message.
 */
record RowRequest(UndeliveredStore store, OperationTarget target, RowSelection selection) {

    /**
     * Reads it; asks the store nothing yet.
     *
     * @throws IllegalArgumentException for a wrong selector; one line
     * @throws IllegalStateException if there is no store; one line
     */
    static RowRequest of(ReplicationEndpoint endpoint, Message message) {
        RowSelection selection = RowSelection.of(endpoint.getRowOptions(), message);
        UndeliveredStore store =
                ContextEngine.of(endpoint.getCamelContext())
                        .engine()
                        .undelivered()
                        .orElseThrow(
                                () ->
                                        new IllegalStateException(
                                                "no undelivered store is configured; set undeliveredUrl of the component replication"));
        return new RowRequest(store, new OperationTarget(endpoint), selection);
    }

    /**
     * The rows that are meant.
     *
     * @throws IllegalArgumentException for an unknown id; one line
     */
    RowSelector selector() {
        return selection.within(target.rowsOf(store));
    }
}
