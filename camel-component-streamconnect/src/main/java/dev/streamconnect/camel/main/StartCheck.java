package dev.streamconnect.camel.main;

import dev.streamconnect.camel.replication.ReplicationComponent;
import dev.streamconnect.camel.replication.ReplicationEndpoint;
import dev.streamconnect.record.RecordsException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.camel.Endpoint;
import org.apache.camel.FailedToStartRouteException;
import org.apache.camel.main.BaseMainSupport;
import org.apache.camel.main.MainListenerSupport;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.ProcessorDefinitionHelper;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.model.ToDefinition;
import org.apache.camel.spi.NodeIdFactory;
import org.apache.camel.support.service.ServiceHelper;
import org.apache.camel.util.FileUtil;

/**
 * Looks before the start for what would keep it from working: records, options, stores, ports, and
 * the ends of the routes that are ours. Found here, it is one line; found by Camel while it starts,
 * it is a stack trace in the log, and a built route that fails would leave a process that does
 * nothing.
 */
final class StartCheck extends MainListenerSupport {

    @Override
    public void beforeStart(BaseMainSupport main) {
        ModelCamelContext context = (ModelCamelContext) main.getCamelContext();
        try {
            HttpPorts.check(context);
            ReplicationComponent replication = null;
            if (context.hasComponent("replication") instanceof ReplicationComponent present) {
                replication = present;
                replication.check();
            }
            Map<String, String> readers = new LinkedHashMap<>();
            for (RouteDefinition route : context.getRouteDefinitions()) {
                checkInPlace(context, route, readers);
            }
            if (!readers.isEmpty()) {
                context.getComponent("replication", ReplicationComponent.class)
                        .checkReaders(readers);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(StartFailure.describe(e), e);
        }
    }

    private static void checkInPlace(
            ModelCamelContext context, RouteDefinition route, Map<String, String> readers) {
        try {
            check(context, route, readers);
        } catch (RecordsException e) {
            throw e;
        } catch (Exception e) {
            throw new FailedToStartRouteException(
                    route.getRouteId(), place(route), StartFailure.describe(e), e);
        }
    }

    /** File and line, as Camel writes them; null where they are not known. */
    private static String place(RouteDefinition route) {
        String file = route.getInput() == null ? null : route.getInput().getLocation();
        return file == null
                ? null
                : FileUtil.stripPath(file) + ":" + route.getInput().getLineNumber();
    }

    private static void check(
            ModelCamelContext context, RouteDefinition route, Map<String, String> readers)
            throws Exception {
        String from = route.getInput() == null ? null : route.getInput().getEndpointUri();
        if (isOurs(from)) {
            Endpoint endpoint = endpoint(context, from);
            endpoint.createConsumer(exchange -> {});
            if (endpoint instanceof ReplicationEndpoint reader) {
                readers.put(
                        route.idOrCreate(
                                context.getCamelContextExtension()
                                        .getContextPlugin(NodeIdFactory.class)),
                        reader.getId());
            }
        }
        for (ToDefinition to :
                ProcessorDefinitionHelper.filterTypeInOutputs(
                        route.getOutputs(), ToDefinition.class)) {
            if (isOurs(to.getEndpointUri())) {
                endpoint(context, to.getEndpointUri()).createProducer();
            }
        }
    }

    private static Endpoint endpoint(ModelCamelContext context, String uri) {
        Endpoint endpoint = context.getEndpoint(uri);
        ServiceHelper.initService(endpoint);
        return endpoint;
    }

    private static boolean isOurs(String uri) {
        return uri != null && (uri.startsWith("hermes:") || uri.startsWith("replication:"));
    }
}
