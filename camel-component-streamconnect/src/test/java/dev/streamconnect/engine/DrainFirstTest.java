package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.record.Deduplicate;
import dev.streamconnect.record.FailoverOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("failoverOrder over the two sides")
class DrainFirstTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final MovedClock clock = new MovedClock();
    private HandDrivenLink link = pair(FailoverOrder.DRAIN_FIRST);
    private SideLog a = new SideLog(link, "A");
    private SideLog b = new SideLog(link, "B");

    private HandDrivenLink pair(FailoverOrder order) {
        return HandDrivenLink.ofPair(new PairOptions(order, LIMIT, Deduplicate.NONE, 100), clock);
    }

    private void fast() {
        link = pair(FailoverOrder.FAST);
        a = new SideLog(link, "A");
        b = new SideLog(link, "B");
    }

    /** The route emits what it has and the destination acknowledges it, until nothing is left. */
    private void deliver() {
        link.work();
        while (!link.inRoute.isEmpty()
                || !link.shipped.isEmpty()
                        && link.lastShipped().acked() < link.lastShipped().size()) {
            while (!link.inRoute.isEmpty()) {
                Delivery delivery = link.inRoute.poll();
                delivery.emitBatch(delivery.batch());
                delivery.complete();
                link.work();
            }
            link.acknowledgeEverything();
        }
    }

    private void tellEnds() {
        link.tellEnds("A", a.ends(), Map.of());
        link.tellEnds("B", b.ends(), Map.of());
    }

    private void pass(Duration time) {
        clock.move(time);
        link.tick();
        link.work();
    }

    private List<Integer> delivered() {
        return link.shipped.stream()
                .flatMap(shipment -> HandDrivenLink.values(shipment).stream())
                .map(Integer::valueOf)
                .toList();
    }

    private static List<Integer> numbers(int first, int last) {
        return IntStream.rangeClosed(first, last).boxed().toList();
    }

    private long reordered() {
        return link.totals().reordered();
    }

    /** 20 of the first 50 are delivered; the rest is on the sides. */
    private void failedOver() {
        a.append("k", 1, 50);
        a.poll(20);
        tellEnds();
        deliver();
        tellEnds();
        deliver();
        assertThat(delivered()).isEqualTo(numbers(1, 20));
        b.append("k", 51, 100);
    }

    @Test
    @Tag("case-H2")
    @DisplayName(
            "drainFirst: the old side to its end, then the new one, in whatever order they are read")
    void drainsFirst() {
        failedOver();
        b.poll(100);
        deliver();
        tellEnds();
        deliver();
        assertThat(delivered()).isEqualTo(numbers(1, 20));
        a.poll(30);
        deliver();
        tellEnds();
        deliver();
        assertThat(delivered()).isEqualTo(numbers(1, 100));
        assertThat(reordered()).isZero();
        assertThat(link.totals().drainLimitsHit()).isZero();
    }

    @Test
    @Tag("case-H2")
    @DisplayName("fast: nothing waits, and each message behind a younger one of its key is counted")
    void fastCounts() {
        fast();
        failedOver();
        b.poll(100);
        deliver();
        assertThat(delivered()).hasSize(70);
        a.poll(30);
        deliver();
        assertThat(delivered()).hasSize(100);
        assertThat(reordered()).isEqualTo(30);
    }

    @Test
    @DisplayName("a message in flight on the old side is not read to its end yet")
    void waitsForAcknowledgement() {
        a.append("k", 1, 10);
        a.poll(10);
        tellEnds();
        link.work();
        link.inRoute.peek().emitBatch(link.inRoute.peek().batch());
        link.inRoute.poll().complete();
        link.work();
        b.append("k", 11, 20);
        b.poll(10);
        link.work();
        tellEnds();
        assertThat(link.inRoute).isEmpty();
        link.acknowledge(9);
        assertThat(link.inRoute).isEmpty();
        link.acknowledge(1);
        assertThat(link.inRoute).hasSize(1);
        deliver();
        assertThat(delivered()).isEqualTo(numbers(1, 20));
    }

    @Test
    @DisplayName("a backlog over several fail-overs is put together by time")
    void mergesByTime() {
        a.append("k", 1, 10);
        b.append("k", 11, 20);
        a.append("k", 21, 30);
        b.append("k", 31, 40);
        b.poll(100);
        a.poll(100);
        for (int turn = 0; turn < 10; turn++) {
            link.work();
            tellEnds();
            deliver();
        }
        assertThat(delivered()).isEqualTo(numbers(1, 40));
        assertThat(reordered()).isZero();
    }

    @Test
    @DisplayName(
            "a side that does not answer is waited for as long as the limit, once; then the other one goes on")
    void limit() {
        try (LogLines log = new LogLines(DrainFirst.class.getName())) {
            b.append("k", 1, 5);
            b.poll(5);
            deliver();
            pass(LIMIT.minusMillis(1));
            deliver();
            assertThat(delivered()).isEmpty();
            assertThat(link.status().reason())
                    .isEqualTo(
                            "messages of side B wait until side A is read to its end, 60 s at most");
            pass(Duration.ofMillis(1));
            deliver();
            assertThat(delivered()).isEqualTo(numbers(1, 5));
            assertThat(link.status().state()).isEqualTo(LinkState.DEGRADED);
            assertThat(link.status().reason())
                    .startsWith("side A was not read to its end within 60 s");
            b.append("k", 6, 10);
            b.poll(5);
            deliver();
            pass(LIMIT.multipliedBy(2));
            assertThat(delivered()).isEqualTo(numbers(1, 10));
            assertThat(link.status().drainLimitsHit()).isEqualTo(1);
            assertThat(log.lines()).hasSize(1);

            // It is back and has older ones: they go on at once and are counted.
            a.append("k", 0, 100L);
            a.poll(1);
            deliver();
            assertThat(reordered()).isEqualTo(1);
            tellEnds();
            pass(Duration.ofSeconds(1));
            assertThat(link.status().reason()).isEmpty();
            assertThat(log.lines()).hasSize(2);

            // In order again.
            a.append("k", 11, 15);
            b.append("k", 16, 20);
            b.poll(5);
            deliver();
            tellEnds();
            deliver();
            assertThat(delivered()).hasSize(11);
            a.poll(5);
            deliver();
            tellEnds();
            deliver();
            assertThat(delivered().subList(11, 21)).isEqualTo(numbers(11, 20));
        }
    }

    @Test
    @DisplayName("what another node reads of the old side is waited for, too")
    void otherNodes() {
        b.append("k", 11, 20);
        b.poll(10);
        deliver();
        link.tellEnds("A", Map.of(0, 0L, 1, 10L), Map.of(1, 9L));
        deliver();
        assertThat(delivered()).isEmpty();
        pass(Duration.ofMillis(500));
        // More has come there meanwhile; it is younger than what waits.
        link.tellEnds("A", Map.of(0, 0L, 1, 15L), Map.of(1, 10L));
        deliver();
        assertThat(delivered()).isEqualTo(numbers(11, 20));
    }

    @Test
    @DisplayName("a side without the topic is at its end")
    void topicOnOneSide() {
        b.append("k", 1, 5);
        b.poll(5);
        deliver();
        link.tellEnds("A", Map.of(), Map.of());
        deliver();
        assertThat(delivered()).isEqualTo(numbers(1, 5));
    }

    @Test
    @DisplayName("a side with the turn is not asked again for each batch, but after a pause")
    void asksSeldom() {
        b.append("k", 1, 5);
        b.poll(5);
        deliver();
        tellEnds();
        deliver();
        b.append("k", 6, 10);
        b.poll(5);
        deliver();
        assertThat(delivered()).isEqualTo(numbers(1, 10));
        assertThat(link.questions).isEmpty();
        pass(Duration.ofSeconds(2));
        b.append("k", 11, 15);
        b.poll(5);
        deliver();
        assertThat(link.questions).containsOnlyKeys("A");
        tellEnds();
        deliver();
        assertThat(delivered()).isEqualTo(numbers(1, 15));
    }

    @Test
    @DisplayName("an answer holds for a second: what the other side got since is waited for")
    void answerExpires() {
        b.append("k", 1, 5);
        b.poll(5);
        deliver();
        tellEnds();
        deliver();
        assertThat(delivered()).isEqualTo(numbers(1, 5));
        clock.move(DrainFirst.LEASE);
        a.append("k", 6, 6);
        b.append("k", 7, 7);
        b.poll(1);
        deliver();
        tellEnds();
        deliver();
        assertThat(delivered()).isEqualTo(numbers(1, 5));
        a.poll(1);
        deliver();
        tellEnds();
        deliver();
        assertThat(delivered()).isEqualTo(numbers(1, 7));
    }

    @Test
    @DisplayName("while it is paused no limit runs")
    void paused() {
        b.append("k", 1, 5);
        b.poll(5);
        deliver();
        link.pause();
        pass(LIMIT.multipliedBy(3));
        assertThat(link.totals().drainLimitsHit()).isZero();
        link.resume();
        pass(LIMIT);
        assertThat(link.totals().drainLimitsHit()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "at random: writes with fail-overs, reads, answers, acknowledgements; all in order, nothing stands still")
    void random() {
        for (int seed = 0; seed < 200; seed++) {
            run(new Random(seed), seed);
        }
    }

    private void run(Random random, int seed) {
        link = pair(FailoverOrder.DRAIN_FIRST);
        a = new SideLog(link, "A");
        b = new SideLog(link, "B");
        List<SideLog> sides = List.of(a, b);
        int active = random.nextInt(2);
        int written = 0;
        int total = 60;
        int steps = 0;
        while (delivered().size() < total) {
            assertThat(++steps).as("seed %d: steps without an end", seed).isLessThan(20_000);
            switch (random.nextInt(8)) {
                case 0, 1 -> {
                    for (int i = random.nextInt(4); i >= 0 && written < total; i--) {
                        clock.move(Duration.ofMillis(1));
                        sides.get(active).append("k", ++written, clock.instant().toEpochMilli());
                    }
                }
                case 2 -> {
                    if (random.nextInt(3) == 0) {
                        active = 1 - active;
                        clock.move(DrainFirst.LEASE);
                    }
                }
                case 3 -> sides.get(random.nextInt(2)).poll(1 + random.nextInt(5));
                case 4 -> {
                    SideLog side = sides.get(random.nextInt(2));
                    link.tellEnds(side.side(), side.ends(), Map.of());
                }
                case 5 -> {
                    link.work();
                    if (!link.inRoute.isEmpty()) {
                        List<Delivery> all = new ArrayList<>(link.inRoute);
                        Delivery one = all.get(random.nextInt(all.size()));
                        link.inRoute.remove(one);
                        one.emitBatch(one.batch());
                        one.complete();
                    }
                }
                case 6 -> {
                    if (!link.shipped.isEmpty()
                            && link.lastShipped().acked() < link.lastShipped().size()) {
                        link.acknowledge(1);
                    }
                }
                default -> {
                    clock.move(Duration.ofMillis(random.nextInt(3) * 400L));
                    link.tick();
                    link.work();
                }
            }
        }
        assertThat(delivered()).as("seed %d", seed).isEqualTo(numbers(1, total));
        assertThat(reordered()).as("seed %d", seed).isZero();
        assertThat(link.totals().drainLimitsHit()).as("seed %d", seed).isZero();
    }
}
