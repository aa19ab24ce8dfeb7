package dev.streamconnect.sandbox.control;

import dev.streamconnect.sandbox.LocalHermes;
import dev.streamconnect.sandbox.SandboxException;
import dev.streamconnect.sandbox.broker.ClusterName;
import dev.streamconnect.sandbox.gateway.Cut;
import dev.streamconnect.sandbox.gateway.Gateway;
import dev.streamconnect.sandbox.gateway.GatewayPort;
import dev.streamconnect.sandbox.gateway.PortMode;
import dev.streamconnect.sandbox.gateway.Role;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Fail-over, and faults of the public ports. */
final class GatewayActions {

    private static final long MAX_DELAY_MILLIS = 60_000;
    private static final List<ClusterName> SIDES = List.of(ClusterName.A, ClusterName.B);

    private enum Flows {
        ALL,
        EXISTING
    }

    private final LocalHermes hermes;

    GatewayActions(LocalHermes hermes) {
        this.hermes = hermes;
    }

    void register(Map<String, Action> actions) {
        actions.put("/failover", Action.post(this::failOver, "to", "port", "cut"));
        actions.put("/down", Action.post(this::down, "role", "port", "cut"));
        actions.put("/reset", Action.post(this::reset, "role", "port"));
        actions.put("/blackhole", Action.post(this::blackHole, "role", "port", "flows"));
        actions.put("/delay", Action.post(this::delay, "role", "port", "ms"));
        actions.put("/cut", Action.post(this::cut, "role", "port", "cut"));
        actions.put("/heal", Action.post(this::heal, "role", "port"));
    }

    private Object failOver(Parameters parameters) {
        Cut cut = parameters.choice("cut", Cut.class, Cut.RST);
        OptionalInt index = parameters.optionalNumber("port");
        int ended;
        if (index.isPresent()) {
            GatewayPort port = ports(Role.PRODUCER, index).get(0);
            ClusterName to = side(parameters, hermes.nearSide().sideOf(port).other());
            ended = hermes.nearSide().failOver(port, to, cut);
        } else {
            ended =
                    hermes.nearSide()
                            .failOver(side(parameters, hermes.nearSide().near().other()), cut);
        }
        return Map.of("near", hermes.nearSide().near().name(), "connectionsEnded", ended);
    }

    private Object down(Parameters parameters) throws IOException {
        List<GatewayPort> ports = ports(parameters);
        Cut cut = parameters.choice("cut", Cut.class, Cut.RST);
        for (GatewayPort port : ports) {
            port.mode(PortMode.DOWN);
        }
        return ended(ports.stream().mapToInt(port -> port.cut(cut)).sum());
    }

    private Object reset(Parameters parameters) throws IOException {
        List<GatewayPort> ports = ports(parameters);
        for (GatewayPort port : ports) {
            port.mode(PortMode.RESET);
        }
        return ended(ports.stream().mapToInt(port -> port.cut(Cut.RST)).sum());
    }

    private Object blackHole(Parameters parameters) throws IOException {
        List<GatewayPort> ports = ports(parameters);
        if (parameters.choice("flows", Flows.class, Flows.ALL) == Flows.ALL) {
            for (GatewayPort port : ports) {
                port.mode(PortMode.BLACKHOLE);
            }
            return Map.of("connections", ports.stream().mapToInt(GatewayPort::flows).sum());
        }
        return Map.of("connections", ports.stream().mapToInt(GatewayPort::killFlows).sum());
    }

    private Object delay(Parameters parameters) {
        List<GatewayPort> ports = ports(parameters);
        parameters.required("ms");
        long millis = parameters.number("ms", 0, 0, MAX_DELAY_MILLIS);
        ports.forEach(port -> port.delay(millis));
        return Map.of("delayMillis", millis);
    }

    private Object cut(Parameters parameters) {
        Cut cut = parameters.choice("cut", Cut.class, Cut.RST);
        return ended(ports(parameters).stream().mapToInt(port -> port.cut(cut)).sum());
    }

    private Object heal(Parameters parameters) throws IOException {
        List<GatewayPort> ports =
                parameters.optional("role").isPresent()
                        ? ports(parameters)
                        : hermes.gateway().ports();
        Gateway.heal(ports);
        return Map.of("ports", ports.size());
    }

    private static ClusterName side(Parameters parameters, ClusterName otherwise) {
        return parameters.choice("to", SIDES, ClusterName::name, otherwise);
    }

    private List<GatewayPort> ports(Parameters parameters) {
        return ports(
                parameters.choice("role", Role.class, Role::word, null),
                parameters.optionalNumber("port"));
    }

    private List<GatewayPort> ports(Role role, OptionalInt index) {
        List<GatewayPort> ports = hermes.gateway().ports(role, index);
        if (ports.isEmpty()) {
            throw new SandboxException(
                    "port is '%d', expected one of %s of role %s"
                            .formatted(
                                    index.orElse(-1),
                                    hermes.gateway().ports(role).stream()
                                            .map(GatewayPort::index)
                                            .toList(),
                                    role));
        }
        return ports;
    }

    private static Map<String, Object> ended(int connections) {
        return Map.of("connectionsEnded", connections);
    }
}
