package dev.streamconnect.quickstart;

import java.util.List;

/**
 * One topic replication of {@code replications.yaml} as the traffic sees it. The position in {@link
 * #ALL} is part of each message's id.
 *
 * @param name topic of the local Kafka, and the beginning of the topic replication's id
 * @param hermesTopic full name of the topic of Hermes
 * @param partitions of both topics
 * @param share of the traffic, out of {@link #SHARES}
 * @param kind what is special about it
 */
record Flow(String name, String hermesTopic, int partitions, int share, Kind kind) {

    /** What is special about a flow. */
    enum Kind {
        PLAIN,
        /** The topic of Hermes takes 1 MiB a message until its limit is raised. */
        LIMITED,
        /** Only messages whose header severity is critical are to arrive. */
        CRITICAL,
        /** The topic of Hermes is compacted, so every message has to have a key. */
        COMPACTED,
        /** The topic of Hermes is made in the middle of the run. */
        LATE,
        /** From ServiceNow: the traffic goes to Hermes and is to arrive at the local Kafka. */
        FROM
    }

    private static final int MOST_PARTITIONS = 32;

    /** All of them. */
    static final List<Flow> ALL =
            List.of(
                    new Flow("orders", "snc.acme.orders", 4, 6, Kind.PLAIN),
                    new Flow(
                            "shipments", "snc.acme.sn_streamconnect.shipments", 2, 3, Kind.LIMITED),
                    new Flow("alarms", "snc.acme.alarms", 2, 2, Kind.CRITICAL),
                    new Flow("customers", "snc.acme.customers", 1, 1, Kind.COMPACTED),
                    new Flow("returns", "snc.acme.returns", 1, 1, Kind.LATE),
                    new Flow("decisions", "snc.acme.decisions", 4, 4, Kind.FROM));

    /** Sum of the shares. */
    static final int SHARES = ALL.stream().mapToInt(Flow::share).sum();

    /** Position in {@link #ALL} of the one flow of a kind. */
    static int of(Kind kind) {
        for (int flow = 0; flow < ALL.size(); flow++) {
            if (ALL.get(flow).kind() == kind) {
                return flow;
            }
        }
        throw new IllegalArgumentException(kind.name());
    }

    /** Id of the topic replication. */
    String replication() {
        return name + (isFrom() ? "-from-sn" : "-to-sn");
    }

    /** Whether it goes from ServiceNow to the local Kafka. */
    boolean isFrom() {
        return kind == Kind.FROM;
    }

    /** The topic that the traffic goes to. */
    String source() {
        return isFrom() ? hermesTopic : name;
    }

    /**
     * One number for a partition and the cluster that it is on, since Hermes has two.
     *
     * @param cluster {@code A}, {@code B} or {@code LOCAL}
     */
    static int place(String cluster, int partition) {
        return cluster.equals("B") ? MOST_PARTITIONS + partition : partition;
    }

    /** The setting that the topic of Hermes begins with, {@code name=value}. */
    String config() {
        return switch (kind) {
            case LIMITED -> "max.message.bytes=1048576";
            case COMPACTED -> "cleanup.policy=compact";
            case PLAIN, CRITICAL, LATE, FROM -> "cleanup.policy=delete";
        };
    }
}
