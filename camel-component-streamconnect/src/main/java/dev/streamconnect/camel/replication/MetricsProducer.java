package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.metrics.MetricsWindows;
import dev.streamconnect.metrics.WindowReader;
import dev.streamconnect.spi.MetricsRecord;
import java.time.Instant;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultProducer;
import org.apache.camel.support.PatternHelper;
import org.apache.camel.support.SynchronizationAdapter;

/**
 * Answers the closed metrics windows of the topic replications whose ids match: a list of {@link
 * MetricsRecord}, or JSON text. With a reader each window once; what an exchange got that fails is
 * handed out again.
 */
final class MetricsProducer extends DefaultProducer {

    private final ReplicationEndpoint endpoint;

    MetricsProducer(ReplicationEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
    }

    @Override
    public void process(Exchange exchange) {
        MetricsWindows metrics = ContextEngine.of(endpoint.getCamelContext()).engine().metrics();
        List<MetricsRecord> found =
                endpoint.getReader() == null ? closed(metrics) : unread(metrics, exchange);
        exchange.getMessage().setBody(endpoint.isJson() ? MetricsJson.of(found) : found);
    }

    private boolean matches(String id) {
        return PatternHelper.matchPattern(id, endpoint.getId());
    }

    private List<MetricsRecord> closed(MetricsWindows metrics) {
        Instant from = metrics.time().minusMillis(endpoint.getPeriod());
        String only = isPattern() ? null : endpoint.getId();
        return metrics.closedSince(from, only).stream()
                .filter(window -> matches(window.channelReplication()))
                .toList();
    }

    /** Ids of topic replications are letters, digits, hyphens and underscores. */
    private boolean isPattern() {
        return !endpoint.getId().matches("[A-Za-z0-9_-]+");
    }

    /** What tells the readers of this node apart. */
    static String readerName(String reader, String id) {
        return reader + " of " + id;
    }

    private List<MetricsRecord> unread(MetricsWindows metrics, Exchange exchange) {
        String name = readerName(endpoint.getReader(), endpoint.getId());
        WindowReader.HandOut handOut = metrics.reader(name, this::matches).take();
        exchange.getExchangeExtension()
                .addOnCompletion(
                        new SynchronizationAdapter() {
                            @Override
                            public void onFailure(Exchange failed) {
                                handOut.giveBack();
                            }
                        });
        return handOut.windows();
    }
}
