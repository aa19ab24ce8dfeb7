package dev.streamconnect.camel.replication;

import dev.streamconnect.engine.LinkLog;
import dev.streamconnect.record.ReplicationRecords;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.apache.camel.ServiceStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The user's own routes that read topic replications, as far as records that change at run time
 * stop and start them. Only what was stopped here is started here. Changed by one thread at a time;
 * what it tells may be asked by any.
 */
final class OwnRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(OwnRoutes.class);

    private final ReplicationComponent component;
    private final Map<String, Stopped> stopped = new ConcurrentHashMap<>();

    /**
     * A route that was stopped here.
     *
     * @param id of the topic replication that it reads
     * @param suspended true if it was suspended before
     * @param failure why it does not start; null if that was not tried or its record is gone
     */
    private record Stopped(String id, boolean suspended, String failure) {}

    OwnRoutes(ReplicationComponent component) {
        this.component = component;
    }

    /** Stops the running ones that read these topic replications, until {@link #start}. */
    void stop(Collection<String> ids) {
        for (Route route : List.copyOf(context().getRoutes())) {
            String id = read(route);
            if (id != null && ids.contains(id)) {
                stop(route.getRouteId(), id);
            }
        }
    }

    private void stop(String routeId, String id) {
        ServiceStatus status = context().getRouteController().getRouteStatus(routeId);
        if (!RouteChanges.isRunning(status)) {
            return;
        }
        stopped.put(routeId, new Stopped(id, status.isSuspended(), null));
        try {
            context().getRouteController().stopRoute(routeId);
        } catch (Exception e) {
            LOG.warn("route {} cannot be stopped: {}", routeId, BuiltRoutes.reason(e));
        }
    }

    /** Starts those again whose topic replication is active and the user's to read. */
    void start() {
        stopped.forEach(
                (routeId, route) -> {
                    if (isAllowed(component.records(), route.id())) {
                        start(routeId, route);
                    }
                });
    }

    private void start(String routeId, Stopped route) {
        ServiceStatus status = context().getRouteController().getRouteStatus(routeId);
        if (status == null || RouteChanges.isRunning(status)) {
            // Removed, or started by somebody else.
            stopped.remove(routeId);
            return;
        }
        try {
            context().getRouteController().startRoute(routeId);
            if (route.suspended()) {
                context().getRouteController().suspendRoute(routeId);
            }
            stopped.remove(routeId);
        } catch (Exception e) {
            String reason = BuiltRoutes.reason(e);
            component.forget(route.id());
            if (!reason.equals(route.failure())) {
                new LinkLog(LOG, route.id())
                        .error(
                                "topic replication {}: its route {} does not start, tried again every {} s: {}",
                                route.id(),
                                routeId,
                                BackgroundTasks.RETRY_SECONDS,
                                reason);
            }
            stopped.put(routeId, new Stopped(route.id(), route.suspended(), reason));
        }
    }

    /** True while some of them could not be started. */
    boolean hasFailed() {
        return stopped.values().stream().anyMatch(route -> route.failure() != null);
    }

    /** Topic replications of those that are stopped here. */
    List<String> ids() {
        List<String> ids = new ArrayList<>();
        stopped.forEach(
                (routeId, route) -> {
                    if (context().getRoute(routeId) != null) {
                        ids.add(route.id());
                    }
                });
        return ids;
    }

    /** Why the user's route of that topic replication is stopped; null if it is not, by this. */
    String reason(String id) {
        ReplicationRecords records = component.records();
        for (Map.Entry<String, Stopped> each : stopped.entrySet()) {
            if (each.getValue().id().equals(id)) {
                String route = "its route '" + each.getKey() + "'";
                if (isAllowed(records, id)) {
                    return each.getValue().failure() == null
                            ? route + " is being started with its changed record"
                            : route
                                    + " does not start, tried again every "
                                    + BackgroundTasks.RETRY_SECONDS
                                    + " s: "
                                    + each.getValue().failure();
                }
                return records.topicReplication(id).isPresent()
                        ? "its record is not active; " + route + " is stopped until it is"
                        : "there is no record of it; " + route + " is stopped until there is one";
            }
        }
        return null;
    }

    /** True if its start was tried in vain. */
    boolean hasFailed(String id) {
        return stopped.values().stream()
                .anyMatch(route -> route.id().equals(id) && route.failure() != null);
    }

    void clear() {
        stopped.clear();
    }

    private boolean isAllowed(ReplicationRecords records, String id) {
        return records.topicReplication(id)
                .filter(records::active)
                .filter(replication -> !component.builds(replication))
                .isPresent();
    }

    /** The topic replication that a route of the user's reads; null for others. */
    private String read(Route route) {
        return route.getEndpoint() instanceof ReplicationEndpoint endpoint
                        && endpoint.component() == component
                        && !component.claims().isBuilt(route.getRouteId())
                ? endpoint.getId()
                : null;
    }

    private CamelContext context() {
        return component.getCamelContext();
    }
}
