package dev.streamconnect.sandbox.broker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;

/**
 * Topics of one cluster. Leaders go round the brokers, on side B in the opposite order, so that a
 * fail-over finds every leader on the other broker.
 */
public final class Topics {

    private final SandboxCluster cluster;

    public Topics(SandboxCluster cluster) {
        this.cluster = cluster;
    }

    /** Creates a topic and returns when it exists. */
    public void create(String name, int partitions, Map<String, String> config)
            throws ExecutionException, InterruptedException {
        Map<Integer, List<Integer>> leaders = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            leaders.put(partition, List.of(leader(partition)));
        }
        NewTopic topic = new NewTopic(name, leaders).configs(config);
        cluster.admin().createTopics(List.of(topic)).all().get();
    }

    /** Partitions of all topics but one; those of Kafka itself do not count. */
    public int partitionsBeside(String name) throws ExecutionException, InterruptedException {
        Set<String> names = new HashSet<>(cluster.admin().listTopics().names().get());
        names.remove(name);
        return cluster.admin().describeTopics(names).allTopicNames().get().values().stream()
                .mapToInt(topic -> topic.partitions().size())
                .sum();
    }

    public void delete(String name) throws ExecutionException, InterruptedException {
        cluster.admin().deleteTopics(List.of(name)).all().get();
    }

    /** Raises the number of partitions to a total. */
    public void grow(String name, int total) throws ExecutionException, InterruptedException {
        int present =
                cluster.admin()
                        .describeTopics(List.of(name))
                        .allTopicNames()
                        .get()
                        .get(name)
                        .partitions()
                        .size();
        List<List<Integer>> leaders = new ArrayList<>();
        for (int partition = present; partition < total; partition++) {
            leaders.add(List.of(leader(partition)));
        }
        cluster.admin()
                .createPartitions(Map.of(name, NewPartitions.increaseTo(total, leaders)))
                .all()
                .get();
    }

    /** Sets topic settings; an empty value takes a setting back to its default. */
    public void configure(String name, Map<String, String> config)
            throws ExecutionException, InterruptedException {
        Collection<AlterConfigOp> changes =
                config.entrySet().stream()
                        .map(
                                entry ->
                                        new AlterConfigOp(
                                                new ConfigEntry(entry.getKey(), entry.getValue()),
                                                entry.getValue().isEmpty()
                                                        ? AlterConfigOp.OpType.DELETE
                                                        : AlterConfigOp.OpType.SET))
                        .toList();
        cluster.admin()
                .incrementalAlterConfigs(
                        Map.of(new ConfigResource(ConfigResource.Type.TOPIC, name), changes))
                .all()
                .get();
    }

    private int leader(int partition) {
        int count = cluster.brokers().size();
        int index = partition % count;
        int placed = cluster.name() == ClusterName.B ? count - 1 - index : index;
        return cluster.brokers().get(placed).plan().nodeId();
    }
}
