package dev.streamconnect.record;

import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.cluster.HermesTopic;
import dev.streamconnect.cluster.TopicNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rules of a single topic replication, and of ids among all of them. */
final class TopicRules {

    /** What the display name is made of. */
    private static final List<String> NAMED = List.of("direction", "topicName", "serviceNowTopic");

    private final Draft draft;
    private final Optional<HermesInstance> instance;
    private final Faults faults;
    private final Map<String, Draft.Topic> byId = new HashMap<>();
    private Optional<Draft.Topic> firstFull = Optional.empty();

    TopicRules(Draft draft, Optional<HermesInstance> instance, Faults faults) {
        this.draft = draft;
        this.instance = instance;
        this.faults = faults;
    }

    void check() {
        for (Draft.Topic topic : draft.topics()) {
            if (topic.idKnown()) {
                id(topic);
            }
            customerTopic(topic);
            serviceNowTopic(topic);
            bothSides(topic);
            Named.id(topic.value().route(), Named.MAX_ID)
                    .ifPresent(
                            reason ->
                                    faults.add(
                                            topic.field("route"),
                                            RecordRule.BAD_ROUTE,
                                            "'route' " + reason));
        }
    }

    /** Only Hermes has two sides. */
    private void bothSides(Draft.Topic topic) {
        TopicReplication value = topic.value();
        if (value.direction() == Direction.FROM_SERVICENOW
                || !faults.readable(topic.field("direction"))) {
            return;
        }
        if (value.failoverOrder().isPresent()) {
            onlyFrom(topic, "failoverOrder");
        }
        if (value.deduplicate().isPresent()) {
            onlyFrom(topic, "deduplicate");
        }
    }

    private void onlyFrom(Draft.Topic topic, String field) {
        faults.add(
                topic.field(field),
                RecordRule.WRONG_VALUE,
                "'" + field + "' goes with 'direction: fromServiceNow' alone; leave it out");
    }

    private void id(Draft.Topic topic) {
        String id = topic.value().id();
        Named.id(id, Named.MAX_ID)
                .ifPresent(
                        reason ->
                                faults.add(
                                        topic.field("id"),
                                        RecordRule.BAD_ID,
                                        topic.ownId()
                                                ? "'id' " + reason
                                                : "the default id "
                                                        + reason
                                                        + ", by an explicit 'id'"));
        Draft.Topic first = byId.putIfAbsent(id, topic);
        if (first == null) {
            return;
        }
        boolean made = !topic.ownId() || !first.ownId();
        faults.add(
                topic.field("id"),
                RecordRule.DUPLICATE_ID,
                (topic.ownId() ? "id " : "the default id ")
                        + Texts.quote(id)
                        + " is that of "
                        + shown(first)
                        + faults.at(first.field("id"))
                        + " too; "
                        + (made ? "give an explicit 'id'" : "rename one of them"));
    }

    private String shown(Draft.Topic topic) {
        boolean known =
                topic.parent().isPresent()
                        && NAMED.stream().allMatch(field -> faults.readable(topic.field(field)));
        return known ? topic.value().displayName() : "another topic replication";
    }

    private void customerTopic(Draft.Topic topic) {
        String name = topic.value().topicName();
        String pointer = topic.field("topicName");
        if (TopicNames.internal(name)) {
            internal(pointer, name);
            return;
        }
        TopicNames.customerTopic(name)
                .ifPresent(
                        reason ->
                                faults.add(
                                        pointer,
                                        RecordRule.BAD_TOPIC_NAME,
                                        "'topicName' " + reason));
    }

    private void internal(String pointer, String name) {
        faults.add(
                pointer,
                RecordRule.INTERNAL_TOPIC,
                Texts.quote(name)
                        + " is an internal topic of Kafka, whose copy feeds on itself; name a topic"
                        + " of data");
    }

    private void serviceNowTopic(Draft.Topic topic) {
        TopicReplication value = topic.value();
        boolean parts =
                faults.readable(topic.field("namespace"))
                        && faults.readable(topic.field("applicationId"));
        Optional<String> fault = value.namespace().flatMap(TopicNames::namespace);
        if (fault.isPresent()) {
            String message = "'namespace' " + fault.get();
            faults.add(topic.field("namespace"), RecordRule.BAD_NAMESPACE, message);
            parts = false;
        }
        fault = value.applicationId().flatMap(TopicNames::applicationId);
        if (fault.isPresent()) {
            String message = "'applicationId' " + fault.get();
            faults.add(topic.field("applicationId"), RecordRule.BAD_APPLICATION_ID, message);
            parts = false;
        }
        String pointer = topic.field("serviceNowTopic");
        if (TopicNames.internal(value.serviceNowTopic())) {
            internal(pointer, value.serviceNowTopic());
            return;
        }
        try {
            if (HermesTopic.isFull(value.serviceNowTopic())) {
                HermesTopic full = new HermesTopic(value.serviceNowTopic());
                if (TopicNames.internal(full.shortName())) {
                    internal(pointer, value.serviceNowTopic());
                    return;
                }
                if (otherInstance(topic, full)) {
                    return;
                }
            }
            if (parts) {
                Link.topicOf(value, instance);
            }
        } catch (IllegalArgumentException e) {
            faults.add(
                    pointer,
                    RecordRule.BAD_SERVICENOW_TOPIC,
                    "'serviceNowTopic' " + e.getMessage());
        }
    }

    private boolean otherInstance(Draft.Topic topic, HermesTopic full) {
        String pointer = topic.field("serviceNowTopic");
        String found = full.instance();
        if (instance.isPresent()) {
            if (found.equals(instance.get().name())) {
                return false;
            }
            faults.add(
                    pointer,
                    RecordRule.INSTANCE_MISMATCH,
                    Texts.quote(full.fullName())
                            + " is a topic of instance '"
                            + found
                            + "', but the configured instance is '"
                            + instance.get().name()
                            + "'; correct one of them, or use the short name");
            return true;
        }
        if (firstFull.isEmpty()) {
            firstFull = Optional.of(topic);
            return false;
        }
        String other = firstFull.get().value().serviceNowTopic();
        if (new HermesTopic(other).instance().equals(found)) {
            return false;
        }
        faults.add(
                pointer,
                RecordRule.INSTANCE_MISMATCH,
                Texts.quote(full.fullName())
                        + " and "
                        + Texts.quote(other)
                        + faults.at(firstFull.get().field("serviceNowTopic"))
                        + " are of two instances; records are for one, correct one of them");
        return true;
    }
}
