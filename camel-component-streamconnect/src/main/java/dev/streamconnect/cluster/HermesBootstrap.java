package dev.streamconnect.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The checked bootstrap lists of an instance, one a role. Immutable; never asks the network.
 *
 * <p>A side that is read alone loses the messages of a fail-over, so both sides are there unless
 * {@link Builder#sides} says otherwise: a list given for one side only gives the other's by the
 * port rules.
 */
public final class HermesBootstrap {

    private final Map<Role, List<HostPort>> lists;
    private final Set<Side> sides;

    private HermesBootstrap(Map<Role, List<HostPort>> lists, Set<Side> sides) {
        this.lists = lists;
        this.sides = sides;
    }

    /** Starts from the lists that follow from the instance's host. */
    public static Builder of(HermesInstance instance) {
        return new Builder(instance);
    }

    /**
     * The list of a role as Kafka clients take it.
     *
     * @throws IllegalArgumentException for a side that is not among {@link #sides()}
     */
    public String servers(Role role) {
        return HostPort.join(entries(role));
    }

    /** The entries of a role, unmodifiable, never empty. */
    public List<HostPort> entries(Role role) {
        List<HostPort> entries = lists.get(role);
        if (entries == null) {
            throw new IllegalArgumentException("sides: " + role.option() + " is not in use");
        }
        return entries;
    }

    /** The sides that are read, unmodifiable, never empty. */
    public Set<Side> sides() {
        return sides;
    }

    /** All hosts in use, in order, without repeats. */
    public List<String> hosts() {
        return lists.values().stream()
                .flatMap(List::stream)
                .map(HostPort::host)
                .distinct()
                .toList();
    }

    @Override
    public String toString() {
        return "HermesBootstrap" + lists;
    }

    /** Collects overrides. Not for use by several threads. */
    public static final class Builder {

        private final HermesInstance instance;
        private final Map<Role, String> given = new EnumMap<>(Role.class);
        private HermesPorts ports = HermesPorts.STANDARD;
        private Set<Side> sides = EnumSet.allOf(Side.class);

        private Builder(HermesInstance instance) {
            this.instance = Objects.requireNonNull(instance, "instance");
        }

        /** Other port rules than those of an instance. */
        public Builder ports(HermesPorts rules) {
            this.ports = Objects.requireNonNull(rules, "rules");
            return this;
        }

        /** Reads these sides only: a visible choice to lose what a fail-over puts on the other. */
        public Builder sides(Set<Side> chosen) {
            if (chosen.isEmpty()) {
                throw new IllegalArgumentException("sides: is empty; use AB, A or B");
            }
            this.sides = EnumSet.copyOf(chosen);
            return this;
        }

        /** Takes this list for the role; null or blank means the derived one. */
        public Builder servers(Role role, String list) {
            if (list != null && !list.isBlank()) {
                given.put(role, list);
            }
            return this;
        }

        /**
         * @throws HermesOptionException with all faults at once
         */
        public HermesBootstrap build() {
            List<String> faults = new ArrayList<>();
            Map<Role, List<HostPort>> explicit = new EnumMap<>(Role.class);
            given.forEach(
                    (role, text) -> {
                        try {
                            explicit.put(role, HostPort.parseList(text));
                        } catch (IllegalArgumentException e) {
                            faults.add(role.option() + ": " + e.getMessage());
                        }
                    });
            explicit.forEach((role, list) -> checkRange(role, list, faults));
            Map<Role, List<HostPort>> lists = new EnumMap<>(Role.class);
            lists.put(Role.PRODUCER, orDefault(Role.PRODUCER, explicit));
            for (Side side : Side.values()) {
                if (sides.contains(side)) {
                    lists.put(side.role(), consumer(side, explicit, faults));
                } else if (given.containsKey(side.role())) {
                    faults.add(
                            side.role().option()
                                    + ": is given, but sides leaves "
                                    + side
                                    + " out; remove it or use sides=AB");
                }
            }
            if (faults.isEmpty()) {
                checkOverlap(lists, faults);
            }
            if (!faults.isEmpty()) {
                throw new HermesOptionException(faults);
            }
            return new HermesBootstrap(
                    Collections.unmodifiableMap(lists), Collections.unmodifiableSet(sides));
        }

        private List<HostPort> consumer(
                Side side, Map<Role, List<HostPort>> explicit, List<String> faults) {
            List<HostPort> other = explicit.get(side.other().role());
            if (given.containsKey(side.role()) || other == null) {
                return orDefault(side.role(), explicit);
            }
            Role from = side.other().role();
            int shift = side.role().firstPort(0) - from.firstPort(0);
            List<HostPort> derived = new ArrayList<>();
            for (HostPort entry : other) {
                if (!from.covers(entry.port(), ports.base())) {
                    if (ports.any()) {
                        faults.add(
                                side.role().option()
                                        + ": is missing and cannot be derived, since port "
                                        + entry.port()
                                        + " of "
                                        + from.option()
                                        + " is outside of "
                                        + ports.range(from)
                                        + "; give it, or read one side only with sides="
                                        + side.other());
                    }
                    return other;
                }
                derived.add(entry.withPort(entry.port() + shift));
            }
            return List.copyOf(derived);
        }

        private List<HostPort> orDefault(Role role, Map<Role, List<HostPort>> explicit) {
            List<HostPort> list = explicit.get(role);
            return list == null ? ports.bootstrap(instance.host(), role) : list;
        }

        private void checkRange(Role role, List<HostPort> list, List<String> faults) {
            for (HostPort entry : list) {
                if (ports.covers(role, entry.port())) {
                    continue;
                }
                boolean producerPort = Role.PRODUCER.covers(entry.port(), ports.base());
                faults.add(
                        role.option()
                                + ": port "
                                + entry.port()
                                + " of "
                                + entry
                                + " is outside of "
                                + ports.range(role)
                                + (producerPort
                                        ? ", it is a producer port: reading there loses the"
                                                + " messages of a fail-over"
                                        : "")
                                + "; correct the port, or set portBase or anyPorts where the ports"
                                + " were moved");
            }
        }

        private static void checkOverlap(Map<Role, List<HostPort>> lists, List<String> faults) {
            List<Role> roles = List.copyOf(lists.keySet());
            for (int i = 0; i < roles.size(); i++) {
                for (int j = i + 1; j < roles.size(); j++) {
                    List<HostPort> first =
                            lists.get(roles.get(i)).stream().map(HostPort::canonical).toList();
                    for (HostPort entry : lists.get(roles.get(j))) {
                        if (first.contains(entry.canonical())) {
                            faults.add(overlap(roles.get(i), roles.get(j), entry));
                        }
                    }
                }
            }
        }

        private static String overlap(Role first, Role second, HostPort entry) {
            String reason =
                    first == Role.PRODUCER
                            ? "reading through a producer port loses the messages of a fail-over"
                            : "side A would be read twice and side B never";
            return second.option()
                    + ": "
                    + entry
                    + " is in "
                    + first.option()
                    + " too, and "
                    + reason
                    + "; give each role its own ports";
        }
    }
}
