package dev.streamconnect.camel.replication;

import dev.streamconnect.engine.LinkLog;
import dev.streamconnect.spi.RecordsVersion;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.camel.ServiceStatus;
import org.apache.camel.spi.RouteController;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings another version of the records into effect. Everything that it touches is stopped before
 * the first of it is started: two topic replications may have swapped their topics, and a topic has
 * one consumer in a group.
 */
final class RouteChanges {

    private static final Logger LOG = LoggerFactory.getLogger(RouteChanges.class);

    private final ReplicationComponent component;
    private final BuiltRoutes routes;

    RouteChanges(ReplicationComponent component, BuiltRoutes routes) {
        this.component = component;
        this.routes = routes;
    }

    /**
     * Stops what the version changes, takes the version up, and starts changed routes; what is
     * missing then is left to {@link BuiltRoutes}.
     *
     * @return false if the context stops meanwhile
     * @throws IllegalArgumentException if the version can't be used; one line, and nothing is
     *     touched
     */
    boolean apply(RecordsVersion version) {
        TopicReplicationLinks next = component.links().with(version.records());
        RecordsChange change = RecordsChange.between(component, component.links(), next);
        Map<String, ServiceStatus> restarted = stop(change);
        if (routes.isHalted()) {
            return false;
        }
        component.use(version, next);
        change.gone().forEach(component::forget);
        change.reshaped().forEach(component::forget);
        LOG.info(
                "replication records {}: version {} is in effect; {}",
                component.recordsLoader().name(),
                version.id(),
                change);
        restarted.forEach(this::start);
        return true;
    }

    /**
     * @return the built routes that are to be started again, with their status before
     */
    private Map<String, ServiceStatus> stop(RecordsChange change) {
        Set<String> staying = new LinkedHashSet<>(change.changed());
        staying.addAll(change.reshaped());
        component.keepPaused(staying);
        Set<String> ending = new LinkedHashSet<>(change.gone());
        ending.addAll(change.reshaped());
        for (String id : ending) {
            if (!routes.isHalted()) {
                routes.remove(id);
            }
        }
        Map<String, ServiceStatus> restarted = new LinkedHashMap<>();
        for (String id : change.changed()) {
            ServiceStatus status = controller().getRouteStatus(id);
            if (!routes.isHalted() && component.claims().isBuilt(id) && isRunning(status)) {
                restarted.put(id, status);
                stop(id);
            }
        }
        ending.addAll(change.changed());
        if (!routes.isHalted()) {
            routes.ownRoutes().stop(ending);
        }
        return restarted;
    }

    /** False also for one that an operator has stopped. */
    static boolean isRunning(ServiceStatus status) {
        return status != null && (status.isStarted() || status.isSuspended());
    }

    private void stop(String id) {
        try {
            controller().stopRoute(id);
        } catch (Exception e) {
            new LinkLog(LOG, id)
                    .warn(
                            "topic replication {}: its route cannot be stopped: {}",
                            id,
                            BuiltRoutes.reason(e));
        }
    }

    private void start(String id, ServiceStatus before) {
        if (routes.isHalted()) {
            return;
        }
        try {
            controller().startRoute(id);
            if (before.isSuspended()) {
                controller().suspendRoute(id);
            }
        } catch (Exception e) {
            routes.remove(id);
            component.forget(id);
            routes.failed(id, BuiltRoutes.reason(e));
        }
    }

    private RouteController controller() {
        return component.getCamelContext().getRouteController();
    }
}
