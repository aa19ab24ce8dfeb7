package dev.streamconnect.camel;

import java.util.Collection;
import org.apache.camel.model.AggregateDefinition;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.ProcessorDefinitionHelper;
import org.apache.camel.model.RouteDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says at the start of a route where one of its steps breaks a promise. */
final class RouteWarnings {

    private static final Logger LOG = LoggerFactory.getLogger(RouteWarnings.class);

    private RouteWarnings() {}

    static void warn(LinkConsumer consumer) {
        RouteDefinition route =
                consumer.getRouteId() != null
                                && consumer.getEndpoint().getCamelContext()
                                        instanceof ModelCamelContext context
                        ? context.getRouteDefinition(consumer.getRouteId())
                        : null;
        if (route == null) {
            return;
        }
        Collection<AggregateDefinition> aggregates =
                ProcessorDefinitionHelper.filterTypeInOutputs(
                        route.getOutputs(), AggregateDefinition.class);
        if (!aggregates.isEmpty()) {
            LOG.warn(
                    "route {}: aggregate settles each message at its source before the group is sent, so a crash can"
                            + " lose what it gathered; use batch=true, or put a persistent aggregation repository there",
                    consumer.getRouteId());
        }
        consumer.warn(route);
    }
}
