package dev.streamconnect.record;

import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.cluster.HermesTopic;
import java.util.Objects;
import java.util.Optional;

/**
 * One source topic to one destination topic.
 *
 * @param id unique among all topic replications and never changed
 * @param replication name of the message replication that it belongs to
 * @param direction which way
 * @param topicName the customer's topic
 * @param serviceNowTopic the topic of Hermes, short, or full from {@code snc.} on
 * @param applicationId part of the full name, only with a short name
 * @param namespace part of the full name, only with a short name
 * @param startFrom used only where the group has no position
 * @param failoverOrder what is read first where both sides of Hermes have messages; only from
 *     ServiceNow, empty for what is set for all
 * @param deduplicate what is done with a message that both sides have; as {@code failoverOrder}
 * @param onGap empty for what the component says
 * @param onRecreated empty for what the component says
 * @param route template to build the route from, or {@value #NO_ROUTE}
 * @param active its own flag; whether it runs also depends on its parent, see {@link
 *     ReplicationRecords#active}
 */
public record TopicReplication(
        String id,
        String replication,
        Direction direction,
        String topicName,
        String serviceNowTopic,
        Optional<String> applicationId,
        Optional<String> namespace,
        StartFrom startFrom,
        Optional<FailoverOrder> failoverOrder,
        Optional<Deduplicate> deduplicate,
        Optional<OnGap> onGap,
        Optional<OnRecreated> onRecreated,
        String route,
        boolean active) {

    /** Template of a topic replication that names none. */
    public static final String DEFAULT_ROUTE = "topic-replication";

    /** Value of {@code route} when the user writes the route. */
    public static final String NO_ROUTE = "none";

    public TopicReplication {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(replication, "replication");
        Objects.requireNonNull(direction, "direction");
        Objects.requireNonNull(topicName, "topicName");
        Objects.requireNonNull(serviceNowTopic, "serviceNowTopic");
        Objects.requireNonNull(applicationId, "applicationId");
        Objects.requireNonNull(namespace, "namespace");
        Objects.requireNonNull(startFrom, "startFrom");
        Objects.requireNonNull(failoverOrder, "failoverOrder");
        Objects.requireNonNull(deduplicate, "deduplicate");
        Objects.requireNonNull(onGap, "onGap");
        Objects.requireNonNull(onRecreated, "onRecreated");
        Objects.requireNonNull(route, "route");
    }

    /**
     * The id of a topic replication that gives none: {@code <replication>-<topic>-to-sn} or {@code
     * …-from-sn}, where each character that an id may not have becomes {@code _}. It goes by the
     * customer's topic, which one replication uses once per direction.
     */
    public static String defaultId(String replication, Direction direction, String topicName) {
        String text = replication + "-" + topicName + "-" + direction.idPart();
        return text.replaceAll("[^A-Za-z0-9_-]", "_");
    }

    /** The generated name for people; not an id. */
    public String displayName() {
        String customer = topicName + " [" + replication + "]";
        String serviceNow = serviceNowTopic + " [SN]";
        return direction == Direction.TO_SERVICENOW
                ? customer + " -> " + serviceNow
                : serviceNow + " -> " + customer;
    }

    /**
     * The full topic of Hermes.
     *
     * @throws IllegalArgumentException if the name is not valid or is of another instance, which
     *     validated records exclude
     */
    public HermesTopic hermesTopic(HermesInstance instance) {
        return HermesTopic.of(instance, serviceNowTopic, namespace, applicationId);
    }

    /** Whether a route is to be built for it. */
    public boolean buildsRoute() {
        return !route.equals(NO_ROUTE);
    }
}
