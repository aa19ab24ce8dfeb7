package dev.streamconnect.sandbox.control;

import dev.streamconnect.sandbox.LocalHermes;
import dev.streamconnect.sandbox.broker.ClusterName;
import dev.streamconnect.sandbox.broker.SandboxCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupListing;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** The positions of all consumer groups, as Kafka's own command for groups shows them. */
final class GroupReport {

    private final LocalHermes hermes;

    GroupReport(LocalHermes hermes) {
        this.hermes = hermes;
    }

    void register(Map<String, Action> actions) {
        actions.put("/groups", Action.get(parameters -> report()));
    }

    private List<Map<String, Object>> report() throws ExecutionException, InterruptedException {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (ClusterName name : ClusterName.values()) {
            SandboxCluster cluster = hermes.cluster(name);
            List<String> groups =
                    cluster.admin().listConsumerGroups().all().get().stream()
                            .map(ConsumerGroupListing::groupId)
                            .sorted()
                            .toList();
            for (String group : groups) {
                addPositions(rows, name, cluster.admin(), group);
            }
        }
        return rows;
    }

    private static void addPositions(
            List<Map<String, Object>> rows, ClusterName cluster, Admin admin, String group)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> positions =
                admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        positions.keySet().forEach(partition -> asked.put(partition, OffsetSpec.latest()));
        Map<TopicPartition, ListOffsetsResultInfo> ends = admin.listOffsets(asked).all().get();
        Map<String, Map<String, Object>> ordered = new TreeMap<>();
        positions.forEach(
                (partition, position) -> {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("cluster", cluster.name());
                    row.put("group", group);
                    row.put("topic", partition.topic());
                    row.put("partition", partition.partition());
                    row.put("position", position.offset());
                    row.put("end", ends.get(partition).offset());
                    ordered.put("%s %05d".formatted(partition.topic(), partition.partition()), row);
                });
        rows.addAll(ordered.values());
    }
}
