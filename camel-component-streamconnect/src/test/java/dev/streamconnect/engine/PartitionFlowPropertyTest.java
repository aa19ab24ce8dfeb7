package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.options;
import static dev.streamconnect.engine.Fixtures.outgoing;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens in whatever order, a flow keeps its invariants; the seeds are fixed. */
class PartitionFlowPropertyTest {

    private static final int RUNS = 200;
    private static final int STEPS = 150;
    private static final int MOST_EMITTED = 3;

    /** A few of these are more than a chunk. */
    private static final byte[] LARGE = new byte[200 * 1024];

    @ParameterizedTest(name = "batch {0}")
    @ValueSource(booleans = {false, true})
    void invariantsHold(boolean batch) {
        for (int seed = 0; seed < RUNS; seed++) {
            new Run(seed, batch).go();
        }
    }

    /** One random life of a flow, with a model beside it that knows what must be true. */
    private static final class Run {
        private final Random random;
        private final boolean batch;
        private final int bound;
        private final HandDrivenLink link;
        private final PartitionFlow flow;

        private long next;
        private final List<Long> offered = new ArrayList<>();
        private final List<Delivery> open = new ArrayList<>();

        /** How many records each source offset ended up as, once its delivery is complete. */
        private final Map<Long, Integer> emitted = new TreeMap<>();

        private final List<String> arrived = new ArrayList<>();
        private final List<Long> commitsUnderWay = new ArrayList<>();
        private long committed;
        private Shipment seen;
        private boolean failed;

        Run(int seed, boolean batch) {
            random = new Random(seed);
            this.batch = batch;
            bound = 4 + random.nextInt(20);
            link =
                    HandDrivenLink.with(
                            options(batch, 1 + random.nextInt(8), bound), new MovedClock());
            flow = new PartitionFlow(link, Fixtures.SOURCE, null, 4, () -> {});
            flow.startAt(0);
        }

        void go() {
            for (int step = 0; step < STEPS; step++) {
                act();
                check();
            }
            for (int turn = 0; turn < 2_000 && committed < next; turn++) {
                takeDeliveries();
                while (!open.isEmpty()) {
                    settle(open.remove(0), true);
                }
                link.passBackoffs();
                acknowledge(true);
                commit(true);
                check();
            }
            assertThat(committed).as("everything is settled at last").isEqualTo(next);
            assertThat(arrived).isEqualTo(expected());
        }

        private void act() {
            switch (random.nextInt(7)) {
                case 0 -> offer();
                case 1 -> takeDeliveries();
                case 2, 3 -> {
                    if (!open.isEmpty()) {
                        settle(open.remove(random.nextInt(open.size())), false);
                    }
                }
                case 4 -> acknowledge(false);
                case 5 -> commit(false);
                default -> {
                    if (random.nextInt(3) == 0) {
                        link.passBackoffs();
                        failed = false;
                    } else {
                        refuse();
                    }
                }
            }
        }

        private void offer() {
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            for (int i = random.nextInt(8); i >= 0; i--) {
                // now and then a hole, as a compacted topic has
                next += random.nextInt(5) == 0 ? 2 : 0;
                records.add(
                        random.nextInt(4) == 0
                                ? Fixtures.polled(next, LARGE, Fixtures.bytes("" + next))
                                : Fixtures.polled(next));
                offered.add(next);
                next++;
            }
            flow.offer(records);
        }

        private void takeDeliveries() {
            link.work();
            open.addAll(link.inRoute);
            link.inRoute.clear();
        }

        private void settle(Delivery delivery, boolean well) {
            if (!well && random.nextInt(5) == 0) {
                delivery.emit(outgoing("k", "from a failed attempt"));
                delivery.fail(new IllegalStateException("step"));
                return;
            }
            int each = random.nextInt(MOST_EMITTED + 1);
            for (ConsumerRecord<byte[], byte[]> record : delivery.batch().records()) {
                emitted.put(record.offset(), batch ? Math.min(each, 1) : each);
            }
            if (batch && each > 0) {
                delivery.emitBatch(delivery.batch());
            } else if (!batch) {
                for (int i = 0; i < each; i++) {
                    long offset = delivery.batch().records().get(0).offset();
                    delivery.emit(outgoing("k", offset + "/" + i));
                }
            }
            delivery.complete();
        }

        private Shipment inFlight() {
            if (link.shipped.isEmpty()) {
                return null;
            }
            Shipment last = link.lastShipped();
            return last.acked() < last.size() ? last : null;
        }

        private void acknowledge(boolean all) {
            Shipment shipment = inFlight();
            if (shipment == null || (failed && !all)) {
                return;
            }
            failed = false;
            int left = shipment.size() - shipment.acked();
            int count = all ? left : 1 + random.nextInt(left);
            List<String> values = HandDrivenLink.values(shipment);
            arrived.addAll(values.subList(shipment.acked(), shipment.acked() + count));
            link.acknowledge(count);
        }

        private void refuse() {
            if (inFlight() != null && !failed) {
                failed = true;
                link.refuse(
                        random.nextBoolean()
                                ? new FailureVerdict.Transient("away")
                                : new FailureVerdict.TopicMissing("gone"));
            }
        }

        /** Asks for a commit, and lets an earlier one be confirmed now, later, or never. */
        private void commit(boolean now) {
            long offset = flow.committable();
            if (offset >= 0) {
                assertThat(offset).as("committable").isLessThanOrEqualTo(lowestUnsettled());
                commitsUnderWay.add(offset);
            }
            while (!commitsUnderWay.isEmpty() && (now || random.nextBoolean())) {
                long confirmed = commitsUnderWay.remove(0);
                if (now || random.nextInt(4) > 0) {
                    committed = Math.max(committed, confirmed);
                    flow.committed(confirmed);
                }
            }
        }

        private long lowestUnsettled() {
            int before = 0;
            for (long offset : offered) {
                Integer records = emitted.get(offset);
                before += records == null ? 0 : records;
                if (records == null || before > arrived.size()) {
                    return offset;
                }
            }
            return Long.MAX_VALUE;
        }

        private List<String> expected() {
            List<String> values = new ArrayList<>();
            emitted.forEach(
                    (offset, count) -> {
                        for (int i = 0; i < count; i++) {
                            values.add(batch ? Long.toString(offset) : offset + "/" + i);
                        }
                    });
            return values;
        }

        private void check() {
            assertThat(arrived).as("order").isEqualTo(expected().subList(0, arrived.size()));
            long acknowledged = 0;
            int before = 0;
            for (Map.Entry<Long, Integer> source : emitted.entrySet()) {
                before += source.getValue();
                if (source.getKey() >= committed) {
                    acknowledged +=
                            Math.max(
                                    0,
                                    Math.min(
                                            source.getValue(),
                                            arrived.size() - (before - source.getValue())));
                }
            }
            Shipment shipment = inFlight();
            int flying = shipment == null ? 0 : shipment.size() - shipment.acked();
            assertThat(acknowledged + flying)
                    .as("uncommitted and in flight")
                    .isLessThanOrEqualTo(Math.max(bound, MOST_EMITTED));
            if (shipment != null && seen != null && shipment != seen) {
                assertThat(seen.acked()).as("one shipment at a time").isEqualTo(seen.size());
            }
            seen = shipment == null ? seen : shipment;
        }
    }
}
