package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.MessageReplicationStatus;
import dev.streamconnect.camel.RecordsStatus;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.record.ReplicationRecords;
import java.util.List;
import java.util.function.Function;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultProducer;
import org.apache.camel.support.PatternHelper;

/**
 * Answers the states of the topic replications whose ids match, a list of {@link LinkStatus}; or of
 * the message replications whose names match, a list of {@link MessageReplicationStatus}; or which
 * version of the records is in effect, {@link RecordsStatus}; or any of them as JSON text.
 */
final class StatusProducer extends DefaultProducer {

    private final ReplicationEndpoint endpoint;

    StatusProducer(ReplicationEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
    }

    @Override
    public void process(Exchange exchange) {
        Object answer;
        if (endpoint.getBy() == StatusBy.records) {
            RecordsStatus records = endpoint.component().recordsStatus();
            answer = endpoint.isJson() ? StatusJson.ofRecords(records) : records;
        } else if (endpoint.getBy() == StatusBy.messageReplication) {
            List<MessageReplicationStatus> found =
                    matching(
                            endpoint.component().messageReplications(),
                            MessageReplicationStatus::name,
                            "no message replication");
            answer = endpoint.isJson() ? StatusJson.ofMessageReplications(found) : found;
        } else {
            List<LinkStatus> found =
                    matching(
                            endpoint.component().states(),
                            LinkStatus::id,
                            "no active topic replication");
            answer = endpoint.isJson() ? StatusJson.of(found) : found;
        }
        exchange.getMessage().setBody(answer);
    }

    private <T> List<T> matching(List<T> all, Function<T, String> name, String none) {
        List<T> found =
                all.stream()
                        .filter(
                                each ->
                                        PatternHelper.matchPattern(
                                                name.apply(each), endpoint.getId()))
                        .toList();
        if (found.isEmpty() && !endpoint.getId().equals("*")) {
            throw new IllegalArgumentException(noMatch(all.stream().map(name).toList(), none));
        }
        return found;
    }

    private String noMatch(List<String> known, String none) {
        ReplicationComponent component = endpoint.component();
        ReplicationRecords records =
                component.hasRecords() ? component.records() : ReplicationRecords.NONE;
        String mend =
                known.isEmpty()
                        ? "no topic replication is active"
                        : new IdHint(records).of(endpoint.getId(), known);
        return "replication:"
                + endpoint.getId()
                + "?operation=status: "
                + none
                + " matches; "
                + mend;
    }
}
