package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.ContextEngine;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.camel.model.ModelCamelContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the one route of a context that hands out the metrics windows, from the template {@code
 * replication-metrics}. A route of that id that the user has written is left as it is.
 */
final class MetricsRoute {

    static final String ID = "replication-metrics";

    private static final Logger LOG = LoggerFactory.getLogger(MetricsRoute.class);

    /** The windows of a moment are there when the route asks for them. */
    private static final long AFTER_WINDOW_MILLIS = 1_000;

    private final ReplicationComponent component;
    private String failure;

    MetricsRoute(ReplicationComponent component) {
        this.component = component;
    }

    /** Builds the route if it is wanted and not there. What fails is logged once. */
    void build(ModelCamelContext context) {
        if (!isWanted(context) || context.getRoute(ID) != null) {
            return;
        }
        try {
            if (context.getRouteDefinition(ID) == null) {
                BuiltRoutes.loadTemplate(context, ID);
                context.addRouteFromTemplate(ID, ID, new HashMap<>(parameters(context)));
            }
            failure = null;
        } catch (Exception e) {
            String reason = BuiltRoutes.reason(e);
            if (!reason.equals(failure)) {
                failure = reason;
                LOG.error("the route {} is not built: {}", ID, reason);
            }
        }
    }

    private boolean isWanted(ModelCamelContext context) {
        Boolean option = component.getMetricsRoute();
        // Made without camel-quartz it is null; that is what an automatic yes depends on.
        return option == null ? context.getComponent("quartz") != null : option;
    }

    private Map<String, Object> parameters(ModelCamelContext context) {
        long interval = component.getMetricsInterval();
        Instant now = ContextEngine.of(context).engine().metrics().time();
        long delay = interval - Math.floorMod(now.toEpochMilli(), interval) + AFTER_WINDOW_MILLIS;
        return Map.of("interval", String.valueOf(interval), "delay", String.valueOf(delay));
    }
}
