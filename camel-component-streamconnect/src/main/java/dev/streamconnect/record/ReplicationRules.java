package dev.streamconnect.record;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The rules of message replications. */
final class ReplicationRules {

    private final Draft draft;
    private final Faults faults;

    ReplicationRules(Draft draft, Faults faults) {
        this.draft = draft;
        this.faults = faults;
    }

    void check() {
        Set<String> connections = new HashSet<>();
        draft.connections().forEach(item -> connections.add(item.value().id()));
        Map<String, Draft.Item<MessageReplication>> byName = new HashMap<>();
        for (Draft.Item<MessageReplication> item : draft.replications()) {
            MessageReplication replication = item.value();
            Named.name(replication.name())
                    .ifPresent(
                            reason ->
                                    faults.add(
                                            item.field("name"),
                                            RecordRule.BAD_NAME,
                                            "'name' " + reason));
            Draft.Item<MessageReplication> first =
                    faults.readable(item.field("name"))
                            ? byName.putIfAbsent(replication.name(), item)
                            : null;
            if (first != null) {
                faults.add(
                        item.field("name"),
                        RecordRule.DUPLICATE_MESSAGE_REPLICATION,
                        "message replication "
                                + Texts.quote(replication.name())
                                + " exists already"
                                + faults.at(first.field("name"))
                                + "; rename it, or put the topic replications of both into one");
            }
            if (!connections.contains(replication.connection()) && draft.allConnectionsNamed()) {
                unknown(item, connections);
            }
        }
    }

    private void unknown(Draft.Item<MessageReplication> item, Set<String> connections) {
        String known =
                connections.isEmpty()
                        ? "there are none; add it under connections"
                        : "known: " + Texts.shown(String.join(", ", new TreeSet<>(connections)));
        faults.add(
                item.field("connection"),
                RecordRule.UNKNOWN_CONNECTION,
                "there is no connection " + Texts.quote(item.value().connection()) + "; " + known);
    }
}
