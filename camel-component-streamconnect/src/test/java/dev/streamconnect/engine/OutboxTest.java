package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OutboxTest {

    private static final SizeLimit LIMIT = Fixtures.sizeLimit(1_000_000);
    private static final int CHUNK = 10;

    private final MovedClock clock = new MovedClock();
    private Outbox outbox = new Outbox("hermes", 10 * CHUNK, clock);
    private final Map<Shipment, String> names = new HashMap<>();
    private final List<String> givenBack = new ArrayList<>();
    private final List<ShipmentAttempt> sent = new ArrayList<>();

    private final Shipment.Listener listener =
            new Shipment.Listener() {
                @Override
                public void progressed(Shipment shipment, int records, long bytes) {
                    throw new AssertionError("the outbox does not know");
                }

                @Override
                public void delivered(Shipment shipment) {
                    throw new AssertionError("the outbox does not know");
                }

                @Override
                public void failed(Shipment shipment, FailureVerdict verdict) {
                    givenBack.add(names.get(shipment) + ": " + verdict.reason());
                }
            };

    /** Answers nothing by itself. */
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(
                    Fixtures.cluster("a", "gone"),
                    false,
                    new RoundRobinPartitioner(),
                    new ByteArraySerializer(),
                    new ByteArraySerializer());

    /** So that no topic is alone. */
    @BeforeEach
    void register() {
        outbox.register(
                "idle",
                LIMIT,
                new LinkMonitor(Fixtures.link("idle", LinkOptions.defaults(true)), clock));
    }

    /** A shipment of two messages. */
    private void add(String topic, String name, Instant deadline) {
        Shipment shipment =
                new Shipment.Routed(
                        List.of(Fixtures.outgoing("k", "1"), Fixtures.outgoing("k", "2")),
                        null,
                        -1,
                        0,
                        listener) {
                    @Override
                    Instant deadline() {
                        return deadline;
                    }
                };
        names.put(shipment, name);
        outbox.add(topic, LIMIT, shipment);
    }

    private void add(String topic, int count) {
        IntStream.range(0, count).forEach(i -> add(topic, topic + i, null));
    }

    private void probed(TopicProbe.Result result) {
        for (DestinationTopic due : outbox.takeDueForProbe()) {
            List<Shipment> waited = new ArrayList<>();
            outbox.probed(due, result, waited);
            waited.forEach(s -> s.listener().failed(s, result.failure()));
        }
    }

    private void open() {
        probed(FakeProbe.there(Map.of()));
    }

    /** Sends what may be sent now. */
    private List<String> send() {
        int before = sent.size();
        for (Runnable next = outbox.poll(this::send);
                next != null;
                next = outbox.poll(this::send)) {
            next.run();
        }
        return sent.subList(before, sent.size()).stream().map(this::name).toList();
    }

    private void send(DestinationTopic topic, Shipment shipment) {
        ShipmentAttempt attempt =
                new ShipmentAttempt(
                        shipment, topic, new ProducerGeneration(done -> {}, changed -> {}));
        FailureVerdict refused = outbox.enter(attempt, CHUNK);
        if (refused == null) {
            sent.add(attempt);
        } else {
            shipment.listener().failed(shipment, refused);
        }
    }

    private String name(ShipmentAttempt attempt) {
        return names.get(attempt.shipment());
    }

    @Test
    @DisplayName("sends nothing before its topic is open, then topics in turn")
    void inTurn() {
        add("a", 2);
        add("b", 2);
        assertThat(send()).isEmpty();
        open();
        assertThat(send()).containsExactly("a0", "b0", "a1", "b1");
    }

    @Test
    @Tag("case-R8")
    @DisplayName("gives a topic half of its budget, whatever waits there; the others have the rest")
    void halfForATopic() {
        add("a", 20);
        open();
        assertThat(send()).hasSize(5);
        add("b", 20);
        open();
        assertThat(send()).containsExactly("b0", "b1", "b2", "b3", "b4");
        outbox.ended(sent.get(0), 2, false);
        assertThat(send()).containsExactly("a5");
    }

    @Test
    @DisplayName("gives a topic that is alone all of it")
    void alone() {
        outbox = new Outbox("hermes", 10 * CHUNK, clock);
        add("a", 20);
        open();
        assertThat(send()).hasSize(10);
    }

    @Test
    @DisplayName("what a shipment takes stays the same for all its chunks, and comes back once")
    void nextChunk() {
        add("a", 6);
        open();
        send();
        ShipmentAttempt first = sent.get(0);
        for (int chunk = 0; chunk < 3; chunk++) {
            outbox.goOn(first, 0, () -> send(first.topic(), first.shipment()));
            assertThat(send()).containsExactly("a0");
        }
        outbox.ended(first, 2, false);
        assertThat(send()).containsExactly("a5");
        assertThat(send()).isEmpty();
    }

    @Test
    @DisplayName(
            "puts back what its producer has not acknowledged as a whole, in order and before what waits")
    void putsBack() {
        add("a", 7);
        open();
        send();
        sent.get(1).shipment().ackRange(0, 2);
        sent.get(2).shipment().ackRange(0, 1);
        List<Shipment> whole = outbox.putBack(outbox.inFlight());
        assertThat(whole).extracting(names::get).containsExactly("a1");
        assertThat(outbox.inFlight()).isEmpty();
        assertThat(send()).containsExactly("a0", "a2", "a3", "a4", "a5");
    }

    @Test
    @DisplayName("gives back what waits at a topic that is closed, and takes no more for it")
    void closedTopic() {
        add("a", 1);
        clock.move(Duration.ofSeconds(10));
        probed(TopicProbe.Result.failed(new FailureVerdict.Unauthorized("no right")));
        assertThat(givenBack).containsExactly("a0: no right");
        add("a", "late", null);
        assertThat(givenBack).containsExactly("a0: no right", "late: no right");
    }

    @Test
    @DisplayName("gives back what waits for longer than it may, also in its turn to be sent")
    void deadline() {
        add("a", "soon", clock.instant().plusSeconds(5));
        add("a", "later", clock.instant().plusSeconds(15));
        add("a", "any time", null);
        clock.move(Duration.ofSeconds(10));
        outbox.expire();
        assertThat(givenBack).containsExactly("soon: hermes did not take the message in time");
        open();
        clock.move(Duration.ofSeconds(10));
        assertThat(send()).containsExactly("any time");
        assertThat(givenBack).hasSize(2).last().asString().startsWith("later: ");
    }

    @Test
    @Tag("case-R8")
    @DisplayName("tells how long chunks took, and wait; a topic that is missing tells nothing")
    void ackTimes() {
        add("a", 2);
        add("gone", 1);
        open();
        send();
        sent.forEach(
                attempt ->
                        attempt.send(
                                producer, ChunkSize.ofBatch(1_000, false), false, clock.millis()));
        clock.move(Duration.ofMillis(300));
        outbox.ended(sent.get(0), 2, false);
        clock.move(Duration.ofMillis(100));
        assertThat(outbox.takeAckTimes())
                .containsEntry("a", new AckTime(1, 300, 400))
                .containsEntry("gone", new AckTime(0, 0, 400));
        assertThat(outbox.takeAckTimes()).containsEntry("a", new AckTime(0, 0, 400));
        outbox.failed(sent.get(1), new FailureVerdict.TopicMissing("gone"));
        assertThat(outbox.takeAckTimes()).containsOnlyKeys("a", "idle");
    }

    @Test
    @DisplayName("that is closed gives back all it has, and what comes later")
    void closed() {
        add("a", 6);
        open();
        send();
        outbox.close();
        outbox.giveBackAll();
        add("a", "late", null);
        assertThat(givenBack)
                .containsExactly(
                        "a0: hermes is closed",
                        "a1: hermes is closed",
                        "a2: hermes is closed",
                        "a3: hermes is closed",
                        "a4: hermes is closed",
                        "a5: hermes is closed",
                        "late: hermes is closed");
    }
}
