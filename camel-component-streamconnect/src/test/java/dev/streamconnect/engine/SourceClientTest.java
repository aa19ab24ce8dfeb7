package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.PLANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.cluster.BrokerPing;
import dev.streamconnect.engine.ReplayedPartition.Outcome;
import dev.streamconnect.record.StartFrom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SourceClientTest {

    private static final TopicPartition FINE = new TopicPartition("fine", 0);
    private static final String TOO_OLD = "the broker is too old: broker < 2.1, or < 2.3";
    private static final TopicPartition GONE = new TopicPartition("gone", 0);

    private final MovedClock clock = new MovedClock();
    private final EngineThreads threads = new EngineThreads();
    private final List<HandedConsumer> consumers = new CopyOnWriteArrayList<>();
    private final AtomicInteger leaves = new AtomicInteger();
    private volatile BrokerPing.Answer ping = BrokerPing.Answer.ANSWERED;
    private final OutageGate gate = new OutageGate(() -> ping, clock);
    private volatile boolean cannotBuild;
    private SourceClient client;

    /** A consumer that the test assigns and that refuses commits of some topics. */
    private static final class HandedConsumer extends MockConsumer<byte[], byte[]> {
        private final Set<String> refusedCommits = ConcurrentHashMap.newKeySet();
        private final Map<TopicPartition, Long> stored = new ConcurrentHashMap<>();
        private final List<Runnable> heldCommits = new CopyOnWriteArrayList<>();
        private volatile boolean holdsCommits;
        private volatile boolean positionUnknown;
        private volatile int positionsAsked;
        private volatile int polls;
        private final Map<String, Double> totals = new ConcurrentHashMap<>();
        private volatile Runnable beforePoll = () -> {};

        HandedConsumer() {
            super(OffsetResetStrategy.NONE);
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            polls++;
            beforePoll.run();
            // The real one waits, and does not hold its lock meanwhile.
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            return super.poll(timeout);
        }

        @Override
        public synchronized long position(TopicPartition partition, Duration timeout) {
            if (positionUnknown) {
                positionsAsked++;
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
            Runnable commit =
                    () -> {
                        offsets.forEach(
                                (partition, offset) -> stored.put(partition, offset.offset()));
                        told.onComplete(offsets, null);
                    };
            if (holdsCommits) {
                heldCommits.add(commit);
            } else {
                commit.run();
            }
        }

        /** What the client counts of its connections. */
        @Override
        public synchronized Map<MetricName, ? extends Metric> metrics() {
            Map<MetricName, Metric> metrics = new HashMap<>();
            for (String name : List.of("incoming-byte-total", "connection-close-total")) {
                MetricName key = new MetricName(name, "consumer-metrics", "", Map.of());
                metrics.put(key, new Total(key, totals));
            }
            return metrics;
        }

        void give(TopicPartition partition, long offset) {
            give(partition, offset, 1);
        }

        void give(TopicPartition partition, long offset, int bytes) {
            addRecord(
                    new ConsumerRecord<>(
                            partition.topic(),
                            partition.partition(),
                            offset,
                            0L,
                            TimestampType.CREATE_TIME,
                            -1,
                            bytes,
                            null,
                            new byte[bytes],
                            new RecordHeaders(),
                            Optional.empty()));
        }
    }

    private record Total(MetricName metricName, Map<String, Double> totals) implements Metric {

        @Override
        public Object metricValue() {
            return totals.getOrDefault(metricName.name(), 0.0);
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
                        gate,
                        supplier,
                        leaves::incrementAndGet,
                        new SourceProbe(PLANT, "me", clock, new FakeProbe()),
                        new SourceMemory(null, PLANT));
    }

    /** A link whose route is done at once. */
    private KafkaLink register(String topic) {
        return register(topic, Delivery::complete);
    }

    private KafkaLink register(String topic, DeliveryHandler route) {
        LinkDefinition definition =
                new LinkDefinition(
                        topic,
                        List.of(PLANT),
                        topic,
                        StartFrom.EARLIEST,
                        null,
                        null,
                        LinkOptions.defaults(true));
        KafkaLink link = new KafkaLink(definition, route, null, threads, clock, null, (l, d) -> {});
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
    @Tag("case-S12")
    @DisplayName(
            "a client that has lost every broker ends, and the next one is built when one answers;"
                    + " its place in the group is kept meanwhile and given up at the end")
    void lostEveryBroker() {
        start(this::build);
        KafkaLink link = register("fine");
        subscribe();
        HandedConsumer first = last();
        assign(FINE);
        await().until(() -> link.monitor().snapshot().messages() == 1);
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return link.monitor().snapshot().lag() == 0;
                        });
        client.housekeep();
        ping = BrokerPing.Answer.NONE;
        first.totals.put("connection-close-total", 4.0);
        await().until(
                        () -> {
                            clock.move(Duration.ofSeconds(1));
                            client.housekeep();
                            return first.closed();
                        });
        await().until(
                        () -> {
                            clock.move(Duration.ofSeconds(1));
                            client.housekeep();
                            return link.monitor().snapshot().reason().contains("does not answer");
                        });
        assertThat(consumers).hasSize(1);
        assertThat(link.monitor().snapshot().lag()).as("what was seen last").isZero();
        assertThat(link.monitor().snapshot().notice()).startsWith("lag has what was seen last, at");
        ping = BrokerPing.Answer.ANSWERED;
        await().until(
                        () -> {
                            clock.move(Duration.ofSeconds(1));
                            return consumers.size() == 2;
                        });
        subscribe();
        assertThat(leaves).hasValue(0);
        last().schedulePollTask(() -> last().rebalance(List.of()));
        await("another node has it").until(() -> link.monitor().snapshot().lag() == -1);
        // With its time over the close does not wait for the poll thread.
        client.close(Instant.EPOCH);
        await().until(() -> leaves.get() == 1);
    }

    @Test
    @DisplayName("a client that was given up is asked nothing, and none is built past the gate")
    void givenUpWhileAsked() throws InterruptedException {
        start(this::build);
        KafkaLink link = register("fine");
        subscribe();
        HandedConsumer first = last();
        assign(FINE);
        client.housekeep();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch polls = new CountDownLatch(1);
        first.beforePoll =
                () -> {
                    polls.countDown();
                    assertThatCode(asked::await).doesNotThrowAnyException();
                };
        assertThat(polls.await(30, TimeUnit.SECONDS)).isTrue();
        ping = BrokerPing.Answer.NONE;
        first.totals.put("connection-close-total", 4.0);
        for (int second = 0; second < 10; second++) {
            clock.move(Duration.ofSeconds(1));
            client.housekeep();
        }
        client.askEnds(link, (ends, latest) -> {});
        asked.countDown();
        await().until(first::closed);
        for (int turn = 0; turn < 20; turn++) {
            client.askEnds(link, (ends, latest) -> {});
            Thread.onSpinWait();
        }
        await().until(
                        () -> {
                            clock.move(Duration.ofSeconds(1));
                            client.housekeep();
                            return link.monitor().snapshot().reason().contains("does not answer");
                        });
        assertThat(consumers).hasSize(1);
        assertThat(link.monitor().snapshot().reason()).doesNotContain("reading fails");
    }

    @Test
    @Tag("case-S15")
    @DisplayName(
            "S15: a broker that is too old stays in the status, though each new client polls for a"
                    + " while, and they become rare")
    void tooOld() {
        Runnable refuse =
                () -> {
                    throw new UnsupportedVersionException("no JOIN_GROUP with such an instance id");
                };
        start(
                () -> {
                    HandedConsumer consumer = (HandedConsumer) build();
                    // The first polls find the coordinator.
                    consumer.beforePoll =
                            () ->
                                    Optional.of(consumer.polls)
                                            .filter(p -> p > 3)
                                            .ifPresent(p -> refuse.run());
                    return consumer;
                });
        KafkaLink link = register("fine");
        client.housekeep();
        // It may be gone again before anybody has seen it subscribed.
        await().atMost(Duration.ofMinutes(1))
                .until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return link.monitor().snapshot().reason().contains(TOO_OLD);
                        });
        await().atMost(Duration.ofMinutes(2))
                .until(
                        () -> {
                            // For the new consumer's subscription.
                            clock.move(Duration.ofMillis(20));
                            assertThat(link.monitor().snapshot().reason()).contains(TOO_OLD);
                            return consumers.size() >= 3;
                        });
    }

    @Test
    @Tag("case-H17")
    @DisplayName("with a pace it polls on while it waits, reads nothing meanwhile, and says so")
    void paced() {
        start(this::build);
        client.pacedBy(new Pace("limit", 1_000, () -> clock.instant().toEpochMilli() * 1_000_000));
        KafkaLink link = register("fine");
        subscribe();
        assign(FINE);
        await().until(() -> link.monitor().snapshot().messages() == 1);
        HandedConsumer consumer = last();
        consumer.schedulePollTask(() -> consumer.give(FINE, 1, 60_100));
        await().until(() -> link.monitor().snapshot().messages() == 2);
        consumer.schedulePollTask(() -> consumer.give(FINE, 2));
        int polls = consumer.polls;
        await().until(() -> consumer.polls > polls + 20);
        assertThat(consumer.paused()).containsExactly(FINE);
        assertThat(link.monitor().snapshot().messages()).isEqualTo(2);
        link.monitor().lag("test", 1);
        for (int i = 0; i < 40; i++) {
            clock.move(Duration.ofMillis(250));
            consumer.totals.put("incoming-byte-total", i + 1.0);
            client.housekeep();
        }
        assertThat(link.monitor().snapshot().state()).isEqualTo(LinkState.THROTTLED);
        clock.move(Duration.ofSeconds(51));
        await().until(() -> link.monitor().snapshot().messages() == 3);
        assertThat(consumer.paused()).isEmpty();
    }

    @Test
    @DisplayName("a client that reads no topic any more leaves its group, so that others take over")
    void readsNothing() {
        start(this::build);
        KafkaLink link = register("fine");
        subscribe();
        client.unregister(link, Duration.ofSeconds(1));
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return leaves.get() == 1;
                        });
        client.close(Instant.EPOCH);
        assertThat(leaves).hasValue(1);
    }

    @Test
    @DisplayName(
            "a topic that was paused, leaves and is back before the subscription changes is read")
    void leavesAndComesBack() {
        start(this::build);
        KafkaLink before = register("fine");
        register("gone");
        subscribe();
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return last().subscription().size() == 2;
                        });
        assign(FINE, GONE);
        await().until(() -> before.monitor().snapshot().messages() == 1);
        before.pause();
        await().until(() -> last().paused().contains(FINE));
        client.unregister(before, Duration.ofSeconds(1));
        clock.move(Duration.ofMillis(900));
        int polls = last().polls;
        await().until(() -> last().polls > polls + 1);
        assertThat(last().subscription()).as("no rebalance yet").contains("fine");

        KafkaLink after = register("fine");
        client.housekeep();
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return after.monitor().snapshot().assignedPartitions() == 1;
                        });
        await().until(() -> last().paused().isEmpty());
        last().schedulePollTask(() -> last().give(FINE, 1));
        await().until(() -> after.monitor().snapshot().messages() == 1);
        assertThat(last().subscription()).containsExactlyInAnyOrder("fine", "gone");
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
    @DisplayName("positions of a source without messages are stored again before they expire")
    void keepsPositions() {
        start(this::build);
        register("fine");
        subscribe();
        assign(FINE);
        HandedConsumer consumer = last();
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return consumer.stored.getOrDefault(FINE, 0L) == 1L;
                        });
        consumer.stored.clear();
        int before = consumer.polls;
        await().until(
                        () -> {
                            clock.move(Duration.ofSeconds(2));
                            return consumer.polls > before + 20;
                        });
        assertThat(consumer.stored).isEmpty();
        clock.move(SourceCommits.KEEP_POSITIONS);
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return consumer.stored.getOrDefault(FINE, 0L) == 1L;
                        });
    }

    @Test
    @DisplayName("a position that the broker has lost meanwhile is remembered")
    void remembersPositions() {
        start(this::build);
        KafkaLink link = register("fine");
        subscribe();
        HandedConsumer first = last();
        assign(FINE);
        await().until(() -> link.monitor().snapshot().messages() == 1);
        first.schedulePollTask(
                () -> {
                    throw new FencedInstanceIdException("fenced");
                });
        await().atMost(Duration.ofSeconds(30)).until(() -> consumers.size() == 2);
        subscribe();
        HandedConsumer second = last();
        assertThat(second.committed(Set.of(FINE))).isEmpty();
        second.updateBeginningOffsets(Map.of(FINE, 0L));
        second.updateEndOffsets(Map.of(FINE, 2L));
        second.schedulePollTask(() -> second.rebalance(List.of(FINE)));
        second.schedulePollTask(() -> List.of(0, 1).forEach(o -> second.give(FINE, o)));
        await().until(() -> link.monitor().snapshot().messages() == 2);
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return second.stored.getOrDefault(FINE, 0L) == 2L;
                        });
        assertThat(link.monitor().snapshot().messages()).isEqualTo(2);
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
        // A failure would be over as soon as a poll works again, so each poll looks for itself.
        List<String> seen = new CopyOnWriteArrayList<>();
        HandedConsumer consumer = last();
        consumer.beforePoll =
                () -> {
                    if (link.monitor().snapshot().errorSince() != null) {
                        seen.add(link.monitor().snapshot().reason());
                    }
                };
        consumer.positionUnknown = true;
        await().until(
                        () -> {
                            clock.move(Duration.ofSeconds(2));
                            return consumer.positionsAsked >= 3;
                        });
        int before = consumer.polls;
        await().until(() -> consumer.polls > before + 1);
        assertThat(seen).isEmpty();
        assertThat(consumers).hasSize(1);
    }

    @Test
    @Tag("case-O13")
    @DisplayName("a partition leaves when what is on its way is settled and committed")
    void revoked() {
        BlockingQueue<Delivery> inRoute = new LinkedBlockingQueue<>();
        start(this::build);
        register("fine", inRoute::add);
        subscribe();
        assign(FINE);
        await().until(() -> !inRoute.isEmpty());
        HandedConsumer consumer = last();
        consumer.schedulePollTask(() -> consumer.rebalance(List.of()));
        await("the poll thread waits for the route")
                .until(() -> waitsForTheRoute("streamconnect-poll-test"));
        assertThat(consumer.stored).doesNotContainEntry(FINE, 1L);
        inRoute.remove().complete();
        await().until(() -> consumer.assignment().isEmpty());
        assertThat(consumer.stored).containsEntry(FINE, 1L);
    }

    @Test
    @Tag("case-O13")
    @DisplayName("a topic leaves at a stop when what is on its way is settled and committed")
    void stopped() throws Exception {
        BlockingQueue<Delivery> inRoute = new LinkedBlockingQueue<>();
        start(this::build);
        KafkaLink link = register("fine", inRoute::add);
        subscribe();
        assign(FINE);
        await().until(() -> !inRoute.isEmpty());
        Thread stop =
                new Thread(() -> client.unregister(link, Duration.ofSeconds(30)), "test-stop");
        stop.start();
        await("the stop waits for the route").until(() -> waitsForTheRoute("test-stop"));
        assertThat(last().stored).doesNotContainEntry(FINE, 1L);
        inRoute.remove().complete();
        stop.join(30_000);
        assertThat(last().stored).containsEntry(FINE, 1L);
        assertThat(client.hasTopics()).isFalse();
    }

    @Test
    @Tag("case-S3")
    @DisplayName(
            "a renewed certificate: what is on its way is settled and committed, then a new consumer goes on")
    void handsOver() {
        BlockingQueue<Delivery> inRoute = new LinkedBlockingQueue<>();
        start(this::build);
        register("fine", inRoute::add);
        subscribe();
        assign(FINE);
        await().until(() -> !inRoute.isEmpty());
        HandedConsumer first = last();
        client.renewed();
        inRoute.remove().complete();
        await().until(() -> consumers.size() == 2);
        assertThat(first.stored).containsEntry(FINE, 1L);
        assertThat(first.closed()).isTrue();
        assertThat(leaves).as("its place in the group stays").hasValue(0);
        subscribe();
        assertThat(last().subscription()).containsExactly("fine");
    }

    private static boolean waitsForTheRoute(String name) {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().equals(name))
                .flatMap(thread -> Arrays.stream(thread.getValue()))
                .anyMatch(frame -> frame.getMethodName().equals("awaitQuiet"));
    }

    @Test
    @Tag("case-O21")
    @DisplayName("while a route holds its messages, its partition is paused and polling goes on")
    void slowRoute() {
        CountDownLatch route = new CountDownLatch(1);
        start(this::build);
        register(
                "fine",
                delivery -> {
                    try {
                        route.await();
                        delivery.complete();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        subscribe();
        HandedConsumer consumer = last();
        consumer.updateBeginningOffsets(Map.of(FINE, 0L));
        consumer.updateEndOffsets(Map.of(FINE, 6L));
        consumer.schedulePollTask(() -> consumer.rebalance(List.of(FINE)));
        consumer.schedulePollTask(
                () -> {
                    for (int offset = 0; offset < 6; offset++) {
                        consumer.give(FINE, offset, 1024 * 1024);
                    }
                });
        try {
            await().until(() -> consumer.paused().contains(FINE));
            int before = consumer.polls;
            await().until(() -> consumer.polls > before + 20);
        } finally {
            route.countDown();
        }
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return consumer.stored.getOrDefault(FINE, 0L) == 6L;
                        });
        await().until(() -> consumer.paused().isEmpty());
    }

    /** Reads 0 to 2 of a partition and commits 3. */
    private HandedConsumer readThree(KafkaLink link) {
        subscribe();
        HandedConsumer consumer = last();
        consumer.updateBeginningOffsets(Map.of(FINE, 0L));
        consumer.updateEndOffsets(Map.of(FINE, 3L));
        consumer.schedulePollTask(() -> consumer.rebalance(List.of(FINE)));
        consumer.schedulePollTask(() -> giveThree(consumer));
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return consumer.stored.getOrDefault(FINE, 0L) == 3L;
                        });
        assertThat(link.monitor().snapshot().messages()).isEqualTo(3);
        return consumer;
    }

    private static void giveThree(HandedConsumer consumer) {
        for (int offset = 0; offset < 3; offset++) {
            consumer.give(FINE, offset);
        }
    }

    private CompletableFuture<List<ReplayedPartition>> replay(
            KafkaLink link, ReplayFrom from, Integer partition) {
        CompletableFuture<List<ReplayedPartition>> answer = new CompletableFuture<>();
        client.replay(link, from, partition, Duration.ofMinutes(5), answer);
        return answer;
    }

    private List<ReplayedPartition> ended(CompletableFuture<List<ReplayedPartition>> answer) {
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return answer.isDone();
                        });
        return answer.join();
    }

    private static ReplayedPartition replayed(Outcome outcome, long from, long to) {
        return new ReplayedPartition(null, 0, outcome, from, to, "");
    }

    @Test
    @Tag("case-O23")
    @DisplayName("a replay moves the position of the group back, and all is read again")
    void replay() {
        start(this::build);
        KafkaLink link = register("fine");
        HandedConsumer consumer = readThree(link);
        assertThat(ended(replay(link, new ReplayFrom.Offset(1), 0)))
                .containsExactly(replayed(Outcome.MOVED, 3, 1));
        assertThat(consumer.stored).containsEntry(FINE, 1L);
        consumer.schedulePollTask(
                () -> {
                    consumer.give(FINE, 1);
                    consumer.give(FINE, 2);
                });
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return consumer.stored.get(FINE) == 3L;
                        });
        assertThat(link.monitor().snapshot().messages()).isEqualTo(5);
        List<ReplayedPartition> all = ended(replay(link, new ReplayFrom.Earliest(), null));
        assertThat(all).extracting(ReplayedPartition::partition).containsExactly(0, 1, 2, 3);
        assertThat(all.get(0)).isEqualTo(replayed(Outcome.MOVED, 3, 0));
        assertThat(all.subList(1, 4))
                .extracting(ReplayedPartition::outcome)
                .containsOnly(Outcome.NOT_OWNED);
        assertThat(ended(replay(link, new ReplayFrom.Earliest(), 0)))
                .as("again")
                .containsExactly(replayed(Outcome.UNCHANGED, 0, 0));
    }

    @Test
    @DisplayName("a replay goes back only, and moves nothing that it does not read")
    void replayRefused() {
        start(this::build);
        KafkaLink link = register("fine");
        HandedConsumer consumer = readThree(link);
        CompletableFuture<List<ReplayedPartition>> ahead =
                replay(link, new ReplayFrom.Offset(4), 0);
        await().until(ahead::isDone);
        assertThatThrownBy(ahead::join)
                .hasRootCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "replayFrom: offset 4 is ahead of the position of fine-0, 3; going there would skip messages");
        CompletableFuture<List<ReplayedPartition>> absent =
                replay(link, new ReplayFrom.Earliest(), 7);
        await().until(absent::isDone);
        assertThatThrownBy(absent::join).hasMessageContaining("there is no partition 7; fine has");
        assertThat(ended(replay(link, new ReplayFrom.Offset(3), 0)))
                .containsExactly(replayed(Outcome.UNCHANGED, 3, 3));
        assertThat(consumer.stored).containsEntry(FINE, 3L);
        consumer.schedulePollTask(() -> consumer.rebalance(List.of()));
        await().until(() -> link.monitor().snapshot().assignedPartitions() == 0);
        assertThat(ended(replay(link, new ReplayFrom.Earliest(), 0)))
                .extracting(ReplayedPartition::outcome)
                .containsExactly(Outcome.NOT_OWNED);
        assertThat(consumer.stored).containsEntry(FINE, 3L);
    }

    @Test
    @DisplayName("a commit that is under way does not come after the position of a replay")
    void replayAfterACommit() {
        start(this::build);
        KafkaLink link = register("fine");
        HandedConsumer consumer = readThree(link);
        consumer.holdsCommits = true;
        consumer.schedulePollTask(() -> consumer.give(FINE, 3));
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return !consumer.heldCommits.isEmpty();
                        });
        CompletableFuture<List<ReplayedPartition>> answer =
                replay(link, new ReplayFrom.Earliest(), 0);
        int before = consumer.polls;
        await().until(() -> consumer.polls > before + 20);
        assertThat(answer).isNotDone();
        assertThat(consumer.heldCommits).as("of 4, and none of 0 beside it").hasSize(1);
        consumer.holdsCommits = false;
        consumer.schedulePollTask(() -> consumer.heldCommits.remove(0).run());
        assertThat(ended(answer)).containsExactly(replayed(Outcome.MOVED, 4, 0));
        assertThat(consumer.stored).containsEntry(FINE, 0L);
    }

    @Test
    @DisplayName("a replay waits for the route; a partition that leaves meanwhile is not moved")
    void replayWaits() {
        BlockingQueue<Delivery> inRoute = new LinkedBlockingQueue<>();
        start(this::build);
        KafkaLink link = register("fine", inRoute::add);
        subscribe();
        assign(FINE);
        await().until(() -> !inRoute.isEmpty());
        inRoute.remove().complete();
        HandedConsumer consumer = last();
        consumer.schedulePollTask(() -> consumer.give(FINE, 1));
        await().until(() -> !inRoute.isEmpty());
        CompletableFuture<List<ReplayedPartition>> answer =
                replay(link, new ReplayFrom.Earliest(), 0);
        int before = consumer.polls;
        await().until(() -> consumer.polls > before + 20);
        assertThat(answer).isNotDone();
        inRoute.remove().complete();
        assertThat(ended(answer).get(0).outcome()).isEqualTo(Outcome.MOVED);

        consumer.schedulePollTask(() -> consumer.give(FINE, 0));
        await().until(() -> !inRoute.isEmpty());
        inRoute.remove().complete();
        consumer.schedulePollTask(() -> consumer.give(FINE, 1));
        await().until(() -> !inRoute.isEmpty());
        CompletableFuture<List<ReplayedPartition>> leaving =
                replay(link, new ReplayFrom.Earliest(), 0);
        int later = consumer.polls;
        await().until(() -> consumer.polls > later + 5);
        consumer.schedulePollTask(() -> consumer.rebalance(List.of()));
        await().until(() -> waitsForTheRoute("streamconnect-poll-test"));
        inRoute.remove().complete();
        assertThat(ended(leaving).get(0).outcome()).isEqualTo(Outcome.NOT_MOVED);
        assertThat(consumer.stored).containsEntry(FINE, 2L);
    }

    @Test
    @DisplayName("a replay whose messages come to no end is given up, and they go on")
    void replayGivenUp() {
        BlockingQueue<Delivery> inRoute = new LinkedBlockingQueue<>();
        start(this::build);
        KafkaLink link = register("fine", inRoute::add);
        subscribe();
        assign(FINE);
        await().until(() -> !inRoute.isEmpty());
        inRoute.remove().complete();
        HandedConsumer consumer = last();
        consumer.schedulePollTask(() -> consumer.give(FINE, 1));
        await().until(() -> !inRoute.isEmpty());
        CompletableFuture<List<ReplayedPartition>> answer =
                replay(link, new ReplayFrom.Earliest(), 0);
        int before = consumer.polls;
        await().until(() -> consumer.polls > before + 5);
        clock.move(Duration.ofMinutes(6));
        assertThat(ended(answer).get(0).outcome()).isEqualTo(Outcome.NOT_MOVED);
        inRoute.remove().complete();
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return consumer.stored.getOrDefault(FINE, 0L) == 2L;
                        });
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

    @Test
    @Tag("case-F20")
    @Tag("case-R8")
    @DisplayName(
            "a topic that can't be read, without the codec's native code, leaves; others go on")
    void unreadable() {
        start(this::build);
        KafkaLink fine = register("fine");
        KafkaLink gone = register("gone");
        client.housekeep();
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return last().subscription().size() == 2;
                        });
        HandedConsumer consumer = last();
        consumer.beforePoll =
                () -> {
                    boolean polled =
                            consumer.assignment().contains(GONE)
                                    && !consumer.paused().contains(GONE);
                    if (polled) {
                        throw new KafkaException("can't be read", withoutCodec());
                    }
                };
        assign(FINE, GONE);
        await().until(
                        () -> {
                            clock.move(Duration.ofMillis(300));
                            return consumer.subscription().equals(Set.of("fine"));
                        });
        assertThat(gone.monitor().snapshot().state()).isEqualTo(LinkState.FAILED);
        assertThat(gone.monitor().snapshot().reason())
                .contains("topic gone", "zstd", System.getProperty("java.io.tmpdir"));
        await().until(() -> fine.monitor().snapshot().messages() == 1);
        assertThat(fine.monitor().snapshot().errorSince()).isNull();
        // It does not come back by itself: a class that failed to load stays so.
        clock.move(Duration.ofSeconds(3));
        client.housekeep();
        clock.move(Duration.ofMillis(300));
        int before = consumer.polls;
        await().until(() -> consumer.polls > before + 5);
        assertThat(consumer.subscription()).containsExactly("fine");
        assertThat(gone.monitor().snapshot().state()).isEqualTo(LinkState.FAILED);
        assertThat(consumers).as("a new client would not help").hasSize(1);
    }

    @Test
    @DisplayName("when the poll thread is dead its links are FAILED and say why")
    void deadPollThread() {
        start(this::build);
        KafkaLink link = register("fine");
        subscribe();
        last().schedulePollTask(
                        () -> {
                            throw new NoClassDefFoundError("a/lost/Class");
                        });
        await().until(() -> link.monitor().snapshot().state() == LinkState.FAILED);
        assertThat(link.monitor().snapshot().reason())
                .contains("reading ended: ", "a/lost/Class")
                .endsWith("; restart the process");

        for (int n = 0; n < 3; n++) {
            clock.move(Duration.ofSeconds(3));
            client.housekeep();
        }
        assertThat(link.monitor().snapshot().state()).isEqualTo(LinkState.FAILED);
        assertThat(register("gone").monitor().snapshot().state()).isEqualTo(LinkState.FAILED);
    }

    /** As Kafka's client throws it. */
    private static Error withoutCodec() {
        Error error = new NoClassDefFoundError("Could not initialize class Zstd");
        error.setStackTrace(
                new StackTraceElement[] {
                    new StackTraceElement(
                            "org.apache.kafka.common.compress.ZstdCompression",
                            "wrapForInput",
                            null,
                            1)
                });
        return error;
    }
}
