package dev.streamconnect.camel.replication;

import dev.streamconnect.engine.LinkLog;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.camel.CamelContext;
import org.apache.camel.model.DynamicRouterDefinition;
import org.apache.camel.model.EnrichDefinition;
import org.apache.camel.model.KameletDefinition;
import org.apache.camel.model.ProcessDefinition;
import org.apache.camel.model.ProcessorDefinitionHelper;
import org.apache.camel.model.RecipientListDefinition;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.model.RoutingSlipDefinition;
import org.apache.camel.model.ToDefinition;
import org.apache.camel.model.ToDynamicDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says at the start of a route that reads a topic replication and has no step that could send
 * anything to its destination: then every message counts as dropped on purpose. A route with a step
 * whose aim cannot be seen in it, or with another endpoint, is left alone.
 */
final class OwnDestination {

    private static final Logger LOG = LoggerFactory.getLogger(OwnDestination.class);
    private static final Pattern REPLICATION = Pattern.compile("replication:(?://)?([^?]+)(.*)");

    private OwnDestination() {}

    /**
     * @param id of the topic replication that the route reads
     */
    static void warn(CamelContext context, RouteDefinition route, String id) {
        if (leadsOutOfSight(route)) {
            return;
        }
        Set<String> others = new LinkedHashSet<>();
        for (ToDefinition to : steps(route, ToDefinition.class)) {
            String uri = resolved(context, to.getEndpointUri());
            if (uri.contains("{{")) {
                return;
            }
            Matcher replication = REPLICATION.matcher(uri);
            boolean sends = replication.matches() && !replication.group(2).contains("operation=");
            if (sends && !replication.group(1).equals(id)) {
                others.add(replication.group(1));
            } else if (sends || !replication.matches() && !uri.startsWith("log:")) {
                return;
            }
        }
        new LinkLog(LOG, id)
                .warn(
                        "route {} reads topic replication {} and sends nothing to its destination{}: each message counts as"
                                + " dropped on purpose; end the route with to: replication:{}",
                        route.getRouteId(),
                        id,
                        others.isEmpty() ? "" : ", but to that of " + String.join(", ", others),
                        id);
    }

    private static boolean leadsOutOfSight(RouteDefinition route) {
        return has(route, ToDynamicDefinition.class)
                || has(route, RecipientListDefinition.class)
                || has(route, RoutingSlipDefinition.class)
                || has(route, DynamicRouterDefinition.class)
                || has(route, EnrichDefinition.class)
                || has(route, KameletDefinition.class)
                || has(route, ProcessDefinition.class)
                || has(route, org.apache.camel.model.BeanDefinition.class);
    }

    private static boolean has(RouteDefinition route, Class<?> type) {
        return !steps(route, type).isEmpty();
    }

    private static <T> Collection<T> steps(RouteDefinition route, Class<T> type) {
        return ProcessorDefinitionHelper.filterTypeInOutputs(route.getOutputs(), type);
    }

    /** As it is where a placeholder is known to the route's template only, at its first start. */
    private static String resolved(CamelContext context, String uri) {
        try {
            return context.resolvePropertyPlaceholders(uri);
        } catch (IllegalArgumentException e) {
            return uri;
        }
    }
}
