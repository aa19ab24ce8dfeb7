package dev.streamconnect.quickstart;

import java.util.List;

/**
 * One topic replication of {@code replications.yaml} as the traffic sees it. The position in {@link
 * #ALL} is part of each message's id.
 *
 * @param replication id of the topic replication
 * @param topic topic of the local Kafka
 * @param hermesTopic full name of the topic of Hermes
 * @param partitions of both topics
 * @param share of the traffic, out of {@link #SHARES}
 * @param criticalOnly whether only messages whose header severity is critical are to arrive
 */
record Flow(
        String replication,
        String topic,
        String hermesTopic,
        int partitions,
        int share,
        boolean criticalOnly) {

    /** All of them. */
    static final List<Flow> ALL =
            List.of(
                    new Flow("orders-to-sn", "orders", "snc.acme.orders", 4, 6, false),
                    new Flow(
                            "shipments-to-sn",
                            "shipments",
                            "snc.acme.sn_streamconnect.shipments",
                            2,
                            3,
                            false),
                    new Flow("alarms-to-sn", "alarms", "snc.acme.alarms", 2, 2, true));

    /** Sum of the shares. */
    static final int SHARES = ALL.stream().mapToInt(Flow::share).sum();
}
