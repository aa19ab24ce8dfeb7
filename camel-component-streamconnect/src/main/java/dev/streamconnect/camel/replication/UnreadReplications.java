package dev.streamconnect.camel.replication;

import dev.streamconnect.engine.LinkDefinition;
import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.TopicReplication;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.camel.Route;
import org.apache.camel.ServiceStatus;

/**
 * The active topic replications of the records that no route reads, as states beside those of the
 * engine, which knows only what was opened: a replication that nobody runs must not look like one
 * that is not there. Thread-safe.
 */
final class UnreadReplications {

    private final ReplicationComponent component;
    private final Clock clock;
    private final Map<String, Instant> since = new ConcurrentHashMap<>();

    UnreadReplications(ReplicationComponent component, Clock clock) {
        this.component = component;
        this.clock = clock;
    }

    /**
     * States of those that are not among the known ones, in the order of the records.
     *
     * @param known states that the engine tells
     */
    List<LinkStatus> besides(Collection<LinkStatus> known) {
        if (!component.hasRecords()) {
            return List.of();
        }
        Set<String> ids = known.stream().map(LinkStatus::id).collect(Collectors.toSet());
        ReplicationRecords records = component.records();
        List<LinkStatus> unread = new ArrayList<>();
        for (TopicReplication replication : records.topicReplications()) {
            if (records.active(replication) && !ids.contains(replication.id())) {
                unread.add(status(replication));
                ids.add(replication.id());
            }
        }
        for (String id : component.builtRoutes().ownRoutes().ids()) {
            if (ids.add(id)) {
                unread.add(stopped(id));
            }
        }
        since.keySet().retainAll(unread.stream().map(LinkStatus::id).collect(Collectors.toSet()));
        return unread;
    }

    /** The user's route of it is there, and its record is not, or is not active. */
    private LinkStatus stopped(String id) {
        Instant began = since.computeIfAbsent(id, key -> clock.instant());
        String reason = component.builtRoutes().ownRoutes().reason(id);
        return status(id, LinkState.STOPPED, reason == null ? "" : reason, began, Optional.empty());
    }

    private LinkStatus status(TopicReplication replication) {
        Instant began = since.computeIfAbsent(replication.id(), id -> clock.instant());
        LinkState state = LinkState.FAILED;
        String reason;
        Route reader = reader(replication.id());
        String failure = component.builtRoutes().failure(replication.id());
        String stopped = component.builtRoutes().ownRoutes().reason(replication.id());
        if (!component.builtRoutes().isDone()) {
            state = LinkState.STARTING;
            reason = "";
        } else if (failure != null) {
            reason = "its route is not built: " + failure;
        } else if (stopped != null) {
            boolean failed = component.builtRoutes().ownRoutes().hasFailed(replication.id());
            state = failed ? LinkState.FAILED : LinkState.STARTING;
            reason = stopped;
        } else if (reader != null) {
            ServiceStatus found =
                    component
                            .getCamelContext()
                            .getRouteController()
                            .getRouteStatus(reader.getRouteId());
            state = found == ServiceStatus.Starting ? LinkState.STARTING : LinkState.STOPPED;
            reason = "its route '" + reader.getRouteId() + "' is not started; start it";
        } else if (!replication.buildsRoute()) {
            reason =
                    "no route reads it: its record says 'route: none'; add a route that begins with replication:"
                            + replication.id()
                            + ", or name a template in 'route'";
        } else if (!component.isBuildRoutes()) {
            reason =
                    "no route reads it: buildRoutes is false; add a route that begins with replication:"
                            + replication.id();
        } else {
            reason = "no route reads it: the route that was built from its record is gone";
        }
        return status(replication.id(), state, reason, began, link(replication));
    }

    private static LinkStatus status(
            String id,
            LinkState state,
            String reason,
            Instant began,
            Optional<LinkDefinition> link) {
        return new LinkStatus(
                id,
                state,
                reason,
                began,
                state == LinkState.FAILED ? began : null,
                link.map(LinkDefinition::sourceName).orElse(""),
                link.map(LinkDefinition::destinationName).orElse(""),
                0,
                0,
                0,
                0,
                -1,
                0,
                0,
                0,
                0,
                "",
                List.of(),
                List.of());
    }

    /** Empty where the options of Hermes or a store are wrong; that is told elsewhere. */
    private Optional<LinkDefinition> link(TopicReplication replication) {
        try {
            TopicReplicationLinks links = component.links();
            return Optional.of(
                    links.link(replication, component.linkOptions(links, replication, true)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private Route reader(String id) {
        return component.getCamelContext().getRoutes().stream()
                .filter(
                        route ->
                                route.getEndpoint() instanceof ReplicationEndpoint endpoint
                                        && endpoint.getId().equals(id))
                .findFirst()
                .orElse(null);
    }
}
