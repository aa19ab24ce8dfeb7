package dev.streamconnect.record;

import dev.streamconnect.cluster.GroupNames;
import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.cluster.HostPort;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The rules of connections. */
final class ConnectionRules {

    private final Draft draft;
    private final Optional<HermesInstance> instance;
    private final Faults faults;

    ConnectionRules(Draft draft, Optional<HermesInstance> instance, Faults faults) {
        this.draft = draft;
        this.instance = instance;
        this.faults = faults;
    }

    void check() {
        Map<String, Draft.Item<KafkaConnection>> byId = new HashMap<>();
        for (Draft.Item<KafkaConnection> item : draft.connections()) {
            KafkaConnection connection = item.value();
            Named.id(connection.id(), Named.MAX_CONNECTION_ID)
                    .ifPresent(r -> faults.add(item.field("id"), RecordRule.BAD_ID, "'id' " + r));
            Draft.Item<KafkaConnection> first =
                    faults.readable(item.field("id"))
                            ? byId.putIfAbsent(connection.id(), item)
                            : null;
            if (first != null) {
                faults.add(
                        item.field("id"),
                        RecordRule.DUPLICATE_CONNECTION,
                        "connection "
                                + Texts.quote(connection.id())
                                + " exists already"
                                + faults.at(first.field("id"))
                                + "; rename or remove one");
            }
            servers(item);
            connection
                    .consumerGroupId()
                    .flatMap(GroupNames::problem)
                    .ifPresent(
                            reason ->
                                    faults.add(
                                            item.field("consumerGroupId"),
                                            RecordRule.BAD_GROUP_ID,
                                            "'consumerGroupId' " + reason));
        }
        new CredentialRules(draft, faults).check();
        sharedGroups();
    }

    private void servers(Draft.Item<KafkaConnection> item) {
        try {
            HostPort.parseList(item.value().bootstrapServers());
        } catch (IllegalArgumentException e) {
            faults.add(
                    item.field("bootstrapServers"),
                    RecordRule.BAD_BOOTSTRAP_SERVERS,
                    "'bootstrapServers' " + e.getMessage());
        }
    }

    private void sharedGroups() {
        CustomerClusters clusters = CustomerClusters.of(draft);
        Map<String, Draft.Item<KafkaConnection>> users = new HashMap<>();
        for (Draft.Item<KafkaConnection> item : draft.connections()) {
            KafkaConnection connection = item.value();
            Optional<String> group = group(connection);
            Optional<String> cluster = clusters.of(connection);
            if (group.isEmpty()
                    || cluster.isEmpty()
                    || !faults.readable(item.field("id"))
                    || !faults.readable(item.field("consumerGroupId"))) {
                continue;
            }
            String key = cluster.get() + " " + group.get();
            Draft.Item<KafkaConnection> first = users.putIfAbsent(key, item);
            if (first != null && !first.value().id().equals(connection.id())) {
                faults.add(
                        item.field("consumerGroupId"),
                        RecordRule.SHARED_GROUP_ID,
                        "the connections "
                                + Texts.quote(first.value().id())
                                + faults.at(first.pointer())
                                + " and "
                                + Texts.quote(connection.id())
                                + " use the group "
                                + Texts.quote(group.get())
                                + " at one cluster and would take each other's partitions; use one"
                                + " connection for both, or give them different groups");
            }
        }
    }

    // Without an instance the default group is unknown, but unique by the connection's id.
    private Optional<String> group(KafkaConnection connection) {
        if (connection.consumerGroupId().isPresent() || instance.isEmpty()) {
            return connection.consumerGroupId().filter(g -> GroupNames.problem(g).isEmpty());
        }
        return Named.id(connection.id(), Named.MAX_CONNECTION_ID).isEmpty()
                ? Optional.of(connection.groupId(instance.get()))
                : Optional.empty();
    }
}
