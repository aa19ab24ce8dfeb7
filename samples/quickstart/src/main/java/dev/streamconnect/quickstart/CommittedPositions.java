package dev.streamconnect.quickstart;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Asks the clusters how far the replicator has committed. */
final class CommittedPositions {

    private static final long LIMIT_SECONDS = 30;

    private CommittedPositions() {}

    /** Positions by flow and place. */
    static Map<Integer, Map<Integer, Long>> read(LocalHermes hermes) {
        Map<Integer, Map<Integer, Long>> positions = new HashMap<>();
        for (int flow = 0; flow < Flow.ALL.size(); flow++) {
            positions.put(flow, new HashMap<>());
        }
        for (String cluster : List.of("LOCAL", "A", "B")) {
            boolean from = !cluster.equals("LOCAL");
            read(hermes.internal(cluster), from ? "snc.acme.plant" : "acme-consumer-plant")
                    .forEach(
                            (partition, offset) -> {
                                int flow = flow(from, partition.topic());
                                if (flow >= 0 && offset != null) {
                                    positions
                                            .get(flow)
                                            .put(
                                                    Flow.place(cluster, partition.partition()),
                                                    offset.offset());
                                }
                            });
        }
        return positions;
    }

    private static Map<TopicPartition, OffsetAndMetadata> read(
            String bootstrapServers, String group) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            return admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new QuickstartException("a cluster does not tell positions: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuickstartException("interrupted");
        }
    }

    /** The flow that leaves this topic; -1 if there is none. */
    private static int flow(boolean from, String topic) {
        for (int flow = 0; flow < Flow.ALL.size(); flow++) {
            if (Flow.ALL.get(flow).isFrom() == from && Flow.ALL.get(flow).source().equals(topic)) {
                return flow;
            }
        }
        return -1;
    }
}
