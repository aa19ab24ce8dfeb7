package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.SOURCE;
import static dev.streamconnect.engine.Fixtures.SOURCE_PARTITIONS;
import static dev.streamconnect.engine.Fixtures.options;
import static dev.streamconnect.engine.Fixtures.outgoing;
import static dev.streamconnect.engine.Fixtures.polled;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PartitionFlowTest {

    private static final FailureVerdict AWAY = new FailureVerdict.Transient("away");
    private static final FailureVerdict REFUSED =
            new FailureVerdict.MessageRefused("too large", dev.streamconnect.spi.Reason.SIZE, "");

    private final MovedClock clock = new MovedClock();
    private final AtomicInteger wakes = new AtomicInteger();
    private HandDrivenLink link = HandDrivenLink.with(options(false, 1_000, 10_000), clock);
    private PartitionFlow flow = flow();

    private PartitionFlow flow() {
        return new PartitionFlow(link, SOURCE, null, SOURCE_PARTITIONS, wakes::incrementAndGet);
    }

    private void use(HandDrivenLink other) {
        link = other;
        flow = flow();
    }

    /** Starts at 1 and has the records 1 to {@code last} in the route. */
    private List<Delivery> inRoute(int last) {
        flow.startAt(1);
        flow.offer(polled(1, last + 1));
        link.work();
        return new ArrayList<>(link.inRoute);
    }

    private static void done(Delivery delivery) {
        delivery.emit(outgoing("k", Long.toString(offset(delivery))));
        delivery.complete();
    }

    private static long offset(Delivery delivery) {
        return delivery.batch().records().get(0).offset();
    }

    private List<String> arrived() {
        List<String> values = new ArrayList<>();
        link.shipped.stream().distinct().forEach(s -> values.addAll(HandDrivenLink.values(s)));
        return values;
    }

    @Test
    @DisplayName("records leave in offset order, whatever the order in which the route is done")
    void order() {
        Random random = new Random(4);
        List<String> inOrder = polled(1, 21).stream().map(r -> Long.toString(r.offset())).toList();
        for (int run = 0; run < 1_000; run++) {
            use(HandDrivenLink.with(options(false, 1_000, 10_000), clock));
            List<Delivery> deliveries = inRoute(20);
            Collections.shuffle(deliveries, random);
            for (Delivery delivery : deliveries) {
                done(delivery);
                if (!link.shipped.isEmpty()
                        && link.lastShipped().acked() < link.lastShipped().size()
                        && random.nextBoolean()) {
                    link.acknowledgeAll();
                }
            }
            link.acknowledgeEverything();
            assertThat(arrived()).as("run " + run).isEqualTo(inOrder);
            assertThat(flow.committable()).isEqualTo(21);
        }
    }

    @Test
    @Tag("case-O10")
    @DisplayName("1, 3 and 4 are done and 2 is not: the commit is 2")
    void commitIsTheLowestUnconfirmed() {
        List<Delivery> deliveries = inRoute(4);
        done(deliveries.get(0));
        done(deliveries.get(2));
        done(deliveries.get(3));
        link.acknowledgeAll();

        assertThat(flow.committable()).isEqualTo(2);

        done(deliveries.get(1));
        link.acknowledgeAll();
        assertThat(flow.committable()).isEqualTo(5);
    }

    @Test
    @Tag("case-O10")
    @DisplayName(
            "of one shipment 1 is acknowledged and then it fails: the commit is 2, 2 goes first")
    void commitWithinAShipment() {
        List<Delivery> deliveries = inRoute(4);
        done(deliveries.get(0));
        deliveries.subList(1, 4).forEach(PartitionFlowTest::done);
        link.acknowledgeAll();
        assertThat(HandDrivenLink.values(link.lastShipped())).containsExactly("2", "3", "4");

        link.refuse(REFUSED);
        assertThat(flow.committable()).isEqualTo(2);
        assertThat(link.monitor().snapshot().state()).isEqualTo(LinkState.FAILED);
        assertThat(link.shipped).as("nothing passes it").hasSize(2);

        link.passBackoffs();
        assertThat(link.shipped).hasSize(3);
        assertThat(link.lastShipped()).isSameAs(link.shipped.get(1));
        link.acknowledgeAll();
        assertThat(flow.committable()).isEqualTo(5);
        assertThat(link.monitor().snapshot().state().isProblem()).isFalse();
    }

    @Test
    @DisplayName("one failure that passes by itself is no news; the second one is")
    void transientFailuresAreToldFromTheSecondOn() {
        done(inRoute(1).get(0));
        link.refuse(AWAY);
        assertThat(link.monitor().snapshot().errorSince()).isNull();
        link.passBackoffs();
        link.refuse(AWAY);
        assertThat(link.monitor().snapshot().state()).isEqualTo(LinkState.STALLED);
    }

    @Test
    @DisplayName("a failed delivery is handed out again and later ones wait for it")
    void failedDelivery() {
        List<Delivery> deliveries = inRoute(3);
        link.inRoute.clear();
        done(deliveries.get(2));
        deliveries.get(0).emit(outgoing("k", "from the failed attempt"));
        deliveries.get(0).fail(new IllegalStateException("no answer"));
        done(deliveries.get(1));

        assertThat(link.shipped).isEmpty();
        assertThat(link.inRoute).as("only after the back-off").isEmpty();
        assertThat(link.monitor().snapshot().reason()).contains("orders-2", "offset 1");

        link.passBackoffs();
        Delivery again = link.inRoute.remove();
        assertThat(again.batch()).isEqualTo(deliveries.get(0).batch());
        done(again);
        link.acknowledgeAll();
        assertThat(arrived()).containsExactly("1", "2", "3");
        assertThat(link.monitor().snapshot().errorSince()).isNull();
    }

    @Test
    @DisplayName("a handler that throws counts as a failed delivery")
    void throwingHandler() {
        AtomicInteger calls = new AtomicInteger();
        KafkaLink throwing =
                new KafkaLink(
                        Fixtures.link("x", options(false, 10, 10)),
                        d -> {
                            calls.incrementAndGet();
                            throw new IllegalArgumentException("body");
                        },
                        null,
                        new EngineThreads(),
                        clock,
                        null,
                        (l, d) -> {}) {
                    @Override
                    void execute(Runnable task) {
                        task.run();
                    }

                    @Override
                    void later(Runnable task, Duration delay) {
                        // the test ends here
                    }
                };
        PartitionFlow own = new PartitionFlow(throwing, SOURCE, null, 1, () -> {});
        own.startAt(1);
        own.offer(polled(1, 3));
        assertThat(calls).hasValue(2);
        assertThat(own.committable()).isEqualTo(1);
        assertThat(throwing.monitor().snapshot().state()).isEqualTo(LinkState.STALLED);
    }

    @Test
    @DisplayName("stop drops the failed delivery with all after it and keeps the earlier ones")
    void stopDropsTheFailed() throws Exception {
        List<Delivery> deliveries = inRoute(4);
        deliveries.get(2).fail(new IllegalStateException("no answer"));
        flow.stop();
        assertThat(flow.awaitQuiet(System.nanoTime())).isFalse();

        done(deliveries.get(0));
        done(deliveries.get(3));
        done(deliveries.get(1));
        link.acknowledgeEverything();
        link.passBackoffs();

        assertThat(arrived()).containsExactly("1", "2");
        assertThat(flow.committable()).isEqualTo(3);
    }

    @Test
    @Tag("case-O19")
    @DisplayName(
            "what a stop leaves unread is not settled, though the client's position is past it")
    void stopDoesNotSettleWhatItDropped() {
        use(HandDrivenLink.with(options(false, 3, 10_000), clock));
        List<Delivery> deliveries = inRoute(10);
        assertThat(deliveries).hasSize(3);
        flow.stop();
        flow.offer(polled(11, 21));
        deliveries.forEach(PartitionFlowTest::done);
        link.acknowledgeEverything();

        flow.idleAt(21);

        assertThat(flow.committable()).isEqualTo(4);
    }

    @Test
    @Tag("case-O6")
    @DisplayName(
            "where a stop drops nothing, markers are settled after it, too, and no lag is left")
    void stopSettlesMarkers() {
        List<Delivery> deliveries = inRoute(1);
        flow.stop();
        flow.idleAt(3);
        assertThat(flow.committable()).as("1 is not acknowledged").isEqualTo(1);
        done(deliveries.get(0));
        link.acknowledgeAll();
        flow.idleAt(3);
        assertThat(flow.behind(3)).isZero();
        assertThat(flow.committable()).isEqualTo(3);

        flow.offer(polled(3, 4));
        flow.idleAt(4);
        assertThat(flow.committable()).as("dropped").isEqualTo(3);
        assertThat(flow.behind(4)).isEqualTo(1);
    }

    @Test
    @Tag("case-O19")
    @DisplayName("nor is a failed delivery that a stop dropped, before it or in it")
    void stopDoesNotSettleTheFailed() {
        List<Delivery> before = inRoute(2);
        before.get(0).fail(new IllegalStateException("no answer"));
        flow.stop();
        flow.idleAt(3);
        assertThat(flow.committable()).isEqualTo(1);

        use(HandDrivenLink.with(options(false, 3, 10_000), clock));
        List<Delivery> in = inRoute(2);
        flow.stop();
        in.get(0).fail(new IllegalStateException("no answer"));
        flow.idleAt(3);
        assertThat(flow.committable()).isEqualTo(1);
    }

    @Test
    @Tag("case-O6")
    @DisplayName("a quiet partition settles markers and holes up to the client's position")
    void idlePosition() {
        List<Delivery> deliveries = inRoute(1);
        flow.idleAt(3);
        assertThat(flow.committable()).as("1 is not acknowledged").isEqualTo(1);
        done(deliveries.get(0));
        link.acknowledgeAll();
        flow.idleAt(3);
        assertThat(flow.committable()).isEqualTo(3);
    }

    @Test
    @Tag("case-O6")
    @DisplayName("the client's position settles nothing that still waits for a worker")
    void idlePositionBeforeTheWorker() {
        flow.startAt(1);
        flow.offer(polled(1, 3));
        flow.idleAt(3);
        assertThat(flow.committable()).isEqualTo(1);
    }

    @Test
    @DisplayName("records that the route drops settle in their turn and never before")
    void filtered() {
        List<Delivery> deliveries = inRoute(3);
        deliveries.get(1).complete();
        deliveries.get(2).complete();
        assertThat(flow.committable()).isEqualTo(1);
        done(deliveries.get(0));
        assertThat(HandDrivenLink.values(link.lastShipped())).containsExactly("1");
        assertThat(flow.committable()).isEqualTo(1);
        link.acknowledgeAll();
        assertThat(flow.committable()).isEqualTo(4);
    }

    @Test
    @DisplayName("a record that was split into several settles with the last of them")
    void split() {
        List<Delivery> deliveries = inRoute(2);
        for (Delivery delivery : deliveries) {
            delivery.emit(outgoing("k", offset(delivery) + "a"));
            delivery.emit(outgoing("k", offset(delivery) + "b"));
        }
        deliveries.get(1).complete();
        deliveries.get(0).complete();
        assertThat(HandDrivenLink.values(link.lastShipped()))
                .containsExactly("1a", "1b", "2a", "2b");
        link.acknowledge(1);
        assertThat(flow.committable()).isEqualTo(1);
        link.acknowledge(2);
        assertThat(flow.committable()).isEqualTo(2);
        link.acknowledge(1);
        assertThat(flow.committable()).isEqualTo(3);
    }

    @Test
    @DisplayName(
            "after a delivery is settled nothing can be added to it, nor can it be settled twice")
    void emitAfterSettle() {
        Delivery delivery = inRoute(1).get(0);
        done(delivery);
        assertThat(delivery.emit(outgoing("k", "late"))).isFalse();
        assertThat(delivery.emitBatch(delivery.batch())).isFalse();
        delivery.complete();
        delivery.fail(new IllegalStateException("late"));
        assertThat(link.shipped).hasSize(1);
        link.acknowledgeAll();
        assertThat(arrived()).containsExactly("1");
        assertThat(link.timers).isEmpty();
    }

    @Test
    @DisplayName("a paused link hands nothing out, asks for a pause, and goes on where it was")
    void pause() {
        flow.startAt(1);
        link.pause();
        flow.offer(polled(1, 4));
        link.work();
        assertThat(link.inRoute).isEmpty();
        assertThat(flow.wantsPause()).isTrue();
        link.add(flow);
        link.resume();
        link.work();
        assertThat(link.inRoute).hasSize(3);
        assertThat(flow.wantsPause()).isFalse();
    }

    @Test
    @DisplayName("a full buffer asks for a pause until half of it is handed out")
    void fullBuffer() {
        use(HandDrivenLink.with(options(true, 1, 10_000), clock));
        flow.startAt(0);
        for (int i = 0; i < 5; i++) {
            flow.offer(List.of(polled(i, null, new byte[200 * 1024])));
        }
        assertThat(flow.wantsPause()).isTrue();
        link.work();
        assertThat(flow.wantsPause()).as("two of five are out").isTrue();
        Delivery delivery = link.inRoute.remove();
        delivery.emitBatch(delivery.batch());
        delivery.complete();
        link.acknowledgeAll();
        link.work();
        assertThat(flow.wantsPause()).as("four of five are out").isFalse();
        assertThat(wakes.get()).isPositive();
    }

    @Test
    @DisplayName("large records are not all handed to the route at once, however many it may have")
    void openBytesAreBounded() {
        use(HandDrivenLink.with(options(false, 1_000, 10_000), clock));
        flow.startAt(0);
        for (int i = 0; i < 100; i++) {
            flow.offer(List.of(polled(i, null, new byte[1024 * 1024])));
        }
        link.work();
        assertThat(link.inRoute.size()).isBetween(1, 5);
    }

    @Test
    @DisplayName("at most maxUncommitted records wait for a commit or an acknowledgement")
    void boundOfDuplicates() {
        use(HandDrivenLink.with(options(false, 1_000, 10), clock));
        inRoute(40).forEach(PartitionFlowTest::done);
        link.acknowledgeEverything();
        assertThat(arrived()).hasSize(10);
        assertThat(flow.isCommitUrgent()).isTrue();
        assertThat(wakes.get()).isPositive();

        flow.committed(flow.committable());
        link.acknowledgeEverything();
        assertThat(arrived()).hasSize(20);
    }

    @Test
    @DisplayName("an older commit that is confirmed late frees no more than it covers")
    void lateConfirmation() {
        use(HandDrivenLink.with(options(false, 1_000, 10), clock));
        List<Delivery> deliveries = inRoute(40);
        deliveries.subList(0, 4).forEach(PartitionFlowTest::done);
        link.acknowledgeEverything();
        long first = flow.committable();
        deliveries.subList(4, 40).forEach(PartitionFlowTest::done);
        link.acknowledgeEverything();
        assertThat(flow.committable()).isEqualTo(11);

        flow.committed(first);
        link.acknowledgeEverything();

        int uncommitted = arrived().size() - 4;
        assertThat(uncommitted).isLessThanOrEqualTo(10);
    }

    @Test
    @DisplayName(
            "a consumer without destination settles what its route completes, within the bound")
    void withoutDestination() {
        use(HandDrivenLink.withoutDestination(options(false, 1_000, 10), clock));
        List<Delivery> deliveries = inRoute(40);
        assertThat(deliveries).as("in the route or uncommitted").hasSize(10);
        deliveries.forEach(Delivery::complete);
        link.work();
        assertThat(link.shipped).isEmpty();
        assertThat(flow.committable()).isEqualTo(11);
        assertThat(link.inRoute).hasSize(10);
        assertThat(link.monitor().snapshot().messages()).isEqualTo(10);
        assertThat(link.monitor().snapshot().bytes()).isEqualTo(9 * 3 + 4);

        flow.committed(11);
        link.work();
        assertThat(link.inRoute).hasSize(20);
    }

    @Test
    @DisplayName(
            "awaiting quiet ends when all is acknowledged, at a retry, for a commit, at the limit")
    void awaitQuiet() throws Exception {
        use(HandDrivenLink.with(options(false, 1_000, 2), clock));
        List<Delivery> deliveries = inRoute(4);
        long soon = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        assertThat(flow.awaitQuiet(System.nanoTime() - 1)).as("limit is over").isFalse();

        deliveries.forEach(PartitionFlowTest::done);
        link.acknowledgeEverything();
        assertThat(flow.awaitQuiet(soon)).as("needs a commit").isTrue();
        flow.committed(flow.committable());
        link.refuse(AWAY);
        assertThat(flow.awaitQuiet(soon)).as("a retry may take for ever").isFalse();
        link.passBackoffs();
        link.acknowledgeEverything();
        assertThat(flow.committable()).isEqualTo(5);
        assertThat(flow.awaitQuiet(soon)).as("quiet").isFalse();
    }

    @Test
    @DisplayName(
            "going back waits until what was taken is settled, and late answers settle nothing")
    void startsAnew() {
        flow.startAt(100);
        flow.offer(polled(100, 103));
        assertThat(flow.isFinished()).as("taken").isFalse();
        link.work();
        assertThat(flow.isFinished()).as("in the route").isFalse();
        link.inRoute.forEach(PartitionFlowTest::done);
        link.inRoute.clear();
        assertThat(flow.isFinished()).as("on its way").isFalse();
        link.acknowledgeEverything();
        assertThat(flow.isFinished()).isTrue();
        assertThat(flow.committable()).isEqualTo(103);

        PositionMark anew = new PositionMark("t-2", "c-1", 0);
        flow.startAnew(0, anew);
        assertThat(flow.mark()).isEqualTo(anew);
        flow.offer(polled(0, 2));
        link.work();
        assertThat(flow.committable()).isZero();
        assertThat(link.inRoute).hasSize(2);
        flow.committed(103);
        done(link.inRoute.remove());
        link.acknowledgeAll();
        assertThat(flow.committable()).as("a late confirmation hides nothing").isEqualTo(1);
    }

    @Test
    @Tag("case-H5")
    @DisplayName("what was taken before a gap arrives, and is committed before what follows it")
    void overGap() {
        flow.startAt(1);
        link.pause();
        flow.offer(polled(1, 4));
        flow.idleAt(60);
        link.resume();
        flow.schedule();
        link.work();
        while (!link.inRoute.isEmpty()) {
            done(link.inRoute.remove());
            link.acknowledgeEverything();
        }
        assertThat(flow.committable()).isEqualTo(4);
        flow.idleAt(60);
        assertThat(flow.committable()).isEqualTo(60);
        flow.offer(polled(60, 61));
        link.work();
        done(link.inRoute.remove());
        link.acknowledgeAll();
        assertThat(arrived()).containsExactly("1", "2", "3", "60");
        assertThat(flow.committable()).isEqualTo(61);
    }

    @Test
    @DisplayName(
            "a replay waits for what is with the route and the destination, and drops the rest")
    void replay() {
        use(HandDrivenLink.with(options(false, 3, 10_000), clock));
        List<Delivery> deliveries = inRoute(10);
        done(deliveries.get(0));
        link.work();
        assertThat(flow.drain()).isTrue();
        assertThat(flow.drain()).as("one at a time").isFalse();
        assertThat(flow.wantsPause()).isTrue();
        assertThat(flow.restartAt(1)).as("1 is sent, 2 and 3 are in the route").isNegative();
        link.acknowledgeAll();
        done(deliveries.get(1));
        assertThat(flow.restartAt(1)).as("3 and what the worker took since").isNegative();
        assertThat(link.shipped).as("nothing more is sent").hasSize(1);
        link.inRoute.forEach(PartitionFlowTest::done);
        assertThat(link.shipped).hasSize(1);
        assertThat(flow.position()).isEqualTo(2);

        assertThat(flow.restartAt(1)).as("1 had arrived since").isEqualTo(2);
        assertThat(flow.position()).isEqualTo(1);
        assertThat(flow.pending()).isZero();
        assertThat(flow.committable()).isEqualTo(1);
        assertThat(flow.isCommitted(1)).isFalse();
        flow.committed(2);
        assertThat(flow.isCommitted(1)).as("a late commit of the old position").isFalse();
        flow.committed(1);
        assertThat(flow.isCommitted(1)).isTrue();
        link.inRoute.clear();
        flow.offer(polled(1, 11));
        passAll();
        assertThat(arrived())
                .containsExactly("1", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10");
        assertThat(flow.committable()).isEqualTo(11);
    }

    private void passAll() {
        link.work();
        while (!link.inRoute.isEmpty()) {
            done(link.inRoute.remove());
            link.acknowledgeEverything();
            link.work();
        }
    }

    @Test
    @DisplayName("a replay drops what failed: a refused message, and a step of the route")
    void replayOfAStoppedPartition() {
        List<Delivery> deliveries = inRoute(4);
        done(deliveries.get(0));
        link.acknowledgeAll();
        done(deliveries.get(1));
        link.refuse(REFUSED);
        deliveries.get(2).fail(new IllegalStateException("no answer"));
        deliveries.get(3).fail(new IllegalStateException("no answer"));
        assertThat(link.monitor().snapshot().state()).isEqualTo(LinkState.FAILED);
        flow.drain();
        link.passBackoffs();
        assertThat(link.shipped).as("no attempt while it drains").hasSize(2);
        assertThat(flow.restartAt(0)).isEqualTo(2);
        assertThat(link.monitor().snapshot().errorSince()).isNull();
        link.inRoute.clear();
        link.passBackoffs();
        assertThat(link.inRoute).as("a late retry").isEmpty();
        flow.offer(polled(0, 5));
        passAll();
        assertThat(link.shipped).hasSizeGreaterThan(2);
        assertThat(flow.committable()).isEqualTo(5);
        List<String> again = new ArrayList<>();
        link.shipped.stream()
                .skip(2)
                .distinct()
                .forEach(s -> again.addAll(HandDrivenLink.values(s)));
        assertThat(again).containsExactly("0", "1", "2", "3", "4");
    }

    @Test
    @DisplayName("a replay that is given up goes on where it was, and loses nothing")
    void replayGivenUp() {
        List<Delivery> deliveries = inRoute(4);
        link.inRoute.clear();
        done(deliveries.get(0));
        deliveries.get(1).fail(new IllegalStateException("no answer"));
        done(deliveries.get(2));
        flow.drain();
        link.refuse(AWAY);
        link.passBackoffs();
        flow.endDrain();
        link.work();
        link.acknowledgeEverything();
        assertThat(link.inRoute).as("the failed one goes in again").hasSize(1);
        done(link.inRoute.remove());
        done(deliveries.get(3));
        link.acknowledgeEverything();
        assertThat(arrived()).containsExactly("1", "2", "3", "4");
        assertThat(flow.committable()).isEqualTo(5);
    }

    @Test
    @DisplayName("a stop ends a replay, and what was complete still leaves")
    void replayStopped() {
        List<Delivery> deliveries = inRoute(2);
        flow.drain();
        deliveries.forEach(PartitionFlowTest::done);
        assertThat(link.shipped).isEmpty();
        flow.stop();
        link.acknowledgeEverything();
        assertThat(arrived()).containsExactly("1", "2");
        assertThat(flow.restartAt(0)).isNegative();
        assertThat(flow.committable()).isEqualTo(3);
    }

    @Test
    @DisplayName("whatever is on its way, after a replay all arrives again in order, once")
    void replaysAtRandom() {
        Random random = new Random(23);
        for (int run = 0; run < 1_000; run++) {
            use(
                    HandDrivenLink.with(
                            options(random.nextBoolean(), 1 + random.nextInt(4), 8), clock));
            flow.startAt(10);
            flow.offer(polled(10, 30));
            for (int step = random.nextInt(40); step > 0; step--) {
                randomStep(random);
            }
            flow.drain();
            long target = random.nextInt(10);
            for (int step = 0; flow.restartAt(target) < 0; step++) {
                assertThat(step).as("it comes to rest").isLessThan(10_000);
                randomStep(random);
            }
            assertThat(flow.committable()).as("run " + run).isEqualTo(target);
            int before = arrivals.size();
            flow.offer(polled((int) target, 30));
            for (int step = 0; flow.position() < 30; step++) {
                assertThat(step).as("it goes on").isLessThan(10_000);
                randomStep(random);
            }
            assertThat(arrivals.subList(before, arrivals.size()))
                    .as("run " + run)
                    .isEqualTo(
                            polled((int) target, 30).stream()
                                    .map(r -> Long.toString(r.offset()))
                                    .toList());
            arrivals.clear();
        }
    }

    private final List<String> arrivals = new ArrayList<>();
    private boolean refused;

    /** Route, destination, back-offs and commits, one of them. */
    private void randomStep(Random random) {
        link.work();
        Shipment last = link.shipped.isEmpty() ? null : link.lastShipped();
        boolean inFlight = last != null && last.acked() < last.size();
        switch (random.nextInt(6)) {
            case 0, 1 -> {
                List<Delivery> all = new ArrayList<>(link.inRoute);
                if (!all.isEmpty()) {
                    Delivery delivery = all.get(random.nextInt(all.size()));
                    link.inRoute.remove(delivery);
                    if (random.nextInt(4) == 0) {
                        delivery.fail(new IllegalStateException("step"));
                    } else {
                        delivery.emitBatch(delivery.batch());
                        delivery.complete();
                    }
                }
            }
            case 2 -> {
                if (inFlight && !refused) {
                    int count = 1 + random.nextInt(last.size() - last.acked());
                    arrivals.addAll(
                            HandDrivenLink.values(last)
                                    .subList(last.acked(), last.acked() + count));
                    link.acknowledge(count);
                }
            }
            case 3 -> {
                if (inFlight && !refused && random.nextBoolean()) {
                    refused = true;
                    link.refuse(AWAY);
                }
            }
            case 4 -> {
                int before = link.shipped.size();
                link.passBackoffs();
                refused &= link.shipped.size() == before;
            }
            default -> {
                long offset = flow.committable();
                if (offset >= 0) {
                    flow.committed(offset);
                }
            }
        }
        if (link.shipped.isEmpty() || link.lastShipped() != last) {
            refused = false;
        }
    }

    @Test
    @DisplayName("a closed flow ignores every late outcome")
    void closed() {
        List<Delivery> deliveries = inRoute(3);
        done(deliveries.get(0));
        flow.close();
        link.acknowledgeAll();
        link.refuse(REFUSED);
        done(deliveries.get(1));
        deliveries.get(2).fail(new IllegalStateException("late"));
        flow.offer(polled(4, 5));
        link.passBackoffs();

        assertThat(flow.committable()).isEqualTo(-1);
        assertThat(link.shipped).hasSize(1);
        assertThat(link.inRoute).hasSize(3);
        assertThat(link.monitor().snapshot().messages()).isZero();
        assertThat(link.monitor().snapshot().errorSince()).isNull();
    }

    @Test
    @DisplayName("a batch goes to the route whole and out again without a wrapper for each record")
    void batch() {
        use(HandDrivenLink.with(options(true, 2, 10_000), clock));
        List<Delivery> deliveries = inRoute(50);
        assertThat(deliveries).hasSize(1);
        Delivery delivery = deliveries.get(0);
        delivery.emitBatch(delivery.batch());
        delivery.complete();
        assertThat(link.lastShipped()).isInstanceOf(Shipment.Raw.class);
        link.acknowledge(20);
        assertThat(flow.committable()).isEqualTo(21);
        link.acknowledgeAll();
        assertThat(flow.committable()).isEqualTo(51);
        assertThat(flow.pending()).isZero();
    }
}
