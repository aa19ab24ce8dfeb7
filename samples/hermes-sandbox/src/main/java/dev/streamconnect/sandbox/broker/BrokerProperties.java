package dev.streamconnect.sandbox.broker;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * The server settings of one broker: the limits of Hermes on A and B, a usual Kafka for the
 * customer's.
 */
final class BrokerProperties {

    private static final int HERMES_MESSAGE_BYTES = 2_097_152;
    private static final int LOCAL_MESSAGE_BYTES = 10 * 1024 * 1024;
    private static final int HERMES_RETENTION_HOURS = 36;

    private BrokerProperties() {}

    static Properties of(BrokerPlan plan, ServerTls tls) {
        Properties properties = new Properties();
        addNode(properties, plan);
        addListeners(properties, plan);
        addSmallFootprint(properties);
        if (plan.cluster() == ClusterName.LOCAL) {
            addLocalLimits(properties);
        } else {
            addHermesLimits(properties);
            addTls(properties, tls);
            addRights(properties);
        }
        return properties;
    }

    private static void addNode(Properties properties, BrokerPlan plan) {
        properties.put("process.roles", plan.isController() ? "broker,controller" : "broker");
        properties.put("node.id", String.valueOf(plan.nodeId()));
        properties.put(
                "controller.quorum.voters",
                plan.controllerNodeId() + "@127.0.0.1:" + plan.controllerPort());
        properties.put("log.dirs", plan.folder().toString());
    }

    private static void addListeners(Properties properties, BrokerPlan plan) {
        List<String> listeners = new ArrayList<>();
        List<String> advertised = new ArrayList<>();
        List<String> protocols =
                new ArrayList<>(List.of("CONTROLLER:PLAINTEXT", "INTERNAL:PLAINTEXT"));
        if (plan.isController()) {
            listeners.add("CONTROLLER://127.0.0.1:" + plan.controllerPort());
        }
        listeners.add("INTERNAL://127.0.0.1:" + plan.internalPort());
        advertised.add("INTERNAL://127.0.0.1:" + plan.internalPort());
        for (PublicListener listener : plan.listeners()) {
            listeners.add(listener.name() + "://127.0.0.1:" + listener.port());
            advertised.add(
                    listener.name()
                            + "://"
                            + plan.advertisedHost()
                            + ":"
                            + listener.advertisedPort());
            protocols.add(listener.name() + ":" + (listener.tls() ? "SSL" : "PLAINTEXT"));
        }
        properties.put("listeners", String.join(",", listeners));
        properties.put("advertised.listeners", String.join(",", advertised));
        properties.put("listener.security.protocol.map", String.join(",", protocols));
        properties.put("inter.broker.listener.name", "INTERNAL");
        properties.put("controller.listener.names", "CONTROLLER");
    }

    private static void addSmallFootprint(Properties properties) {
        properties.put("num.network.threads", "2");
        properties.put("num.io.threads", "2");
        properties.put("background.threads", "2");
        // the default of 128 MB is taken at the start of each broker
        properties.put("log.cleaner.dedupe.buffer.size", "2097152");
        properties.put("offsets.topic.replication.factor", "1");
        properties.put("offsets.topic.num.partitions", "1");
        properties.put("transaction.state.log.replication.factor", "1");
        properties.put("transaction.state.log.min.isr", "1");
        properties.put("transaction.state.log.num.partitions", "1");
        properties.put("default.replication.factor", "1");
        properties.put("min.insync.replicas", "1");
        properties.put("group.initial.rebalance.delay.ms", "0");
        properties.put("controlled.shutdown.enable", "true");
    }

    private static void addHermesLimits(Properties properties) {
        properties.put("auto.create.topics.enable", "false");
        properties.put("message.max.bytes", String.valueOf(HERMES_MESSAGE_BYTES));
        properties.put("log.retention.hours", String.valueOf(HERMES_RETENTION_HOURS));
    }

    private static void addLocalLimits(Properties properties) {
        properties.put("auto.create.topics.enable", "true");
        properties.put("message.max.bytes", String.valueOf(LOCAL_MESSAGE_BYTES));
    }

    private static void addTls(Properties properties, ServerTls tls) {
        properties.put("ssl.client.auth", "required");
        properties.put("ssl.keystore.type", "PKCS12");
        properties.put("ssl.keystore.location", tls.keyStore().toString());
        properties.put("ssl.keystore.password", tls.password());
        properties.put("ssl.key.password", tls.password());
        properties.put("ssl.truststore.type", "PKCS12");
        properties.put("ssl.truststore.location", tls.trustStore().toString());
        properties.put("ssl.truststore.password", tls.password());
        properties.put("ssl.principal.mapping.rules", "RULE:^CN=([^,]+),OU=hermes.*$/$1/,DEFAULT");
    }

    private static void addRights(Properties properties) {
        properties.put(
                "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        properties.put("allow.everyone.if.no.acl.found", "false");
        // the loopback listeners for administration and between brokers have no certificate
        properties.put("super.users", "User:ANONYMOUS");
    }
}
