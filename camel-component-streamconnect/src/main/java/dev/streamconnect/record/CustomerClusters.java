package dev.streamconnect.record;

import dev.streamconnect.cluster.HostPort;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tells which connections reach the same cluster: those that share a bootstrap entry. */
final class CustomerClusters {

    private final Map<HostPort, String> names;

    private CustomerClusters(Map<HostPort, String> names) {
        this.names = names;
    }

    static CustomerClusters of(Draft draft) {
        Map<HostPort, Set<HostPort>> together = new HashMap<>();
        List<HostPort> inOrder = new ArrayList<>();
        for (Draft.Item<KafkaConnection> item : draft.connections()) {
            List<HostPort> entries = entries(item.value());
            for (HostPort entry : entries) {
                inOrder.add(entry);
                Set<HostPort> neighbours = together.computeIfAbsent(entry, e -> new HashSet<>());
                neighbours.add(entries.get(0));
                together.get(entries.get(0)).add(entry);
            }
        }
        Map<HostPort, String> names = new HashMap<>();
        for (HostPort start : inOrder) {
            if (names.containsKey(start)) {
                continue;
            }
            Deque<HostPort> open = new ArrayDeque<>(List.of(start));
            while (!open.isEmpty()) {
                HostPort entry = open.pop();
                if (names.putIfAbsent(entry, start.toString()) == null) {
                    open.addAll(together.get(entry));
                }
            }
        }
        return new CustomerClusters(names);
    }

    /** The cluster's name, its first bootstrap entry; none if the list is faulty. */
    Optional<String> of(KafkaConnection connection) {
        return entries(connection).stream().findFirst().map(names::get);
    }

    private static List<HostPort> entries(KafkaConnection connection) {
        try {
            return HostPort.parseList(connection.bootstrapServers()).stream()
                    .map(HostPort::canonical)
                    .toList();
        } catch (IllegalArgumentException e) {
            // The fault is reported where lists are checked.
            return List.of();
        }
    }
}
