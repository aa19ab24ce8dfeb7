package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.hermes.HermesComponent;
import dev.streamconnect.camel.hermes.HermesConfiguration;
import dev.streamconnect.camel.hermes.HermesSettings;
import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.HermesPorts;
import dev.streamconnect.cluster.Role;
import dev.streamconnect.cluster.TlsMaterial;
import dev.streamconnect.cluster.WatchedTls;
import dev.streamconnect.engine.LinkDefinition;
import dev.streamconnect.engine.LinkOptions;
import dev.streamconnect.preflight.HermesRules;
import dev.streamconnect.preflight.PreflightTarget;
import dev.streamconnect.preflight.TopicUse;
import dev.streamconnect.record.Direction;
import dev.streamconnect.record.KafkaConnection;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.TopicReplication;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.acl.AclOperation;

/** The sides of the connections that topic replications use, each with what they do there. */
final class PreflightTargets {

    private final ReplicationRecords records;
    private final HermesConfiguration form;
    private final int maxTopicPartitions;
    private final int maxPartitions;
    private final HermesSettings hermes;
    private final AtomicReference<String> hermesFault = new AtomicReference<>();

    /**
     * @throws IllegalArgumentException if the options of {@code hermes:} are wrong otherwise than
     *     in their stores; one line a fault
     */
    PreflightTargets(ReplicationRecords records, HermesComponent component) {
        this.records = records;
        this.form = component.getConfiguration();
        this.maxTopicPartitions = component.getMaxTopicPartitions();
        this.maxPartitions = component.getMaxPartitions();
        this.hermes = component.settingsToJudge(hermesFault::set);
    }

    /** Those of these topic replications; Hermes always. The customer's come first. */
    List<PreflightTarget> of(List<TopicReplication> replications) {
        Map<String, Customer> customers = new LinkedHashMap<>();
        Uses sent = new Uses();
        Uses onSides = new Uses();
        for (TopicReplication replication : replications) {
            KafkaConnection connection = records.connectionOf(replication).orElseThrow();
            Customer customer =
                    customers.computeIfAbsent(connection.id(), id -> new Customer(connection));
            TopicReplicationLinks links =
                    new TopicReplicationLinks(records, hermes, customer.connections);
            LinkDefinition link = links.link(replication, LinkOptions.defaults(true));
            int largest = links.maxMessageBytes(replication);
            if (replication.direction() == Direction.TO_SERVICENOW) {
                customer.uses.reads(link, replication, largest);
                sent.writes(link, replication, largest);
                onSides.writes(link, replication, largest);
            } else {
                onSides.reads(link, replication, largest);
                customer.uses.writes(link, replication, largest);
            }
        }
        List<PreflightTarget> targets = new ArrayList<>();
        customers.values().forEach(each -> targets.add(each.target()));
        targets.add(hermes(hermes.producer(), sent));
        hermes.consumers(null).forEach(side -> targets.add(hermes(side, onSides)));
        return targets;
    }

    private PreflightTarget hermes(ConnectionSettings settings, Uses uses) {
        return new PreflightTarget(
                settings,
                new HermesRules(
                        hermes.instance(),
                        new HermesPorts(form.getPortBase(), form.isAnyPorts()),
                        ports(settings.role()),
                        form.isAllowInstanceMismatch(),
                        maxTopicPartitions,
                        maxPartitions),
                hermesFault.get(),
                uses.topics,
                uses.groups);
    }

    private static Role ports(ClientRole role) {
        return switch (role) {
            case HERMES_A -> Role.CONSUMER_A;
            case HERMES_B -> Role.CONSUMER_B;
            case HERMES_PRODUCER, CUSTOMER -> Role.PRODUCER;
        };
    }

    /** A connection with what its topic replications do there. */
    private static final class Customer {

        private final AtomicReference<String> fault = new AtomicReference<>();
        private final CustomerConnections connections =
                new CustomerConnections(
                        options -> {
                            try {
                                return WatchedTls.fixed(TlsMaterial.loadOfAnyTime(options));
                            } catch (IllegalArgumentException e) {
                                fault.set(e.getMessage());
                                return WatchedTls.fixed(TlsMaterial.none());
                            }
                        });
        private final KafkaConnection connection;
        private final Uses uses = new Uses();

        private Customer(KafkaConnection connection) {
            this.connection = connection;
        }

        private PreflightTarget target() {
            return new PreflightTarget(
                    connections.settings(connection, null),
                    null,
                    fault.get(),
                    uses.topics,
                    uses.groups);
        }
    }

    /** Topics and groups of one side. */
    private static final class Uses {

        private final List<TopicUse> topics = new ArrayList<>();
        private final List<String> groups = new ArrayList<>();

        private void reads(LinkDefinition link, TopicReplication replication, int largest) {
            add(link.sourceTopic(), AclOperation.READ, replication, largest);
            String group = link.sources().get(0).groupId();
            if (!groups.contains(group)) {
                groups.add(group);
            }
        }

        private void writes(LinkDefinition link, TopicReplication replication, int largest) {
            add(link.destinationTopic(), AclOperation.WRITE, replication, largest);
        }

        private void add(
                String topic, AclOperation right, TopicReplication replication, int largest) {
            topics.add(new TopicUse(topic, right, largest, List.of(replication.id())));
        }
    }
}
