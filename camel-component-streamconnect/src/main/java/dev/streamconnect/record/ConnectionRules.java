package dev.streamconnect.record;

import dev.streamconnect.cluster.GroupNames;
import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.cluster.HostPort;
import dev.streamconnect.cluster.KafkaClients;
import java.util.Base64;
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
            Draft.Item<KafkaConnection> first = byId.putIfAbsent(connection.id(), item);
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
            properties(item);
            connection.ssl().ifPresent(ssl -> stores(item.field("ssl"), ssl));
        }
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

    private void properties(Draft.Item<KafkaConnection> item) {
        for (String name : item.value().properties().keySet()) {
            if (!KafkaClients.MANAGED.contains(name)) {
                continue;
            }
            String mend =
                    switch (name) {
                        case "bootstrap.servers" -> "use the field bootstrapServers";
                        case "group.id" -> "use the field consumerGroupId";
                        case "auto.offset.reset" -> "use startFrom of the topic replication";
                        default -> "remove it";
                    };
            faults.addAtKey(
                    Places.child(item.field("properties"), name),
                    RecordRule.MANAGED_PROPERTY,
                    "'" + name + "' is set by the engine and would be ignored; " + mend);
        }
    }

    private void stores(String pointer, SslCredentials ssl) {
        ssl.keystore().ifPresent(store -> store(pointer, "keystore", store));
        ssl.truststore().ifPresent(store -> store(pointer, "truststore", store));
        if (ssl.keyPassword().isPresent() && ssl.keystore().isEmpty()) {
            faults.add(
                    Places.child(pointer, "keyPassword"),
                    RecordRule.BAD_STORE,
                    "'keyPassword' without a keystore; give keystoreLocation or keystoreBase64");
        }
    }

    private void store(String pointer, String kind, StoreSource store) {
        String base64 = Places.child(pointer, kind + "Base64");
        if (store.location().isPresent() && store.base64().isPresent()) {
            faults.add(
                    base64,
                    RecordRule.BAD_STORE,
                    "both " + kind + "Location and " + kind + "Base64 are given; remove one");
        } else if (store.location().isEmpty()
                && store.base64().isEmpty()
                && !faults.has(Places.child(pointer, kind + "Location"))
                && !faults.has(base64)) {
            faults.add(
                    pointer,
                    RecordRule.BAD_STORE,
                    "the "
                            + kind
                            + " has no content; give "
                            + kind
                            + "Location or "
                            + kind
                            + "Base64");
        }
        store.base64()
                .filter(secret -> !isBase64(secret))
                .ifPresent(
                        secret ->
                                faults.add(
                                        base64,
                                        RecordRule.BAD_STORE,
                                        "'"
                                                + kind
                                                + "Base64' is not base64; encode the file"
                                                + " again"));
    }

    private static boolean isBase64(Secret secret) {
        try {
            return Base64.getMimeDecoder().decode(secret.reveal()).length > 0
                    && secret.reveal().matches("[A-Za-z0-9+/=\\s]+");
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void sharedGroups() {
        CustomerClusters clusters = CustomerClusters.of(draft);
        Map<String, Draft.Item<KafkaConnection>> users = new HashMap<>();
        for (Draft.Item<KafkaConnection> item : draft.connections()) {
            KafkaConnection connection = item.value();
            Optional<String> group = group(connection);
            Optional<String> cluster = clusters.of(connection);
            if (group.isEmpty() || cluster.isEmpty()) {
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
