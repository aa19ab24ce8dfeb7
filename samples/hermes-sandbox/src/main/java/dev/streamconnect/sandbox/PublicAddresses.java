package dev.streamconnect.sandbox;

import dev.streamconnect.sandbox.broker.ClusterName;
import dev.streamconnect.sandbox.broker.SandboxBroker;
import dev.streamconnect.sandbox.broker.SandboxCluster;
import dev.streamconnect.sandbox.gateway.Gateway;
import dev.streamconnect.sandbox.gateway.GatewayPort;
import dev.streamconnect.sandbox.gateway.Role;
import dev.streamconnect.sandbox.gateway.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Which broker each public port leads to, and how a broker moves to other ports. */
public final class PublicAddresses {

    private final PublicPorts ports;
    private final Gateway gateway;
    private final Map<ClusterName, SandboxCluster> clusters;
    private final NearSide nearSide;

    PublicAddresses(PublicPorts ports, Gateway gateway, Map<ClusterName, SandboxCluster> clusters) {
        this.ports = ports;
        this.gateway = gateway;
        this.clusters = clusters;
        this.nearSide = new NearSide(gateway.ports(Role.PRODUCER), this::target);
    }

    NearSide nearSide() {
        return nearSide;
    }

    /** Begins to pass connections. */
    void open() {
        for (GatewayPort port : gateway.ports()) {
            port.start(target(firstCluster(port.role()), port));
        }
    }

    /**
     * Gives a broker other public ports, which it tells clients from its next start on. The gateway
     * opens those that it has not; the ports of before still lead to the broker.
     *
     * @param index distance of the new ports from the first one of each role
     * @throws SandboxException if another broker of the cluster advertises such a port, or it
     *     cannot be taken; nothing is changed then
     */
    public void move(SandboxBroker broker, int index) {
        ClusterName cluster = broker.plan().cluster();
        Map<String, Integer> advertised = new HashMap<>();
        for (Role role : roles(cluster)) {
            int port = ports.number(role, index);
            refuseIfTaken(broker, port);
            advertised.put(listener(role), port);
        }
        List<GatewayPort> opened = openMissing(roles(cluster), index);
        broker.advertise(advertised);
        for (GatewayPort port : opened) {
            gateway.add(port);
            if (port.role() == Role.PRODUCER) {
                nearSide.add(port);
            } else {
                port.start(target(cluster, port));
            }
        }
        nearSide.retarget();
        for (Role role : roles(cluster)) {
            if (role != Role.PRODUCER) {
                gateway.ports(role).forEach(port -> port.retarget(target(cluster, port)));
            }
        }
    }

    private List<GatewayPort> openMissing(List<Role> roles, int index) {
        List<GatewayPort> opened = new ArrayList<>();
        try {
            for (Role role : roles) {
                if (gateway.ports(role, OptionalInt.of(index)).isEmpty()) {
                    opened.add(ports.bind(role, index));
                }
            }
            return opened;
        } catch (SandboxException e) {
            opened.forEach(GatewayPort::close);
            throw e;
        }
    }

    private void refuseIfTaken(SandboxBroker broker, int port) {
        for (SandboxBroker other : clusters.get(broker.plan().cluster()).brokers()) {
            if (other != broker && other.plan().advertises(port)) {
                throw new SandboxException(
                        "advertise: %s advertises port %d already"
                                .formatted(other.plan().name(), port));
            }
        }
    }

    /** The broker that advertises the port, else all in turn. */
    private Target target(ClusterName cluster, GatewayPort port) {
        List<SandboxBroker> brokers = clusters.get(cluster).brokers();
        return brokers.stream()
                .filter(broker -> broker.plan().advertises(port.port()))
                .findFirst()
                .orElseGet(() -> brokers.get(port.index() % brokers.size()))
                .target(listener(port.role()));
    }

    private static ClusterName firstCluster(Role role) {
        return switch (role) {
            case PRODUCER, CONSUMER_A -> ClusterName.A;
            case CONSUMER_B -> ClusterName.B;
            case LOCAL -> ClusterName.LOCAL;
        };
    }

    private static List<Role> roles(ClusterName cluster) {
        return switch (cluster) {
            case A -> List.of(Role.PRODUCER, Role.CONSUMER_A);
            case B -> List.of(Role.PRODUCER, Role.CONSUMER_B);
            case LOCAL -> List.of(Role.LOCAL);
        };
    }

    private static String listener(Role role) {
        return switch (role) {
            case PRODUCER -> BrokerPlans.PRODUCER;
            case CONSUMER_A, CONSUMER_B -> BrokerPlans.CONSUMER;
            case LOCAL -> BrokerPlans.CLIENT;
        };
    }
}
