package dev.streamconnect.sandbox.gateway;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;

/** All public ports. */
public final class Gateway implements AutoCloseable {

    private final List<GatewayPort> ports;

    /**
     * @param ports in the order of the status table
     */
    public Gateway(List<GatewayPort> ports) {
        this.ports = new CopyOnWriteArrayList<>(ports);
    }

    public List<GatewayPort> ports() {
        return Collections.unmodifiableList(ports);
    }

    /** One more port, which is closed with the others. */
    public void add(GatewayPort port) {
        ports.add(port);
    }

    /** The ports of a role, by rising index. */
    public List<GatewayPort> ports(Role role) {
        return ports.stream()
                .filter(port -> port.role() == role)
                .sorted(Comparator.comparingInt(GatewayPort::index))
                .toList();
    }

    /** All ports of a role, or only the one with an index; empty if there is no such index. */
    public List<GatewayPort> ports(Role role, OptionalInt index) {
        return ports(role).stream()
                .filter(port -> index.isEmpty() || port.index() == index.getAsInt())
                .toList();
    }

    /** Ends every fault: all ports listen and forward without delay. Targets stay as they are. */
    public static void heal(List<GatewayPort> ports) throws IOException {
        for (GatewayPort port : ports) {
            port.delay(0);
            port.mode(PortMode.FORWARD);
        }
    }

    @Override
    public void close() {
        new ArrayList<>(ports).forEach(GatewayPort::close);
    }
}
