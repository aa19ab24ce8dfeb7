package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.PLANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.record.StartFrom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SourceClientTest {

    private static final TopicPartition FINE = new TopicPartition("fine", 0);
    private static final TopicPartition GONE = new TopicPartition("gone", 0);

    private final MovedClock clock = new MovedClock();
    private final EngineThreads threads = new EngineThreads();
    private final List<HandedConsumer> consumers = new CopyOnWriteArrayList<>();
    private volatile boolean cannotBuild;
    private SourceClient client;

    /** A consumer that the test assigns and that refuses commits of some topics. */
    private static final class HandedConsumer extends MockConsumer<byte[], byte[]> {
        private final Set<String> refusedCommits = ConcurrentHashMap.newKeySet();
        private final Map<TopicPartition, Long> stored = new ConcurrentHashMap<>();
        private volatile boolean positionUnknown;
        private volatile int polls;

        HandedConsumer() {
            super(OffsetResetStrategy.NONE);
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            polls++;
            // The real one waits, and does not hold its lock meanwhile.
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            return super.poll(timeout);
        }

        @Override
        public synchronized long position(TopicPartition partition, Duration timeout) {
            if (positionUnknown) {
                throw new TimeoutException("position is being looked at");
            }
            return super.position(partition, timeout);
        }

        @Override
        public synchronized void commitAsync(
                Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
            boolean refused =
                    offsets.keySet().stream().anyMatch(p -> refusedCommits.contains(p.topic()));
            // The mock's commitSync comes here without a callback.
            OffsetCommitCallback told = callback == null ? (done, error) -> {} : callback;
            if (refused) {
                told.onComplete(offsets, new UnknownTopicOrPartitionException("gone"));
                return;
            }
            offsets.forEach((partition, offset) -> stored.put(partition, offset.offset()));
            told.onComplete(offsets, null);
        }

        void give(TopicPartition partition, long offset) {
            addRecord(
                    new ConsumerRecord<>(
                            partition.topic(), partition.partition(), offset, null, new byte[1]));
        }
    }

    private Consumer<byte[], byte[]> build() {
        if (cannotBuild) {
            throw new IllegalArgumentException("no such host");
        }
        HandedConsumer consumer = new HandedConsumer();
        consumers.add(consumer);
        return consumer;
    }

    private void start(Supplier<Consumer<byte[], byte[]>> supplier) {
        client =
                new SourceClient(
                        PLANT,
                        "test",
                        clock,
                        supplier,
                        new SourceProbe(PLANT, clock, new FakeProbe()));
    }

    /** A link whose route is done at once. */
    private KafkaLink register(String topic) {
        LinkDefinition definition =
                new LinkDefinition(
                        topic,
                        List.of(PLANT),
                        topic,
                        StartFrom.EARLIEST,
                        null,
                        null,
                        LinkOptions.defaults(true));
        KafkaLink link =
                new KafkaLink(
                        definition, Delivery::complete, null, threads, clock, null, (l, d) -> {});
        client.register(link);
        return link;
    }

    private HandedConsumer last() {
        return consumers.get(consumers.size() - 1);
    }

    private void subscribe() {
        client.housekeep();
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return !last().subscription().isEmpty();
                        });
    }

    private void assign(TopicPartition... partitions) {
        HandedConsumer consumer = last();
        for (TopicPartition partition : partitions) {
            consumer.updateBeginningOffsets(Map.of(partition, 0L));
            consumer.updateEndOffsets(Map.of(partition, 1L));
        }
        consumer.schedulePollTask(() -> consumer.rebalance(List.of(partitions)));
        consumer.schedulePollTask(() -> List.of(partitions).forEach(p -> consumer.give(p, 0)));
    }

    @AfterEach
    void stop() {
        cannotBuild = false;
        client.close(Instant.EPOCH);
        threads.close();
    }

    @Test
    @Tag("case-S12")
    @DisplayName(
            "a client that can't be built now, as without DNS, is built later: reading never ends")
    void rebuildFails() {
        start(this::build);
        KafkaLink link = register("fine");
        subscribe();
        HandedConsumer first = last();
        cannotBuild = true;
        first.schedulePollTask(
                () -> {
                    throw new FencedInstanceIdException("fenced");
                });
        await().until(() -> link.monitor().snapshot().reason().contains("no such host"));
        cannotBuild = false;
        await().atMost(Duration.ofSeconds(30)).until(() -> consumers.size() == 2);
        subscribe();
        assign(FINE);
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return last().stored.getOrDefault(FINE, 0L) == 1L;
                        });
        assertThat(link.monitor().snapshot().errorSince()).isNull();
        assertThat(first.closed()).isTrue();
    }

    @Test
    @Tag("case-R8")
    @DisplayName("a topic whose commits fail does not keep those of the others")
    void commitsOfOthers() {
        start(this::build);
        KafkaLink fine = register("fine");
        register("gone");
        subscribe();
        last().refusedCommits.add("gone");
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return last().subscription().size() == 2;
                        });
        assign(FINE, GONE);
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return last().stored.getOrDefault(FINE, 0L) == 1L;
                        });
        assertThat(last().stored).doesNotContainKey(GONE);
        assertThat(fine.monitor().snapshot().messages()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "a position that is not known for a moment, as after a change of leaders, is no failure")
    void positionUnknown() {
        start(this::build);
        KafkaLink link = register("fine");
        subscribe();
        assign(FINE);
        await().until(() -> link.monitor().snapshot().messages() == 1);
        last().positionUnknown = true;
        int before = last().polls;
        await().until(
                        () -> {
                            clock.move(Duration.ofSeconds(2));
                            return last().polls > before + 20;
                        });
        assertThat(link.monitor().snapshot().errorSince()).isNull();
        assertThat(consumers).hasSize(1);
    }

    @Test
    @Tag("case-R5")
    @DisplayName("the lag of a partition that another node reads now is not counted here")
    void lagLeaves() {
        start(this::build);
        KafkaLink link = register("fine");
        subscribe();
        assign(FINE);
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return link.monitor().snapshot().lag() >= 0;
                        });
        HandedConsumer consumer = last();
        consumer.schedulePollTask(() -> consumer.rebalance(List.of()));
        await().until(() -> link.monitor().snapshot().assignedPartitions() == 0);
        assertThat(link.monitor().snapshot().lag()).isEqualTo(-1);
    }
}
