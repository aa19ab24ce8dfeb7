package dev.streamconnect.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * The port rules of an instance: three ranges of 51 ports, 100 apart.
 *
 * @param base first port of the producer range, {@value #DEFAULT_BASE} at an instance
 * @param any true takes explicit ports outside of the ranges too, as a sandbox or a tunnel has them
 */
public record HermesPorts(int base, boolean any) {

    /** First producer port of an instance. */
    public static final int DEFAULT_BASE = 4000;

    private static final int MAX_BASE = 65_535 - 250;

    /** The rules of an instance. */
    public static final HermesPorts STANDARD = new HermesPorts(DEFAULT_BASE, false);

    /**
     * @throws IllegalArgumentException if the ranges do not fit below 65536
     */
    public HermesPorts {
        if (base < 1 || base > MAX_BASE) {
            throw new IllegalArgumentException(
                    "portBase: " + base + " leaves no room for the ranges; use 1 to " + MAX_BASE);
        }
    }

    /** The four bootstrap ports of the role at this host, unmodifiable. */
    public List<HostPort> bootstrap(String host, Role role) {
        List<HostPort> entries = new ArrayList<>();
        for (int i = 0; i <= Role.LAST_BOOTSTRAP_PORT; i++) {
            entries.add(new HostPort(host, role.firstPort(base) + i));
        }
        return List.copyOf(entries);
    }

    /** Whether a broker of this role may advertise the port. */
    public boolean covers(Role role, int port) {
        return any || role.covers(port, base);
    }

    /** The ports to open for this role, such as {@code 4100-4150}. */
    public String range(Role role) {
        return role.range(base);
    }
}
