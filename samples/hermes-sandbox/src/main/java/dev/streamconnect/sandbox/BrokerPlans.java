package dev.streamconnect.sandbox;

import dev.streamconnect.sandbox.broker.BrokerPlan;
import dev.streamconnect.sandbox.broker.ClusterName;
import dev.streamconnect.sandbox.broker.PublicListener;
import dev.streamconnect.sandbox.gateway.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;

/** Lays out the brokers of a cluster. Every start has new cluster ids: B is never a copy of A. */
final class BrokerPlans {

    static final String PRODUCER = "PRODUCER";
    static final String CONSUMER = "CONSUMER";
    static final String CLIENT = "CLIENT";

    private final SandboxOptions options;
    private final PublicPorts publicPorts;
    private final PrivatePorts privatePorts;
    private final Path folder;

    BrokerPlans(
            SandboxOptions options,
            PublicPorts publicPorts,
            PrivatePorts privatePorts,
            Path folder) {
        this.options = options;
        this.publicPorts = publicPorts;
        this.privatePorts = privatePorts;
        this.folder = folder;
    }

    List<BrokerPlan> of(ClusterName cluster) {
        String clusterId = Uuid.randomUuid().toString();
        int firstNode = firstNode(cluster);
        int controllerPort = privatePorts.take();
        int count = cluster == ClusterName.LOCAL ? 1 : options.brokersPerSide;
        List<BrokerPlan> plans = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            plans.add(
                    new BrokerPlan(
                            cluster,
                            clusterId,
                            index,
                            firstNode + index,
                            firstNode,
                            folder.resolve(cluster + "-" + index),
                            options.host,
                            privatePorts.take(),
                            controllerPort,
                            listeners(cluster, index)));
        }
        return plans;
    }

    private List<PublicListener> listeners(ClusterName cluster, int broker) {
        return switch (cluster) {
            case A ->
                    List.of(
                            listener(PRODUCER, Role.PRODUCER, broker),
                            listener(CONSUMER, Role.CONSUMER_A, broker));
            case B ->
                    List.of(
                            listener(PRODUCER, Role.PRODUCER, broker),
                            listener(CONSUMER, Role.CONSUMER_B, broker));
            case LOCAL -> List.of(listener(CLIENT, Role.LOCAL, broker));
        };
    }

    private PublicListener listener(String name, Role role, int broker) {
        return new PublicListener(
                name,
                privatePorts.take(),
                publicPorts.advertised(role, broker),
                role != Role.LOCAL);
    }

    private int firstNode(ClusterName cluster) {
        return switch (cluster) {
            case A -> 1;
            case B -> options.equalNodeIds ? 1 : 11;
            case LOCAL -> 21;
        };
    }
}
