package dev.streamconnect.camel.replication;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.camel.model.ModelCamelContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds a Quartz-timed route of a context from the template of the same id. A route of that id
 * that the user has written is left as it is.
 */
final class TimedRoute {

    private static final Logger LOG = LoggerFactory.getLogger(TimedRoute.class);

    private final String id;
    private final BooleanSupplier wanted;
    private final Supplier<Map<String, Object>> parameters;
    private String failure;
    private boolean shipped;

    /**
     * @param id of the route and its template
     * @param wanted asked each time
     * @param parameters of the template
     */
    TimedRoute(String id, BooleanSupplier wanted, Supplier<Map<String, Object>> parameters) {
        this.id = id;
        this.wanted = wanted;
        this.parameters = parameters;
    }

    /** Builds the route if it is wanted and not there. What fails is logged once. */
    void build(ModelCamelContext context) {
        if (!wanted.getAsBoolean() || context.getRoute(id) != null) {
            return;
        }
        try {
            if (context.getRouteDefinition(id) == null) {
                shipped |= BuiltRoutes.loadTemplate(context, id);
                context.addRouteFromTemplate(id, id, new HashMap<>(parameters.get()));
            }
            failure = null;
        } catch (Exception e) {
            String reason = BuiltRoutes.reason(e);
            if (!reason.equals(failure)) {
                failure = reason;
                LOG.error("the route {} is not built: {}", id, reason);
            }
        }
    }

    /** True if it was built from the template that the component brings. */
    boolean isShipped() {
        return shipped;
    }
}
