package dev.streamconnect.quickstart;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads the topics of the traffic on one cluster from their start, past the component, with a plain
 * consumer on a thread of its own. Tells the books what arrived there, and where messages from
 * ServiceNow are that have to leave it.
 */
final class ClusterReader implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(100);

    private final Map<String, Integer> flows = new HashMap<>();
    private final Fingerprint fingerprint = new Fingerprint();
    private final LongAdder read = new LongAdder();
    private final Queue<Flow> included = new ConcurrentLinkedQueue<>();
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String cluster;
    private final Books books;
    private final Thread thread;
    private volatile boolean stopping;
    private volatile RuntimeException failure;

    /**
     * @param cluster {@code A}, {@code B} or {@code LOCAL}
     */
    ClusterReader(String cluster, String bootstrapServers, Books books) {
        this.cluster = cluster;
        this.books = books;
        for (int flow = 0; flow < Flow.ALL.size(); flow++) {
            if (!isLocal() || Flow.ALL.get(flow).isFrom()) {
                flows.put(topic(Flow.ALL.get(flow)), flow);
                if (Flow.ALL.get(flow).kind() != Flow.Kind.LATE) {
                    include(Flow.ALL.get(flow));
                }
            }
        }
        this.consumer =
                new KafkaConsumer<>(
                        Map.of(
                                "bootstrap.servers", bootstrapServers,
                                "auto.offset.reset", "earliest",
                                "enable.auto.commit", "false",
                                "allow.auto.create.topics", "false",
                                "client.id", "quickstart-reader-" + cluster),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer());
        this.thread = new Thread(this::run, "reader-" + cluster);
    }

    /** Reads the topic of a flow, too, from its start. */
    void include(Flow flow) {
        included.add(flow);
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    /** Messages read so far. */
    long read() {
        return read.sum();
    }

    /**
     * Reads to the end of what is there now, and ends.
     *
     * @throws QuickstartException if it could not read
     */
    @Override
    public void close() {
        stopping = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        consumer.close();
        if (failure != null) {
            throw new QuickstartException(
                    "the comparison cannot read cluster %s: %s".formatted(cluster, failure));
        }
    }

    private void run() {
        try {
            List<TopicPartition> partitions = new ArrayList<>();
            while (!stopping || !included.isEmpty()) {
                for (Flow flow = included.poll(); flow != null; flow = included.poll()) {
                    for (int partition = 0; partition < flow.partitions(); partition++) {
                        partitions.add(new TopicPartition(topic(flow), partition));
                    }
                    consumer.assign(partitions);
                }
                consumer.poll(POLL).forEach(this::note);
            }
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
                consumer.poll(POLL).forEach(this::note);
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private void note(ConsumerRecord<byte[], byte[]> message) {
        read.increment();
        int flow = flows.get(message.topic());
        MessageId id = MessageId.of(message.headers());
        if (!Flow.ALL.get(flow).isFrom() || isLocal()) {
            books.arrived(
                    flow,
                    id,
                    fingerprint.of(
                            message.timestamp(),
                            message.key(),
                            message.value(),
                            message.headers()));
        } else if (id != null) {
            books.of(flow)
                    .found(
                            id.sequence(),
                            Flow.place(cluster, message.partition()),
                            message.offset());
        }
    }

    private boolean isLocal() {
        return cluster.equals("LOCAL");
    }

    private String topic(Flow flow) {
        return isLocal() ? flow.name() : flow.hermesTopic();
    }
}
