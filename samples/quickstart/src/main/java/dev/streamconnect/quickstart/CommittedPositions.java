package dev.streamconnect.quickstart;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Asks the local Kafka how far the replicator has committed. */
final class CommittedPositions {

    private static final String GROUP = "acme-consumer-plant";
    private static final long LIMIT_SECONDS = 30;

    private CommittedPositions() {}

    /** Positions by flow and partition. */
    static Map<Integer, Map<Integer, Long>> read(String bootstrapServers) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            Map<TopicPartition, OffsetAndMetadata> committed =
                    admin.listConsumerGroupOffsets(GROUP)
                            .partitionsToOffsetAndMetadata()
                            .get(LIMIT_SECONDS, TimeUnit.SECONDS);
            Map<Integer, Map<Integer, Long>> positions = new HashMap<>();
            for (int flow = 0; flow < Flow.ALL.size(); flow++) {
                Map<Integer, Long> partitions = new HashMap<>();
                positions.put(flow, partitions);
                String topic = Flow.ALL.get(flow).name();
                committed.forEach(
                        (partition, offset) -> {
                            if (partition.topic().equals(topic) && offset != null) {
                                partitions.put(partition.partition(), offset.offset());
                            }
                        });
            }
            return positions;
        } catch (ExecutionException | TimeoutException e) {
            throw new QuickstartException("the local Kafka does not tell positions: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuickstartException("interrupted");
        }
    }
}
