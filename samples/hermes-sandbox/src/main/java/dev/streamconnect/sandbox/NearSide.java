package dev.streamconnect.sandbox;

import dev.streamconnect.sandbox.broker.ClusterName;
import dev.streamconnect.sandbox.gateway.Cut;
import dev.streamconnect.sandbox.gateway.GatewayPort;
import dev.streamconnect.sandbox.gateway.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Which cluster the producer ports reach: side A until a fail-over. */
public final class NearSide {

    private final List<GatewayPort> ports = new ArrayList<>();
    private final BiFunction<ClusterName, GatewayPort, Target> targets;
    private final Map<GatewayPort, ClusterName> sides = new HashMap<>();
    private ClusterName near = ClusterName.A;

    NearSide(List<GatewayPort> ports, BiFunction<ClusterName, GatewayPort, Target> targets) {
        this.targets = targets;
        this.ports.addAll(ports);
        ports.forEach(port -> sides.put(port, near));
    }

    /** Opens a further producer port. */
    synchronized void add(GatewayPort port) {
        ports.add(port);
        sides.put(port, near);
        port.start(targets.apply(near, port));
    }

    /** After a broker has other ports. */
    synchronized void retarget() {
        ports.forEach(port -> port.retarget(targets.apply(sides.get(port), port)));
    }

    /** The side of the last whole fail-over. */
    public synchronized ClusterName near() {
        return near;
    }

    /** The side that one producer port reaches. */
    public synchronized ClusterName sideOf(GatewayPort port) {
        return sides.get(port);
    }

    /**
     * Moves all producer ports, then ends their connections.
     *
     * @return how many connections were ended
     */
    public synchronized int failOver(ClusterName to, Cut cut) {
        near = to;
        ports.forEach(port -> move(port, to));
        return ports.stream().mapToInt(port -> port.cut(cut)).sum();
    }

    /** Moves one producer port only. */
    public synchronized int failOver(GatewayPort port, ClusterName to, Cut cut) {
        move(port, to);
        return port.cut(cut);
    }

    private void move(GatewayPort port, ClusterName to) {
        sides.put(port, to);
        port.retarget(targets.apply(to, port));
    }
}
