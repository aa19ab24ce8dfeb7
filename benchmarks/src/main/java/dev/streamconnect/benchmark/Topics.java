package dev.streamconnect.benchmark;

import dev.streamconnect.benchmark.broker.Broker;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** Topics of a broker. */
final class Topics {

    private static final long LIMIT_SECONDS = 60;

    private final Broker broker;

    Topics(Broker broker) {
        this.broker = broker;
    }

    void create(List<String> names, int partitions, Map<String, String> config) throws Exception {
        broker.admin()
                .createTopics(
                        names.stream()
                                .map(
                                        name ->
                                                new NewTopic(name, partitions, (short) 1)
                                                        .configs(config))
                                .toList())
                .all()
                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Deletes all that are not Kafka's own, and waits until they are gone. */
    void deleteAll() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        for (Set<String> there = names(); !there.isEmpty(); there = names()) {
            try {
                broker.admin().deleteTopics(there).all().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                // Some are gone already; look again.
                if (System.nanoTime() > end) {
                    throw e;
                }
            }
        }
    }

    private Set<String> names() throws Exception {
        Set<String> names =
                new HashSet<>(
                        broker.admin().listTopics().names().get(LIMIT_SECONDS, TimeUnit.SECONDS));
        return names;
    }

    /** Sum of the offsets of all partitions. */
    long sum(List<String> names, int partitions, OffsetSpec which) throws Exception {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        for (String name : names) {
            IntStream.range(0, partitions)
                    .forEach(i -> wanted.put(new TopicPartition(name, i), which));
        }
        return broker
                .admin()
                .listOffsets(wanted)
                .all()
                .get(LIMIT_SECONDS, TimeUnit.SECONDS)
                .values()
                .stream()
                .mapToLong(place -> Math.max(0, place.offset()))
                .sum();
    }
}
