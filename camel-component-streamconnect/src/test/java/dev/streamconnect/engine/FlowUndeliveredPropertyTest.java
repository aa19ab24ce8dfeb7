package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.SOURCE;
import static dev.streamconnect.engine.Fixtures.bytes;
import static dev.streamconnect.engine.Fixtures.options;
import static dev.streamconnect.engine.Fixtures.polled;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random lives of a partition with a store: refusals, failing steps, outages of destination and
 * store, sweeps, crashes and clean stops. Nothing is lost, and the first deliveries of each key
 * stand in the order of the source. The seeds are fixed.
 */
class FlowUndeliveredPropertyTest {

    private static final int RUNS = 300;
    private static final int STEPS = 120;

    @Test
    @Tag("case-U1")
    @DisplayName("nothing is lost and each key keeps its order")
    void keysKeepTheirOrder() {
        int stored = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            Run run = new Run(seed, true);
            run.go();
            run.checkOrder();
            stored += run.everStored;
        }
        assertThat(stored).as("the store was used").isGreaterThan(RUNS);
    }

    @Test
    @DisplayName("without order per key nothing is lost, and the order is")
    void withoutOrder() {
        int broken = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            Run run = new Run(seed, false);
            run.go();
            try {
                run.checkOrder();
            } catch (AssertionError e) {
                broken++;
            }
        }
        assertThat(broken).as("runs in which a key lost its order").isGreaterThan(RUNS / 10);
    }

    private static final class Run {
        private final Random random;
        private final boolean holdsKeys;
        private final MovedClock clock = new MovedClock();
        private final MemoryStore store = new MemoryStore();
        private final List<ConsumerRecord<byte[], byte[]>> source = new ArrayList<>();
        private final List<String> arrived = new ArrayList<>();
        private final Set<String> refused = new HashSet<>();
        private final boolean batch;
        private final Deque<Runnable> storeCalls = new ArrayDeque<>();
        private long committed;
        private long position;
        private HandDrivenLink link;
        private PartitionFlow flow;
        private RefusingBroker broker;
        private int everStored;

        Run(int seed, boolean holdsKeys) {
            this.random = new Random(seed);
            this.holdsKeys = holdsKeys;
            this.batch = random.nextBoolean();
            start();
        }

        private void start() {
            link =
                    HandDrivenLink.with(
                            options(batch, batch ? 2 : 6, 40),
                            clock,
                            store,
                            holdsKeys,
                            0,
                            storeCalls);
            flow = new PartitionFlow(link, SOURCE, null, 4, () -> {});
            flow.keepUndelivered(link.undelivered(), "topic-1");
            broker = new RefusingBroker(link);
            broker.refuses = refused::contains;
            flow.startAt(committed);
            position = committed;
        }

        void go() {
            for (int step = 0; step < STEPS; step++) {
                act();
                everStored = Math.max(everStored, store.rows.size());
            }
            refused.clear();
            store.away = false;
            for (int turn = 0; turn < 400 && !isDone(); turn++) {
                offer(50);
                link.work();
                route(true);
                link.passBackoffs();
                while (broker.hasWork() || !storeCalls.isEmpty()) {
                    if (broker.hasWork()) {
                        serve();
                    }
                    callStore();
                    link.work();
                }
                clock.move(Duration.ofMinutes(3));
                flow.undelivered().sweep();
                commit();
            }
            keepArrived();
            assertThat(store.rows).isEmpty();
            assertThat(committed).isEqualTo(source.size());
            assertThat(new HashSet<>(arrived)).as("nothing is lost").hasSize(source.size());
        }

        private boolean isDone() {
            return committed == source.size() && store.rows.isEmpty();
        }

        private void act() {
            switch (random.nextInt(12)) {
                case 0, 1 -> make();
                case 2 -> offer(1 + random.nextInt(10));
                case 3, 4 -> route(false);
                case 5, 6 -> {
                    if (broker.hasWork()) {
                        if (random.nextInt(6) == 0) {
                            broker.dropOne();
                        } else {
                            serve();
                        }
                    }
                }
                case 7 -> link.passBackoffs();
                case 8 -> {
                    clock.move(Duration.ofMinutes(1 + random.nextInt(12)));
                    flow.undelivered().sweep();
                }
                case 9 -> {
                    store.away = random.nextInt(4) == 0;
                    if (random.nextBoolean()) {
                        refused.removeIf(value -> random.nextInt(3) == 0);
                    }
                }
                case 10 -> commit();
                default -> {
                    if (random.nextInt(4) == 0) {
                        crash();
                    }
                }
            }
            if (random.nextBoolean()) {
                callStore();
            }
            link.work();
        }

        /** A call may end long after it was asked for. */
        private void callStore() {
            Runnable call = storeCalls.poll();
            if (call != null) {
                call.run();
            }
        }

        private void make() {
            for (int i = random.nextInt(6); i >= 0; i--) {
                long offset = source.size();
                String key = "k" + random.nextInt(3);
                String value = key + "/" + offset;
                source.add(polled(offset, bytes(key), bytes(value)));
                if (random.nextInt(8) == 0) {
                    refused.add(value);
                }
            }
        }

        private void offer(int most) {
            int to = (int) Math.min(source.size(), position + most);
            if (to > position && !flow.wantsPause()) {
                flow.offer(source.subList((int) position, to));
                position = to;
            }
        }

        private void route(boolean well) {
            for (int i = link.inRoute.size(); i > 0; i--) {
                Delivery delivery = link.inRoute.poll();
                if (!well && random.nextInt(4) == 0) {
                    delivery.fail(new IllegalStateException("step"));
                    if (random.nextInt(5) == 0) {
                        clock.move(Duration.ofMinutes(11));
                    }
                } else {
                    delivery.emitBatch(delivery.batch());
                    delivery.complete();
                }
            }
        }

        private void serve() {
            broker.serveOne();
        }

        private void commit() {
            long offset = flow.committable();
            if (offset >= 0) {
                flow.committed(offset);
                committed = Math.max(committed, offset);
            }
        }

        private void crash() {
            keepArrived();
            flow.close();
            storeCalls.clear();
            store.away = false;
            start();
        }

        private void keepArrived() {
            arrived.addAll(broker.arrived);
            broker.arrived.clear();
        }

        void checkOrder() {
            Map<String, Integer> last = new HashMap<>();
            Set<String> seen = new HashSet<>();
            for (String value : arrived) {
                if (seen.add(value)) {
                    String[] parts = value.split("/");
                    int offset = Integer.parseInt(parts[1]);
                    assertThat(offset)
                            .as("first delivery of " + value + " in " + arrived)
                            .isGreaterThan(last.getOrDefault(parts[0], -1));
                    last.put(parts[0], offset);
                }
            }
        }
    }
}
