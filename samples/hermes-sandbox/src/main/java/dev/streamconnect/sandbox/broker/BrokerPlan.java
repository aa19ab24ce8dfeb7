package dev.streamconnect.sandbox.broker;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * All that is fixed about one broker before it starts.
 *
 * @param clusterId Kafka's cluster id
 * @param index the broker's place in its cluster, from 0; broker 0 is also the controller
 * @param controllerNodeId node id of the cluster's controller
 * @param folder its data
 * @param advertisedHost the host name that clients are told
 * @param internalPort plain text listener for administration and between brokers; skips the ACLs
 * @param controllerPort port of the cluster's controller
 */
public record BrokerPlan(
        ClusterName cluster,
        String clusterId,
        int index,
        int nodeId,
        int controllerNodeId,
        Path folder,
        String advertisedHost,
        int internalPort,
        int controllerPort,
        List<PublicListener> listeners) {

    public BrokerPlan {
        listeners = List.copyOf(listeners);
    }

    boolean isController() {
        return nodeId == controllerNodeId;
    }

    /** For people, for example {@code A-0}. */
    public String name() {
        return cluster + "-" + index;
    }

    /** Whether clients are told this port for one of the broker's listeners. */
    public boolean advertises(int port) {
        return listeners.stream().anyMatch(listener -> listener.advertisedPort() == port);
    }

    /**
     * The same broker at other public ports.
     *
     * @param ports of each listener, by its name
     */
    BrokerPlan advertising(Map<String, Integer> ports) {
        return new BrokerPlan(
                cluster,
                clusterId,
                index,
                nodeId,
                controllerNodeId,
                folder,
                advertisedHost,
                internalPort,
                controllerPort,
                listeners.stream()
                        .map(listener -> listener.advertising(ports.get(listener.name())))
                        .toList());
    }

    PublicListener listener(String name) {
        return listeners.stream()
                .filter(listener -> listener.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
