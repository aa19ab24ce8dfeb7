package dev.streamconnect.camel.replication;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.record.NearNames;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultProducer;
import org.apache.camel.support.PatternHelper;

/**
 * Answers the states of the topic replications whose ids match: a list of {@link LinkStatus}, or
 * JSON text.
 */
final class StatusProducer extends DefaultProducer {

    private static final int SHOWN = 10;

    private final ReplicationEndpoint endpoint;

    StatusProducer(ReplicationEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
    }

    @Override
    public void process(Exchange exchange) {
        List<LinkStatus> all =
                new ArrayList<>(ContextEngine.of(endpoint.getCamelContext()).engine().status());
        all.addAll(endpoint.component().unread().besides(all));
        all.sort(Comparator.comparing(LinkStatus::id));
        List<LinkStatus> found =
                all.stream()
                        .filter(status -> PatternHelper.matchPattern(status.id(), endpoint.getId()))
                        .toList();
        if (found.isEmpty() && !endpoint.getId().equals("*")) {
            throw new IllegalArgumentException(noMatch(all.stream().map(LinkStatus::id).toList()));
        }
        exchange.getMessage().setBody(endpoint.isJson() ? json(found) : found);
    }

    private String noMatch(List<String> known) {
        List<String> near = NearNames.of(endpoint.getId(), known);
        String mend =
                known.isEmpty()
                        ? "no topic replication is active"
                        : near.isEmpty()
                                ? "known: "
                                        + String.join(
                                                ", ",
                                                known.subList(0, Math.min(SHOWN, known.size())))
                                        + (known.size() > SHOWN ? ", ..." : "")
                                : "did you mean " + String.join(" or ", near) + "?";
        return "replication:"
                + endpoint.getId()
                + "?operation=status: no active topic replication matches; "
                + mend;
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
