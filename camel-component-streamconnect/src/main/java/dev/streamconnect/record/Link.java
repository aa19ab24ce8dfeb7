package dev.streamconnect.record;

import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.cluster.HermesTopic;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An active topic replication as an edge from topic to topic. An end names cluster and topic, so
 * that equal ends are the same topic.
 */
record Link(Draft.Topic topic, String source, String destination) {

    // Stands for an instance that is not known: its name is the shortest, so a length refused with
    // it is refused with all.
    private static final HermesInstance ANY = HermesInstance.of("x");

    private static final List<String> FIELDS =
            List.of(
                    "direction",
                    "topicName",
                    "serviceNowTopic",
                    "namespace",
                    "applicationId",
                    "active");

    /** The links of all active topic replications whose ends are valid. */
    static List<Link> of(Draft draft, Optional<HermesInstance> instance, Faults faults) {
        CustomerClusters clusters = CustomerClusters.of(draft);
        List<Link> links = new ArrayList<>();
        for (Draft.Topic topic : draft.topics()) {
            if (!topic.active() || FIELDS.stream().anyMatch(f -> faults.has(topic.field(f)))) {
                continue;
            }
            Optional<String> cluster =
                    topic.parent()
                            .flatMap(p -> connection(draft, p.connection()))
                            .flatMap(clusters::of);
            Optional<String> hermes = hermes(topic.value(), instance);
            String name = topic.value().topicName();
            if (cluster.isEmpty() || hermes.isEmpty()) {
                continue;
            }
            String customer = name + " [" + cluster.get() + "]";
            boolean to = topic.value().direction() == Direction.TO_SERVICENOW;
            links.add(
                    to
                            ? new Link(topic, customer, hermes.get())
                            : new Link(topic, hermes.get(), customer));
        }
        return links;
    }

    /**
     * The topic of Hermes, of a stand-in instance if none is known.
     *
     * @throws IllegalArgumentException if it has no valid name
     */
    static HermesTopic topicOf(TopicReplication topic, Optional<HermesInstance> instance) {
        HermesInstance owner = instance.orElse(ANY);
        if (instance.isEmpty() && HermesTopic.isFull(topic.serviceNowTopic())) {
            owner = HermesInstance.of(new HermesTopic(topic.serviceNowTopic()).instance());
        }
        return topic.hermesTopic(owner);
    }

    private static Optional<String> hermes(
            TopicReplication topic, Optional<HermesInstance> instance) {
        try {
            return Optional.of(topicOf(topic, instance).shortName() + " [SN]");
        } catch (IllegalArgumentException e) {
            // The fault is reported where names are checked.
            return Optional.empty();
        }
    }

    private static Optional<KafkaConnection> connection(Draft draft, String id) {
        return draft.connections().stream()
                .map(Draft.Item::value)
                .filter(c -> c.id().equals(id))
                .findFirst();
    }

    /** The record's id and line, to be named in a fault. */
    String named(Faults faults) {
        return Texts.quote(topic.value().id()) + faults.at(topic.pointer());
    }
}
