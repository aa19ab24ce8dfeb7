package dev.streamconnect.sandbox;

import dev.streamconnect.sandbox.gateway.Gateway;
import dev.streamconnect.sandbox.gateway.GatewayPort;
import dev.streamconnect.sandbox.gateway.Role;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The ports that clients see, all taken before anything else starts. Each Hermes role has four
 * front ports, and what its brokers advertise beyond them.
 */
final class PublicPorts {

    private static final int FRONT_PORTS = 4;
    private static final Map<Role, Integer> DISTANCE =
            Map.of(Role.PRODUCER, 0, Role.CONSUMER_A, 100, Role.CONSUMER_B, 200);

    // free ports are sought below the range that outgoing connections take theirs from
    private static final int LOWEST_FREE = 10_000;
    private static final int HIGHEST_FREE = 32_000;
    private static final int ATTEMPTS = 100;

    private final SandboxOptions options;
    private final List<GatewayPort> ports;

    private PublicPorts(SandboxOptions options, List<GatewayPort> ports) {
        this.options = options;
        this.ports = ports;
    }

    /**
     * Takes all ports or none.
     *
     * @throws SandboxException naming the port in use and the option that moves it
     */
    static PublicPorts bind(SandboxOptions options) {
        return options.freePorts
                ? bindFree(options)
                : new PublicPorts(options, bind(options, options.basePort, options.localPort));
    }

    Gateway gateway() {
        return new Gateway(ports);
    }

    /** The port of a role that one of its brokers advertises. */
    int advertised(Role role, int broker) {
        return role == Role.LOCAL ? port(role, 0) : port(role, options.advertiseOffset + broker);
    }

    /** The port so far above the first one of its role, whether it is open or not. */
    int number(Role role, int index) {
        return port(role, 0) + index;
    }

    /**
     * Takes one more port.
     *
     * @throws SandboxException if it is in use
     */
    GatewayPort bind(Role role, int index) {
        return bind(
                role,
                index,
                number(role, index),
                role == Role.LOCAL ? "--local-port" : "--base-port");
    }

    /** The front ports of a role as a bootstrap list. */
    String bootstrap(Role role) {
        return ports.stream()
                .filter(port -> port.role() == role && port.index() < FRONT_PORTS)
                .map(port -> options.host + ":" + port.port())
                .collect(Collectors.joining(","));
    }

    private int port(Role role, int index) {
        return ports.stream()
                .filter(port -> port.role() == role && port.index() == index)
                .mapToInt(GatewayPort::port)
                .findFirst()
                .orElseThrow();
    }

    private static PublicPorts bindFree(SandboxOptions options) {
        Random random = new Random();
        SandboxException last = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int base = LOWEST_FREE + random.nextInt((HIGHEST_FREE - LOWEST_FREE) / 300) * 300;
            try {
                return new PublicPorts(options, bind(options, base, base + 290));
            } catch (SandboxException e) {
                last = e;
            }
        }
        throw last;
    }

    private static List<GatewayPort> bind(SandboxOptions options, int base, int local) {
        List<GatewayPort> bound = new ArrayList<>();
        try {
            for (Role role : List.of(Role.PRODUCER, Role.CONSUMER_A, Role.CONSUMER_B)) {
                for (int index : indexes(options)) {
                    int port = base + DISTANCE.get(role) + index;
                    bound.add(bind(role, index, port, "--base-port"));
                }
            }
            bound.add(bind(Role.LOCAL, 0, local, "--local-port"));
            return bound;
        } catch (SandboxException e) {
            bound.forEach(GatewayPort::close);
            throw e;
        }
    }

    private static GatewayPort bind(Role role, int index, int port, String option) {
        try {
            return GatewayPort.bind(role, index, port);
        } catch (IOException e) {
            throw new SandboxException(
                    "port %d (%s) cannot be taken: %s; end what uses it, or choose others with %s or --free-ports"
                            .formatted(port, role, e.getMessage(), option));
        }
    }

    private static List<Integer> indexes(SandboxOptions options) {
        IntStream front = IntStream.range(0, FRONT_PORTS);
        IntStream advertised =
                IntStream.range(
                        options.advertiseOffset, options.advertiseOffset + options.brokersPerSide);
        return IntStream.concat(front, advertised).distinct().sorted().boxed().toList();
    }
}
