package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.SOURCE;
import static dev.streamconnect.engine.Fixtures.bytes;
import static dev.streamconnect.engine.Fixtures.options;
import static dev.streamconnect.engine.Fixtures.polled;
import static dev.streamconnect.engine.Fixtures.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.StoredState;
import dev.streamconnect.spi.UndeliveredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FlowUndeliveredTest {

    private final MovedClock clock = new MovedClock();
    private final MemoryStore store = new MemoryStore();
    private HandDrivenLink link;
    private PartitionFlow flow;
    private RefusingBroker broker;

    private void start(boolean batch, boolean holdsKeys) {
        link = HandDrivenLink.with(options(batch, 10, 10_000), clock, store, holdsKeys, 3);
        flow = new PartitionFlow(link, SOURCE, null, 4, () -> {});
        flow.keepUndelivered(link.undelivered(), "topic-1");
        broker = new RefusingBroker(link);
    }

    /** Records of these keys; the value is key and offset. */
    private void offer(long from, String... keys) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        long offset = from;
        for (String key : keys) {
            records.add(polled(offset, bytes(key), bytes(key + offset)));
            offset++;
        }
        flow.offer(records);
        link.work();
    }

    /** The route passes everything on as it is. */
    private void route() {
        for (Delivery d = link.inRoute.poll(); d != null; d = link.inRoute.poll()) {
            d.emitBatch(d.batch());
            d.complete();
            link.work();
        }
    }

    private void pass() {
        link.work();
        while (!link.inRoute.isEmpty() || broker.hasWork()) {
            route();
            broker.serve();
        }
    }

    private SweepCounts sweep() {
        CompletableFuture<SweepCounts> swept = flow.undelivered().sweep();
        pass();
        assertThat(swept).isDone();
        return swept.join();
    }

    private List<String> stored() {
        return store.rows.stream().map(row -> text(row.message().value())).toList();
    }

    @Test
    @Tag("case-F19")
    @Tag("case-U1")
    @DisplayName("a refused message and those of its key are stored once, all others pass")
    void refusedInTheMiddle() {
        start(true, true);
        flow.startAt(0);
        broker.refuses = "k1"::equals;
        offer(0, "j", "k", "k", "j", "k");
        pass();

        assertThat(broker.arrived).containsExactly("j0", "j3");
        assertThat(stored()).containsExactly("k1", "k2", "k4");
        StoredMessage first = store.rows.get(0);
        assertThat(first.message().reason()).isEqualTo(Reason.SIZE);
        assertThat(first.message().errorText()).isEqualTo("k1 is refused");
        assertThat(first.message().attempts()).isEqualTo(1);
        assertThat(store.rows.get(1).message().reason()).isEqualTo(Reason.BEHIND_KEY);
        assertThat(flow.committable()).isEqualTo(5);
        assertThat(link.monitor().snapshot().messages()).isEqualTo(2);

        offer(5, "k", "j");
        pass();
        assertThat(broker.arrived).containsExactly("j0", "j3", "j6");
        assertThat(stored()).containsExactly("k1", "k2", "k4", "k5");
        assertThat(flow.committable()).isEqualTo(7);

        broker.refuses = value -> false;
        assertThat(sweep()).as("not due yet").isEqualTo(SweepCounts.NONE);
        clock.move(Duration.ofMinutes(2));
        assertThat(sweep()).isEqualTo(new SweepCounts(4, 0, 0));
        assertThat(broker.arrived).containsExactly("j0", "j3", "j6", "k1", "k2", "k4", "k5");
        assertThat(stored()).isEmpty();

        offer(7, "k");
        pass();
        assertThat(broker.arrived).endsWith("k7");
    }

    @Test
    @DisplayName(
            "rows of topics that the record connected earlier are not sent, hold no key, stay, and are told of")
    void otherTopics() {
        start(true, true);
        flow.startAt(0);
        broker.refuses = value -> value.startsWith("k");
        offer(0, "k", "k", "j");
        pass();
        assertThat(stored()).containsExactly("k0", "k1");

        LinkDefinition before = link.definition();
        flow.close();
        LinkDefinition moved =
                new LinkDefinition(
                        before.id(),
                        before.sources(),
                        before.sourceTopic(),
                        before.startFrom(),
                        before.destination(),
                        "snc.acme.moved",
                        before.options());
        start(moved);
        flow.startAt(3);
        offer(3, "k", "j");
        pass();
        assertThat(broker.arrived).containsExactly("k3", "j4");
        clock.move(Duration.ofHours(1));
        assertThat(sweep()).isEqualTo(SweepCounts.NONE);
        assertThat(stored()).containsExactly("k0", "k1");
        new StoredTotals(store).tell(List.of(link));
        assertThat(link.status().state()).isEqualTo(LinkState.DEGRADED);
        assertThat(link.status().reason())
                .startsWith("2 undelivered messages are of orders -> snc.acme.orders,")
                .contains("give the record these topics back", "export and discard");
        assertThat(link.formerRows()).isEqualTo(2);

        broker.refuses = "k5"::equals;
        offer(5, "k");
        pass();
        new StoredTotals(store).tell(List.of(link));
        assertThat(link.status().reason())
                .startsWith("1 message is undelivered")
                .contains("; 2 undelivered messages are of orders -> snc.acme.orders,");

        flow.close();
        start(before);
        flow.startAt(6);
        assertThat(sweep()).as("its topics are back").isEqualTo(new SweepCounts(2, 0, 0));
        assertThat(broker.arrived).containsExactly("k0", "k1");
        assertThat(stored()).containsExactly("k5");
    }

    private void start(LinkDefinition definition) {
        link = HandDrivenLink.with(definition, clock, store, true, 3);
        flow = new PartitionFlow(link, SOURCE, null, 4, () -> {});
        flow.keepUndelivered(link.undelivered(), "topic-1");
        broker = new RefusingBroker(link);
    }

    @Test
    @Tag("case-F17")
    @DisplayName("a message whose headers the destination's old format has no place for is stored")
    void oldFormat() {
        start(true, true);
        flow.startAt(0);
        broker.refuses = "k1"::equals;
        UnsupportedForMessageFormatException answer =
                new UnsupportedForMessageFormatException("no headers in format v1");
        broker.answer = value -> FailureClassifier.classify("topic orders", answer);
        offer(0, "j", "k", "j");
        pass();
        assertThat(broker.arrived).containsExactly("j0", "j2");
        assertThat(stored()).containsExactly("k1");
        UndeliveredMessage row = store.rows.get(0).message();
        assertThat(row.reason()).isEqualTo(Reason.FORMAT);
        assertThat(row.errorClass()).isEqualTo(answer.getClass().getName());
        assertThat(row.errorText()).contains("no headers in format v1");
        assertThat(flow.committable()).isEqualTo(3);
    }

    @Test
    @DisplayName("without order per key the later ones go on")
    void withoutOrder() {
        start(true, false);
        flow.startAt(0);
        broker.refuses = "k0"::equals;
        offer(0, "k", "k", "j");
        pass();
        assertThat(broker.arrived).containsExactly("k1", "j2");
        assertThat(stored()).containsExactly("k0");
    }

    @Test
    @DisplayName("null keys are never held")
    void nullKeys() {
        start(true, true);
        flow.startAt(0);
        broker.refuses = "null0"::equals;
        offer(0, null, null);
        pass();
        assertThat(broker.arrived).containsExactly("null1");
        clock.move(Duration.ofMinutes(2));
        assertThat(sweep()).isEqualTo(new SweepCounts(0, 1, 0));
        broker.refuses = value -> false;
        clock.move(Duration.ofMinutes(5));
        assertThat(sweep()).isEqualTo(new SweepCounts(1, 0, 0));
    }

    @Test
    @DisplayName("a retry in vain leaves those behind it alone, and lets others of the store go on")
    void retryInVain() {
        start(true, true);
        flow.startAt(0);
        broker.refuses = value -> value.equals("k0") || value.equals("j1");
        offer(0, "k", "j", "k", "j");
        pass();
        broker.refuses = "k0"::equals;
        clock.move(Duration.ofMinutes(2));
        assertThat(sweep()).isEqualTo(new SweepCounts(2, 1, 0));
        assertThat(broker.arrived).containsExactly("j1", "j3");
        assertThat(stored()).containsExactly("k0", "k2");
        offer(4, "k", "j");
        pass();
        assertThat(broker.arrived).containsExactly("j1", "j3", "j5");
    }

    @Test
    @Tag("case-U3")
    @DisplayName("after the last attempt it is parked, and its key goes on")
    void parked() {
        start(true, true);
        flow.startAt(0);
        broker.refuses = "k0"::equals;
        offer(0, "k", "k");
        pass();
        clock.move(Duration.ofHours(2));
        assertThat(sweep()).isEqualTo(new SweepCounts(0, 1, 0));
        clock.move(Duration.ofHours(2));
        assertThat(sweep()).isEqualTo(new SweepCounts(1, 1, 1));
        assertThat(broker.arrived).containsExactly("k1");
        assertThat(store.rows.get(0).state()).isEqualTo(StoredState.PARKED);
        assertThat(store.rows.get(0).message().attempts()).isEqualTo(3);
        offer(2, "k");
        pass();
        assertThat(broker.arrived).containsExactly("k1", "k2");
        assertThat(stored()).containsExactly("k0");
    }

    @Test
    @DisplayName("after a restart the keys that wait are known before anything is sent")
    void restart() {
        start(true, true);
        flow.startAt(0);
        broker.refuses = "k0"::equals;
        offer(0, "k");
        pass();
        flow.close();

        start(true, true);
        flow.startAt(1);
        offer(1, "k", "j");
        pass();
        assertThat(broker.arrived).containsExactly("j2");
        assertThat(stored()).containsExactly("k0", "k1");
    }

    @Test
    @DisplayName(
            "rows of a topic that was made anew stay deliverable, before later ones of their key;"
                    + " parked they hold nothing")
    void madeAnew() {
        start(true, true);
        flow.startAt(7, new PositionMark("topic-1", "c", 4));
        broker.refuses = "k7"::equals;
        offer(7, "k");
        pass();
        assertThat(flow.isFinished()).isTrue();
        flow.startAnew(0, new PositionMark("topic-2", "c", 0));
        offer(0, "k", "j");
        pass();
        assertThat(broker.arrived).containsExactly("j1");
        assertThat(stored()).containsExactly("k7", "k0");
        assertThat(store.rows)
                .extracting(row -> row.message().topicId())
                .containsExactly("topic-1", "topic-2");
        assertThat(store.rows).extracting(row -> row.message().epoch()).containsExactly(0, 1);

        broker.refuses = value -> false;
        clock.move(Duration.ofHours(2));
        sweep();
        assertThat(broker.arrived).containsExactly("j1", "k7", "k0");
        offer(2, "k");
        pass();
        assertThat(broker.arrived).endsWith("k2");

        broker.refuses = "k3"::equals;
        offer(3, "k");
        pass();
        flow.startAnew(0, new PositionMark("topic-3", "c", 0));
        for (int attempt = 2; attempt <= 3; attempt++) {
            clock.move(Duration.ofHours(2));
            sweep();
        }
        assertThat(store.rows.get(0).state()).isEqualTo(StoredState.PARKED);
        offer(0, "k");
        pass();
        assertThat(broker.arrived).endsWith("k0");
        assertThat(flow.committable()).isEqualTo(1);
    }

    @Test
    @DisplayName("what is read again after a crash is not stored twice")
    void readAgain() {
        start(true, true);
        flow.startAt(0);
        broker.refuses = "k0"::equals;
        offer(0, "k", "k", "j");
        pass();
        flow.close();

        start(true, true);
        broker.refuses = "k0"::equals;
        flow.startAt(0);
        offer(0, "k", "k", "j");
        pass();
        assertThat(stored()).containsExactly("k0", "k1");
        assertThat(flow.committable()).isEqualTo(3);
    }

    @Test
    @DisplayName("while the store is away the partition waits and says so, and nothing is settled")
    void storeAway() throws Exception {
        start(true, true);
        flow.startAt(0);
        broker.refuses = "k1"::equals;
        store.away = true;
        offer(0, "j", "k", "j");
        pass();
        assertThat(broker.arrived).containsExactly("j0");
        assertThat(flow.committable()).isEqualTo(1);
        LinkStatus status = link.monitor().snapshot();
        assertThat(status.state()).isEqualTo(LinkState.STALLED);
        assertThat(status.reason()).contains("undelivered store", "the database is away");
        assertThat(flow.awaitQuiet(System.nanoTime() + 1_000_000_000)).isFalse();

        link.passBackoffs();
        assertThat(flow.committable()).isEqualTo(1);
        store.away = false;
        link.passBackoffs();
        pass();
        assertThat(broker.arrived).containsExactly("j0", "j2");
        assertThat(flow.committable()).isEqualTo(3);
        assertThat(link.monitor().snapshot().state()).isEqualTo(LinkState.DEGRADED);
        assertThat(link.monitor().snapshot().reason()).startsWith("1 message is undelivered");
    }

    @Test
    @DisplayName("a store that is away at the start holds everything back")
    void storeAwayAtTheStart() {
        store.away = true;
        start(true, true);
        flow.startAt(0);
        offer(0, "j");
        pass();
        assertThat(broker.arrived).isEmpty();
        store.away = false;
        link.passBackoffs();
        pass();
        assertThat(broker.arrived).containsExactly("j0");
    }

    @Test
    @DisplayName(
            "a step that fails is retried in place; past the limit the source record is stored")
    void routeFails() {
        start(false, true);
        flow.startAt(0);
        offer(0, "k", "j", "k");
        List<Delivery> first = List.copyOf(link.inRoute);
        link.inRoute.clear();
        for (int i = 1; i < 3; i++) {
            first.get(i).emitBatch(first.get(i).batch());
            first.get(i).complete();
        }
        first.get(0).fail(new IllegalStateException("503"));
        for (int minutes = 0; minutes < 11; minutes++) {
            clock.move(Duration.ofMinutes(1));
            link.passBackoffs();
            assertThat(stored()).as("retried in place").isEmpty();
            assertThat(link.inRoute).hasSize(1);
            link.inRoute.poll().fail(new IllegalStateException("503"));
        }
        link.work();
        pass();
        assertThat(broker.arrived).containsExactly("j1");
        assertThat(stored()).containsExactly("k0", "k2");
        assertThat(store.rows).allMatch(row -> row.message().stage() == Stage.ROUTE);
        assertThat(store.rows.get(0).message().reason()).isEqualTo(Reason.ROUTE);
        assertThat(store.rows.get(0).message().errorText()).contains("503");
        assertThat(flow.committable()).isEqualTo(3);

        clock.move(Duration.ofMinutes(2));
        assertThat(sweep()).as("through the route, one by one").isEqualTo(new SweepCounts(2, 0, 0));
        assertThat(broker.arrived).containsExactly("j1", "k0", "k2");
        assertThat(stored()).isEmpty();
    }

    @Test
    @DisplayName("of many that fail only the first is tried again and again")
    void oneIsTried() {
        start(false, true);
        flow.startAt(0);
        offer(0, "a", "b", "c", "d");
        List<Delivery> all = List.copyOf(link.inRoute);
        link.inRoute.clear();
        all.forEach(each -> each.fail(new IllegalStateException("503")));
        for (int round = 0; round < 5; round++) {
            link.passBackoffs();
            assertThat(link.inRoute).hasSize(1);
            link.inRoute.poll().fail(new IllegalStateException("503"));
        }
        link.passBackoffs();
        Delivery works = link.inRoute.poll();
        works.emitBatch(works.batch());
        works.complete();
        link.work();
        assertThat(link.inRoute).as("now the others").hasSize(3);
        pass();
        assertThat(broker.arrived).containsExactly("a0", "b1", "c2", "d3");
    }

    @Test
    @DisplayName("while the first fails again and again, what is new does not go into the route")
    void newOnesWait() {
        start(false, true);
        flow.startAt(0);
        offer(0, "a");
        for (int attempt = 0; attempt < 2; attempt++) {
            link.inRoute.poll().fail(new IllegalStateException("503"));
            link.passBackoffs();
        }
        offer(1, "b", "c");
        assertThat(link.inRoute).hasSize(1);
        link.inRoute.poll().fail(new IllegalStateException("503"));
        link.passBackoffs();
        assertThat(link.inRoute).hasSize(1);
        pass();
        assertThat(broker.arrived).containsExactly("a0", "b1", "c2");
    }

    @Test
    @DisplayName("what a stored source record becomes can be refused, too")
    void refusedAfterTheRoute() {
        start(false, true);
        flow.startAt(0);
        offer(0, "k");
        link.inRoute.poll().fail(new IllegalStateException("503"));
        clock.move(Duration.ofMinutes(11));
        link.passBackoffs();
        link.inRoute.poll().fail(new IllegalStateException("503"));
        pass();
        assertThat(stored()).containsExactly("k0");

        broker.refuses = "k0"::equals;
        clock.move(Duration.ofMinutes(2));
        sweep();
        assertThat(store.rows).hasSize(1);
        assertThat(store.rows.get(0).message().stage()).isEqualTo(Stage.DESTINATION);
        assertThat(store.rows.get(0).message().reason()).isEqualTo(Reason.SIZE);
        offer(1, "k");
        pass();
        assertThat(broker.arrived).isEmpty();
        broker.refuses = value -> false;
        clock.move(Duration.ofMinutes(2));
        sweep();
        assertThat(broker.arrived).containsExactly("k0", "k1");
    }

    @Test
    @DisplayName("more rows than one sweep takes let what is new in between")
    void longSweep() {
        start(true, true);
        flow.startAt(0);
        broker.refuses = value -> value.startsWith("k");
        String[] keys = new String[3_000];
        java.util.Arrays.fill(keys, "k");
        offer(0, keys);
        pass();
        assertThat(store.rows).hasSize(3_000);
        broker.refuses = value -> false;
        clock.move(Duration.ofMinutes(2));
        CompletableFuture<SweepCounts> swept = flow.undelivered().sweep();
        offer(3_000, "j");
        route();
        broker.serve();
        assertThat(swept.join()).isEqualTo(new SweepCounts(3_000, 0, 0));
        assertThat(broker.arrived.indexOf("j3000")).isBetween(1, 2_500);
        assertThat(broker.arrived.stream().filter(v -> v.startsWith("k")))
                .isSortedAccordingTo(
                        java.util.Comparator.comparingInt(v -> Integer.parseInt(v.substring(1))));
    }
}
