package dev.streamconnect.camel.replication;

import dev.streamconnect.record.TopicReplication;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which route reads which topic replication: one each in a context. Thread-safe. */
final class RouteClaims {

    private final Map<String, String> readers = new ConcurrentHashMap<>();
    private final Set<String> built = ConcurrentHashMap.newKeySet();

    /** Notes that the route of this id is built from a record. */
    void markBuilt(String routeId) {
        built.add(routeId);
    }

    void unmarkBuilt(String routeId) {
        built.remove(routeId);
    }

    boolean isBuilt(String routeId) {
        return built.contains(routeId);
    }

    Set<String> built() {
        return Set.copyOf(built);
    }

    /**
     * Claims a topic replication for a route.
     *
     * @param routesAreBuilt whether records get their routes built in this context
     * @throws IllegalStateException if it is not this route's to read; one line
     */
    void claim(TopicReplication replication, String routeId, boolean routesAreBuilt) {
        String id = replication.id();
        if (routesAreBuilt && replication.buildsRoute() && !(id.equals(routeId) && isBuilt(id))) {
            throw new IllegalStateException(
                    "topic replication '"
                            + id
                            + "' gets its route from the template '"
                            + replication.route()
                            + "', so route '"
                            + routeId
                            + "' cannot read it too; write 'route: none' in its record to use your own route");
        }
        String other = readers.putIfAbsent(id, String.valueOf(routeId));
        if (other != null) {
            throw new IllegalStateException(
                    "topic replication '"
                            + id
                            + "' is read by route '"
                            + other
                            + "' already, so route '"
                            + routeId
                            + "' cannot read it too; one route reads a topic replication");
        }
    }

    void release(String id) {
        readers.remove(id);
    }
}
