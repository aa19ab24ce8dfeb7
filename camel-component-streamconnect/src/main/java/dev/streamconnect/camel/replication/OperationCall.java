package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.cluster.NearNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Producer;
import org.apache.camel.support.service.ServiceHelper;

/**
 * An operation that is called without a route, by the producer that a route would use. The
 * selectors go in as headers, whose values nothing resolves or looks up.
 */
final class OperationCall {

    private static final Map<String, String> REPLAY =
            new TreeMap<>(
                    Map.of(
                            "replayFrom", ReplicationConstants.REPLAY_FROM,
                            "partition", ReplicationConstants.REPLAY_PARTITION,
                            "side", ReplicationConstants.REPLAY_SIDE));

    private static final Map<String, String> ROWS =
            new TreeMap<>(
                    Map.of(
                            "reason", ReplicationConstants.REASON,
                            "state", ReplicationConstants.STATE,
                            "from", ReplicationConstants.FROM,
                            "to", ReplicationConstants.TO,
                            "rows", ReplicationConstants.ROWS));

    private final ReplicationComponent component;
    private final String id;
    private final String operation;

    OperationCall(ReplicationComponent component, String id, String operation) {
        this.component = component;
        this.id = id;
        this.operation = operation;
    }

    /**
     * Runs it and answers JSON. Its exceptions are the JDK's and have no cause, since a console
     * elsewhere has none of our classes.
     *
     * @param selectors null for none
     */
    String run(String selectors) {
        try {
            return call(selectors);
        } catch (SecurityException e) {
            throw new SecurityException(e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage());
        } catch (Exception e) {
            throw new IllegalStateException(e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private String call(String selectors) throws Exception {
        if (id == null || id.isBlank()) {
            throw new IllegalArgumentException("id: is empty; give an id or a pattern, * for all");
        }
        ReplicationEndpoint endpoint =
                new ReplicationEndpoint(
                        "replication:" + id + "?operation=" + operation, component, id);
        ReplicationOperation parsed = ReplicationOperation.parse(operation);
        ContextEngine.of(component.getCamelContext()).checkThread(operation, parsed.changes());
        endpoint.setOperation(parsed);
        endpoint.setJson(true);
        Exchange exchange = endpoint.createExchange();
        if (selectors != null) {
            choose(selectors, known(parsed), exchange.getMessage());
        }
        Producer producer = endpoint.createProducer();
        try {
            ServiceHelper.startService(producer);
            producer.process(exchange);
        } finally {
            ServiceHelper.stopAndShutdownService(producer);
        }
        if (exchange.getException() != null) {
            throw exchange.getException();
        }
        return exchange.getMessage().getBody(String.class);
    }

    /** What the operation takes: one that it would not look at would choose more than was meant. */
    private static Map<String, String> known(ReplicationOperation operation) {
        if (operation == ReplicationOperation.REPLAY) {
            return REPLAY;
        }
        return operation.choosesRows() ? ROWS : Map.of();
    }

    private static void choose(String selectors, Map<String, String> known, Message request) {
        if (selectors.isBlank()) {
            throw new IllegalArgumentException("selectors: is empty; give a value or leave it out");
        }
        Map<String, Object> headers = new HashMap<>();
        for (String part : selectors.strip().split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part.strip() : part.substring(0, equals).strip();
            String header = known.get(name);
            if (header == null) {
                throw unknown(name, List.copyOf(known.keySet()));
            }
            headers.put(header, equals < 0 ? "" : part.substring(equals + 1));
        }
        request.setHeaders(headers);
    }

    private static IllegalArgumentException unknown(String name, List<String> known) {
        List<String> near = NearNames.of(name, known);
        return new IllegalArgumentException(
                "selectors: there is no '"
                        + name
                        + "'; "
                        + (near.isEmpty()
                                ? "use " + String.join(", ", known)
                                : "did you mean " + String.join(" or ", near) + "?"));
    }
}
