package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.bytes;
import static dev.streamconnect.engine.Fixtures.outgoing;
import static dev.streamconnect.engine.Fixtures.polled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.cluster.BrokerPing;
import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.ClusterResourceListener;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DestinationClientTest {

    private static final String ORDERS = "snc.acme.orders";
    private static final String BARRIER = "snc.acme.barrier";
    private static final int LIMIT = LinkOptions.HERMES_MAX_MESSAGE_BYTES;

    private final MovedClock clock = new MovedClock();
    private final FakeProbe probe = new FakeProbe();
    private final List<HandedProducer> producers = new CopyOnWriteArrayList<>();
    private final List<Integer> batchSizes = new CopyOnWriteArrayList<>();
    private final List<Boolean> plains = new CopyOnWriteArrayList<>();
    private volatile BrokerPing.Answer ping = BrokerPing.Answer.ANSWERED;
    private final OutageGate gate = new OutageGate(() -> ping, clock);
    private DestinationClient client = client(4_096);

    /** A producer whose answers the test gives; two partitions a topic. */
    private static final class HandedProducer extends MockProducer<byte[], byte[]> {
        private final ClusterResourceListener listener;
        private volatile int acknowledgedAtClose;

        /** Thrown by each send; null for none. */
        private volatile Error fatal;

        /** Its counter of batches that it split. */
        private volatile double splits;

        /** Its counter of connections that were refused. */
        private volatile double refusals;

        HandedProducer(ClusterResourceListener listener) {
            super(
                    cluster(),
                    false,
                    new AllToOne(),
                    new ByteArraySerializer(),
                    new ByteArraySerializer());
            this.listener = listener;
            MetricName name = new MetricName("batch-split-total", "producer-metrics", "", Map.of());
            setMockMetrics(name, new Counter(name, () -> splits));
            MetricName refused =
                    new MetricName("failed-authentication-total", "producer-metrics", "", Map.of());
            setMockMetrics(refused, new Counter(refused, () -> refusals));
        }

        private record Counter(MetricName metricName, DoubleSupplier value) implements Metric {
            @Override
            public Object metricValue() {
                return value.getAsDouble();
            }
        }

        private static Cluster cluster() {
            Node node = new Node(0, "localhost", 1);
            List<PartitionInfo> partitions = new ArrayList<>();
            for (String topic : List.of(ORDERS, BARRIER)) {
                for (int i = 0; i < 2; i++) {
                    partitions.add(
                            new PartitionInfo(topic, i, node, new Node[] {node}, new Node[0]));
                }
            }
            return new Cluster(
                    "a", List.of(node), partitions, java.util.Set.of(), java.util.Set.of());
        }

        List<String> sent(String topic) {
            return history().stream()
                    .filter(record -> record.topic().equals(topic))
                    .map(record -> Fixtures.text(record.value()))
                    .toList();
        }

        @Override
        public synchronized Future<RecordMetadata> send(
                ProducerRecord<byte[], byte[]> record, Callback callback) {
            if (fatal != null) {
                throw fatal;
            }
            return super.send(record, callback);
        }

        void sees(String clusterId) {
            listener.onUpdate(new ClusterResource(clusterId));
        }

        @Override
        public void close(Duration timeout) {
            for (; acknowledgedAtClose > 0; acknowledgedAtClose--) {
                completeNext();
            }
            super.close(timeout);
        }
    }

    /** Everything to partition 0. */
    public static final class AllToOne implements Partitioner {
        @Override
        public int partition(String t, Object k, byte[] kb, Object v, byte[] vb, Cluster c) {
            return 0;
        }

        @Override
        public void close() {
            // nothing to close
        }

        @Override
        public void configure(Map<String, ?> configs) {
            // nothing to configure
        }
    }

    /** Remembers what the client says of a shipment. */
    private static final class Outcomes implements Shipment.Listener {
        private final List<String> told = new CopyOnWriteArrayList<>();
        private final List<FailureVerdict> verdicts = new CopyOnWriteArrayList<>();
        private volatile int records;
        private volatile long bytes;

        @Override
        public void progressed(Shipment shipment, int more, long moreBytes) {
            records += more;
            bytes += moreBytes;
        }

        @Override
        public void delivered(Shipment shipment) {
            told.add("delivered");
        }

        @Override
        public void failed(Shipment shipment, FailureVerdict verdict) {
            verdicts.add(verdict);
            told.add("failed");
        }
    }

    private final Outcomes outcomes = new Outcomes();

    private DestinationClient client(int batchSize) {
        ConnectionSettings settings =
                new ConnectionSettings(
                        "hermes",
                        ClientRole.HERMES_PRODUCER,
                        "localhost:2",
                        null,
                        Map.of("batch.size", batchSize));
        return new DestinationClient(
                settings,
                "test",
                clock,
                gate,
                (listener, size, plain) -> producer(listener, size, plain),
                probe);
    }

    private Producer<byte[], byte[]> producer(
            ClusterResourceListener listener, int batchSize, boolean plain) {
        batchSizes.add(batchSize);
        plains.add(plain);
        HandedProducer producer = new HandedProducer(listener);
        producers.add(producer);
        return producer;
    }

    private void use(int batchSize) {
        client.close();
        producers.clear();
        client = client(batchSize);
    }

    @AfterEach
    void stop() {
        client.close();
    }

    private HandedProducer last() {
        return producers.get(producers.size() - 1);
    }

    private Shipment ship(List<ConsumerRecord<byte[], byte[]>> records) {
        Shipment shipment = new Shipment.Raw(records, 4, outcomes);
        client.ship(ORDERS, LIMIT, shipment);
        return shipment;
    }

    private static List<ConsumerRecord<byte[], byte[]>> keyed(String... keys) {
        return IntStream.range(0, keys.length)
                .mapToObj(i -> polled(i, bytes(keys[i]), bytes(keys[i] + i)))
                .toList();
    }

    private void awaitSent(String... values) {
        await().untilAsserted(() -> assertThat(last().sent(ORDERS)).containsExactly(values));
    }

    private void awaitTold(String... told) {
        await().untilAsserted(() -> assertThat(outcomes.told).containsExactly(told));
    }

    /** Only when the sender has had its turn at everything before is the barrier sent. */
    private void passBarrier() {
        HandedProducer at = last();
        int before = at.sent(BARRIER).size();
        client.ship(BARRIER, LIMIT, new Shipment.Raw(keyed("barrier"), 4, new Outcomes()));
        client.housekeep();
        await().until(() -> at.sent(BARRIER).size() > before);
    }

    private void acknowledge(int records) {
        for (int i = 0; i < records; i++) {
            assertThat(last().completeNext()).isTrue();
        }
    }

    @Test
    @DisplayName("nothing is sent before a probe has seen the topic")
    void probedFirst() {
        ship(keyed("a"));
        assertThat(last().history()).isEmpty();
        client.housekeep();
        awaitSent("a0");
        acknowledge(1);
        awaitTold("delivered");
        assertThat(outcomes.bytes).isEqualTo(3);
    }

    @Test
    @Tag("case-S3")
    @DisplayName("a renewed certificate: a new producer goes on between two chunks of a shipment")
    void handsOver() {
        use(1_000);
        byte[] value = new byte[250];
        ship(IntStream.range(0, 7).mapToObj(i -> polled(i, null, value)).toList());
        client.housekeep();
        HandedProducer old = last();
        await().until(() -> old.sent(ORDERS).size() == 3);
        old.sees("a");

        client.renewed();
        ship(keyed("later"));
        acknowledge(2);
        assertThat(producers).as("one record is in flight").hasSize(1);
        acknowledge(1);

        await().until(() -> producers.size() == 2 && last().sent(ORDERS).size() >= 3);
        assertThat(old.sent(ORDERS)).as("nothing new after the renewal").hasSize(3);
        assertThat(old.closed()).isTrue();
        await().until(
                        () -> {
                            last().completeNext();
                            return outcomes.told.size() == 2;
                        });
        assertThat(last().sent(ORDERS)).as("each once").hasSize(5);
        assertThat(outcomes.records).isEqualTo(8);
        assertThat(outcomes.told).containsOnly("delivered");
    }

    @Test
    @Tag("case-S3")
    @DisplayName("a fail-over in the middle of a hand-over sends again what it cut, in order")
    void failOverInAHandOver() {
        ship(keyed("a", "b"));
        client.housekeep();
        awaitSent("a0", "b1");
        HandedProducer old = last();
        old.sees("a");
        client.renewed();
        old.acknowledgedAtClose = 1;
        old.sees("b");
        ship(keyed("c"));
        await().until(
                        () -> {
                            last().completeNext();
                            return outcomes.told.size() == 2;
                        });
        List<String> after = new ArrayList<>();
        producers.stream().skip(1).forEach(producer -> after.addAll(producer.sent(ORDERS)));
        assertThat(after).containsExactly("b1", "c0");
        assertThat(outcomes.told).containsOnly("delivered");
    }

    @Test
    @DisplayName(
            "when the sender's thread is dead its links are FAILED and say why, later ones, too")
    void deadSender() {
        LinkMonitor monitor = monitor("orders-to-sn");
        client.register(ORDERS, LIMIT, monitor);
        client.housekeep();
        last().fatal = new NoClassDefFoundError("a/lost/Class");
        ship(keyed("a"));
        await().untilAsserted(
                        () -> assertThat(monitor.snapshot().state()).isEqualTo(LinkState.FAILED));
        assertThat(monitor.snapshot().reason())
                .startsWith("hermes producer (localhost:2): sending ended: ")
                .contains("a/lost/Class")
                .endsWith("; restart the process");
        awaitTold("failed");

        probe.answers.clear();
        client.housekeep();
        assertThat(monitor.snapshot().state()).isEqualTo(LinkState.FAILED);
        LinkMonitor later = monitor("alarms-to-sn");
        client.register(BARRIER, LIMIT, later);
        assertThat(later.snapshot().state()).isEqualTo(LinkState.FAILED);
    }

    @Test
    @DisplayName(
            "without the right to be idempotent the next producer is not, nothing is lost or told"
                    + " as a failure, and the right is told as an optional one")
    void withoutIdempotence() {
        LinkMonitor monitor = monitor("orders-to-plant");
        client.register(ORDERS, LIMIT, monitor);
        ship(keyed("a", "b"));
        client.housekeep();
        awaitSent("a0", "b1");
        HandedProducer old = last();
        old.errorNext(new ClusterAuthorizationException("no right"));
        old.errorNext(new ClusterAuthorizationException("no right"));
        await().until(() -> producers.size() == 2);
        awaitSent("a0", "b1");
        acknowledge(2);
        awaitTold("delivered");
        assertThat(plains).containsExactly(false, true);
        assertThat(old.closed()).isTrue();

        client.housekeep();
        LinkStatus status = monitor.snapshot();
        assertThat(status.state()).isEqualTo(LinkState.RUNNING);
        assertThat(status.missingRights())
                .extracting(missing -> missing.right() + " on " + missing.resource())
                .containsExactly("IDEMPOTENCE on the cluster");

        ship(keyed("c"));
        awaitSent("a0", "b1", "c0");
        last().errorNext(new ClusterAuthorizationException("no right"));
        awaitTold("delivered", "failed");
        assertThat(outcomes.verdicts.get(0)).isInstanceOf(FailureVerdict.Unauthorized.class);
        assertThat(producers).as("only once").hasSize(2);
    }

    @Test
    @Tag("case-S1")
    @DisplayName("no producer is kept while probes are refused, and the next sends what waits")
    void refused() {
        LinkMonitor monitor = monitor("orders-to-sn");
        client.register(ORDERS, LIMIT, monitor);
        ship(keyed("a"));
        client.housekeep();
        awaitSent("a0");
        HandedProducer old = last();
        probe.refuses = true;
        probe.fails(ORDERS, new FailureVerdict.Unauthorized("the certificate has expired"));
        clock.move(DestinationTopic.PROBE_RETRY.multipliedBy(90));
        client.housekeep();
        await().until(old::closed);
        for (int i = 0; i < 60; i++) {
            clock.move(Duration.ofSeconds(10));
            client.housekeep();
        }
        assertThat(monitor.snapshot().state()).isEqualTo(LinkState.FAILED);
        assertThat(producers).hasSize(1);

        probe.refuses = false;
        probe.answers.clear();
        clock.move(Duration.ofSeconds(40));
        client.housekeep();
        await().until(() -> producers.size() == 2);
        client.housekeep();
        ship(keyed("b"));
        await().until(() -> last().sent(ORDERS).contains("b0"));
    }

    @Test
    @Tag("case-S1")
    @DisplayName("a producer that nobody sends by is closed when it is refused, and built later")
    void refusedWhileIdle() {
        for (int i = 0; i < 3; i++) {
            HandedProducer refused = last();
            int built = producers.size();
            refused.refusals = 1;
            await().until(
                            () -> {
                                client.housekeep();
                                return refused.closed();
                            });
            clock.move(Duration.ofMinutes(6));
            await().until(() -> producers.size() > built);
        }
    }

    private LinkMonitor monitor(String id) {
        LinkMonitor monitor = new LinkMonitor(Fixtures.link(id, LinkOptions.defaults(true)), clock);
        monitor.assigned("A", 1);
        return monitor;
    }

    /** To two topics, each shipment of four messages of 10 kB. */
    private void shipTwoTopics(int shipments, LinkMonitor monitor) {
        byte[] value = new byte[10_000];
        List.of(ORDERS, BARRIER).forEach(topic -> client.register(topic, LIMIT, monitor));
        for (int i = 0; i < shipments; i++) {
            for (String topic : List.of(ORDERS, BARRIER)) {
                client.ship(
                        topic,
                        LIMIT,
                        new Shipment.Raw(
                                IntStream.range(0, 4)
                                        .mapToObj(n -> polled(n, null, value))
                                        .toList(),
                                4,
                                outcomes));
            }
        }
        client.housekeep();
    }

    @Test
    @Tag("case-H17")
    @DisplayName(
            "with a pace topics are sent to in turns, chunk by chunk; what waits is held back, and"
                    + " no silence")
    void paced() {
        use(32 * 1024);
        Pace pace = new Pace("limit", 40_000, () -> clock.instant().toEpochMilli() * 1_000_000);
        client.pacedBy(pace);
        LinkMonitor monitor = monitor("orders-to-sn");
        monitor.lag("A", 1_000);
        shipTwoTopics(3, monitor);
        await().pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofMinutes(2))
                .until(
                        () -> {
                            while (last().completeNext()) {
                                Thread.onSpinWait();
                            }
                            if (pace.isHolding()) {
                                clock.move(Duration.ofMillis(60));
                                client.housekeep();
                            }
                            return outcomes.told.size() == 6;
                        });
        assertThat(outcomes.told).containsOnly("delivered");
        List<String> chunks = new ArrayList<>();
        last().history().forEach(record -> chunks.add(record.topic()));
        for (int from = 0; from + 4 <= chunks.size(); from += 4) {
            assertThat(chunks.subList(from, from + 4))
                    .as("two of each from %d", from)
                    .containsExactlyInAnyOrder(ORDERS, ORDERS, BARRIER, BARRIER);
        }
        Duration took = Duration.between(MovedClock.START, clock.instant());
        assertThat(took.toMillis()).isGreaterThanOrEqualTo((240_000 - 20_000 - 4_000) / 40);
        assertThat(client.rebuilds()).isZero();
        assertThat(monitor.counters().totals().throttleMillis())
                .isGreaterThan(took.toMillis() / 2)
                .isLessThanOrEqualTo(took.toMillis() + 250);
        LinkStatus status = monitor.snapshot();
        assertThat(status.state()).isEqualTo(LinkState.THROTTLED);
        assertThat(status.reason()).startsWith("limit=40000 of this node holds messages back: ");
    }

    @Test
    @DisplayName(
            "a chunk is what fits into a batch; the next one leaves when all of it is acknowledged")
    void chunks() {
        use(1_000);
        byte[] value = new byte[250];
        ship(IntStream.range(0, 7).mapToObj(i -> polled(i, null, value)).toList());
        client.housekeep();
        await().until(() -> last().sent(ORDERS).size() == 3);
        acknowledge(2);
        passBarrier();
        assertThat(last().sent(ORDERS)).hasSize(3);
        acknowledge(1);
        await().until(() -> last().sent(ORDERS).size() == 6);
        acknowledge(4);
        await().until(() -> last().sent(ORDERS).size() == 7);
        acknowledge(1);
        awaitTold("delivered");
        assertThat(outcomes.records).isEqualTo(7);
    }

    @Test
    @DisplayName("also where a batch is smaller than any record, records go, one by one")
    void tinyBatch() {
        use(16);
        ship(keyed("a", "b"));
        client.housekeep();
        awaitSent("a0");
        acknowledge(1);
        awaitSent("a0", "b1");
        acknowledge(1);
        awaitTold("delivered");
    }

    @Test
    @Tag("case-F19")
    @DisplayName("what the contract refuses is named after everything before it is acknowledged")
    void contractRefusal() {
        probe.answers.put(ORDERS, FakeProbe.there(Map.of("max.message.bytes", "1000")));
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>(keyed("a", "b"));
        records.add(polled(2, bytes("c"), new byte[2000]));
        records.add(polled(3, bytes("d"), bytes("d3")));
        Shipment shipment = ship(records);
        client.housekeep();
        awaitSent("a0", "b1");
        acknowledge(1);
        passBarrier();
        assertThat(outcomes.told).isEmpty();
        acknowledge(1);
        awaitTold("failed");
        assertThat(outcomes.verdicts.get(0)).isInstanceOf(FailureVerdict.MessageRefused.class);
        assertThat(outcomes.verdicts.get(0).reason()).contains(ORDERS, "2001", "1000");
        assertThat(shipment.acked()).isEqualTo(2);
        assertThat(outcomes.records).isEqualTo(2);
        passBarrier();
        assertThat(last().sent(ORDERS)).as("nothing passes it").hasSize(2);
    }

    @Test
    @DisplayName("where the contract can't be read, a chunk holds each key once")
    void unreadableContract() {
        probe.answers.put(ORDERS, FakeProbe.there(null));
        ship(keyed("a", "b", "a", "c", "c"));
        client.housekeep();
        awaitSent("a0", "b1");
        acknowledge(2);
        awaitSent("a0", "b1", "a2", "c3");
        acknowledge(1);
        // The barrier is acknowledged last, so only the second chunk's rest is pending here.
        acknowledge(1);
        awaitSent("a0", "b1", "a2", "c3", "c4");
    }

    @Test
    @DisplayName("a refused batch is sent again singly until the refused record is found")
    void singleSearch() {
        Shipment shipment = ship(keyed("a", "b", "c"));
        client.housekeep();
        awaitSent("a0", "b1", "c2");
        for (int i = 0; i < 3; i++) {
            last().errorNext(
                            i == 1
                                    ? new InvalidRecordException("bad")
                                    : new KafkaException("neighbour"));
        }
        awaitSent("a0", "b1", "c2", "a0");
        acknowledge(1);
        awaitSent("a0", "b1", "c2", "a0", "b1");
        last().errorNext(new InvalidRecordException("bad"));
        awaitTold("failed");
        assertThat(outcomes.verdicts.get(0)).isInstanceOf(FailureVerdict.MessageRefused.class);
        assertThat(shipment.acked()).isEqualTo(1);
        passBarrier();
        assertThat(last().sent(ORDERS)).hasSize(5);
        assertThat(client.rebuilds()).isZero();
    }

    @Test
    @Tag("case-R5")
    @DisplayName("what was acknowledged behind a refused record is counted once it is reached")
    void countsBehindTheRefused() {
        ship(keyed("a", "b", "c"));
        client.housekeep();
        awaitSent("a0", "b1", "c2");
        acknowledge(1);
        last().errorNext(new InvalidRecordException("for a moment"));
        acknowledge(1);
        awaitSent("a0", "b1", "c2", "b1");
        acknowledge(1);
        awaitTold("delivered");
        assertThat(outcomes.records).isEqualTo(3);
        assertThat(outcomes.bytes).isEqualTo(9);
    }

    @Test
    @DisplayName("a partition that is not there is refused at once and blocks nobody")
    void wrongPartition() {
        for (int partition : new int[] {2, -1}) {
            OutgoingRecord record =
                    new OutgoingRecord(bytes("k"), bytes("v"), List.of(), 1L, partition, true);
            client.ship(
                    ORDERS,
                    LIMIT,
                    new Shipment.Routed(List.of(outgoing("a", "a"), record), null, 2, 4, outcomes));
        }
        client.housekeep();
        awaitSent("a", "a");
        acknowledge(2);
        awaitTold("failed", "failed");
        assertThat(outcomes.verdicts)
                .hasOnlyElementsOfType(FailureVerdict.MessageRefused.class)
                .extracting(FailureVerdict::reason)
                .anyMatch(reason -> reason.contains("partition 2"))
                .anyMatch(reason -> reason.contains("partition -1"));
    }

    @Test
    @Tag("case-P2")
    @DisplayName(
            "another cluster: the producer ends at once, what is unacknowledged goes again in order")
    void clusterChange() {
        last().sees("a");
        ship(keyed("a", "b"));
        ship(keyed("c", "d"));
        client.housekeep();
        awaitSent("a0", "b1", "c0", "d1");
        acknowledge(1);
        HandedProducer first = last();
        first.sees("a");
        passBarrier();
        assertThat(producers).hasSize(1);

        first.sees("b");
        assertThat(first.closed()).isTrue();
        await().until(() -> producers.size() == 2);
        awaitSent("b1", "c0", "d1");
        assertThat(client.rebuilds()).isEqualTo(1);

        first.completeNext();
        first.completeNext();
        first.errorNext(new NetworkException("late"));
        assertThat(outcomes.told).as("late answers of a retired producer").isEmpty();
        // The barrier's record goes again, too.
        await().until(() -> last().history().size() == 4);
        acknowledge(4);
        awaitTold("delivered", "delivered");
        assertThat(outcomes.records).isEqualTo(4);
    }

    @Test
    @DisplayName(
            "what is acknowledged while the producer ends is not sent again, and its place is told")
    void acknowledgedAtTheEnd() throws Exception {
        last().sees("a");
        CompletableFuture<SendResult> result = new CompletableFuture<>();
        DirectSend send =
                new DirectSend(
                        outgoing("k", "v"),
                        client.ownLimit(LIMIT),
                        clock.instant().plusSeconds(120),
                        null,
                        result);
        client.ship(ORDERS, LIMIT, send.shipment());
        client.housekeep();
        awaitSent("v");
        HandedProducer first = last();
        first.acknowledgedAtClose = 1;
        first.sees("b");
        SendResult place = result.get(20, java.util.concurrent.TimeUnit.SECONDS);
        assertThat(place.topic()).isEqualTo(ORDERS);
        await().until(() -> producers.size() == 2);
        assertThat(producers.get(1).sent(ORDERS)).isEmpty();
    }

    @Test
    @DisplayName(
            "an error that is fatal for the client builds it anew; errors of a record, topic or right don't")
    void rebuildsOnlyForTheClient() {
        ship(keyed("a"));
        client.housekeep();
        awaitSent("a0");
        last().errorNext(new RecordTooLargeException("of the record"));
        awaitTold("failed");
        ship(keyed("b"));
        awaitSent("a0", "b0");
        last().errorNext(new TopicAuthorizationException(ORDERS));
        awaitTold("failed", "failed");
        assertThat(outcomes.verdicts.get(1)).isInstanceOf(FailureVerdict.Unauthorized.class);
        assertThat(client.rebuilds()).isZero();

        clock.move(Duration.ofSeconds(60));
        ship(keyed("c"));
        client.housekeep();
        awaitSent("a0", "b0", "c0");
        last().errorNext(new InvalidProducerEpochException("of the client"));
        await().until(() -> producers.size() == 2);
        awaitSent("c0");
        assertThat(client.rebuilds()).isEqualTo(1);
    }

    @Test
    @Tag("case-U6")
    @DisplayName(
            "a topic that is unknown for a moment, since it is new, keeps its messages waiting")
    void justCreated() {
        LinkMonitor monitor =
                new LinkMonitor(Fixtures.link("x", LinkOptions.defaults(true)), clock);
        monitor.assigned("A", 1);
        client.register(ORDERS, LIMIT, monitor);
        probe.fails(ORDERS, new FailureVerdict.TopicMissing("not there"));
        client.ship(ORDERS, LIMIT, new Shipment.Raw(keyed("a"), 4, outcomes));
        for (int i = 0; i < 11; i++) {
            client.housekeep();
            clock.move(Duration.ofMillis(250));
        }
        assertThat(outcomes.told).isEmpty();
        assertThat(monitor.snapshot().state()).isEqualTo(LinkState.RUNNING);
        assertThat(probe.asked).as("asked once a second").hasValue(3);
        probe.answers.remove(ORDERS);
        clock.move(Duration.ofSeconds(1));
        client.housekeep();
        awaitSent("a0");
    }

    @Test
    @Tag("case-H13")
    @DisplayName(
            "a missing topic gives its messages back and costs others nothing; retries when it is there")
    void missingTopic() {
        LinkMonitor monitor =
                new LinkMonitor(Fixtures.link("x", LinkOptions.defaults(true)), clock);
        monitor.assigned("A", 1);
        client.register(ORDERS, LIMIT, monitor);
        List<String> opened = new CopyOnWriteArrayList<>();
        monitor.onDestinationOpened(() -> opened.add("opened"));
        probe.fails(ORDERS, new FailureVerdict.TopicMissing("not there"));
        Shipment shipment = new Shipment.Raw(keyed("a"), 4, outcomes);
        client.ship(ORDERS, LIMIT, shipment);
        client.housekeep();
        clock.move(Duration.ofSeconds(4));
        client.housekeep();
        awaitTold("failed");
        assertThat(monitor.snapshot().state()).isEqualTo(LinkState.WAITING);
        client.ship(ORDERS, LIMIT, shipment);
        assertThat(outcomes.told).as("at once, without a probe").hasSize(2);
        passBarrier();

        probe.answers.remove(ORDERS);
        clock.move(Duration.ofSeconds(5));
        // Somebody else's shipment brings the topic from closed into doubt before the probe.
        client.ship(ORDERS, LIMIT, shipment);
        client.housekeep();
        assertThat(opened).hasSize(1);
        assertThat(monitor.snapshot().state()).isEqualTo(LinkState.RUNNING);
        awaitSent("a0");
    }

    @Test
    @Tag("case-O20")
    @DisplayName(
            "a message without a source fails after the delivery time-out, one with a source waits")
    void deadline() {
        probe.fails(ORDERS, new FailureVerdict.Transient("away"));
        CompletableFuture<SendResult> result = new CompletableFuture<>();
        DirectSend send =
                new DirectSend(
                        outgoing("k", "v"),
                        client.ownLimit(LIMIT),
                        clock.instant().plus(client.deliveryLimit()),
                        null,
                        result);
        client.ship(ORDERS, LIMIT, send.shipment());
        ship(keyed("a"));
        client.housekeep();
        clock.move(client.deliveryLimit());
        client.housekeep();
        assertThat(result).isNotDone();
        clock.move(Duration.ofMillis(1));
        client.housekeep();
        assertThatThrownBy(result::get).hasCauseInstanceOf(TimeoutException.class);
        assertThat(outcomes.told).isEmpty();
    }

    @Test
    @DisplayName("a rebuild does not begin a message's time anew")
    void deadlineOverRebuilds() {
        CompletableFuture<SendResult> result = new CompletableFuture<>();
        DirectSend send =
                new DirectSend(
                        outgoing("k", "v"),
                        client.ownLimit(LIMIT),
                        clock.instant().plus(client.deliveryLimit()),
                        null,
                        result);
        client.ship(ORDERS, LIMIT, send.shipment());
        client.housekeep();
        awaitSent("v");
        client.housekeep();
        clock.move(client.deliveryLimit().plusSeconds(1));
        client.housekeep();
        await().until(result::isDone);
        assertThatThrownBy(result::get).hasCauseInstanceOf(TimeoutException.class);
        assertThat(producers).as("it was built anew for its silence").hasSize(2);
    }

    @Test
    @Tag("case-P3")
    @DisplayName(
            "in an outage no producer is built before a broker answers; then all goes in order")
    void outage() {
        last().sees("a");
        ship(keyed("a", "b"));
        client.housekeep();
        awaitSent("a0", "b1");
        ping = BrokerPing.Answer.NONE;
        probe.fails(ORDERS, new FailureVerdict.Transient("away"));
        HandedProducer first = last();
        // Ask, stall, silence: one look at each.
        await().until(
                        () -> {
                            clock.move(Duration.ofSeconds(1));
                            client.housekeep();
                            return first.closed();
                        });
        CompletableFuture<SendResult> direct = new CompletableFuture<>();
        Instant deadline = clock.instant().plusSeconds(5);
        client.ship(
                ORDERS,
                LIMIT,
                new DirectSend(outgoing("k", "v"), client.ownLimit(LIMIT), deadline, null, direct)
                        .shipment());
        ship(keyed("c", "d"));
        await().until(
                        () -> {
                            clock.move(Duration.ofSeconds(1));
                            client.housekeep();
                            return direct.isDone();
                        });
        assertThatThrownBy(direct::get).hasCauseInstanceOf(TimeoutException.class);
        assertThat(producers).hasSize(1);
        assertThat(outcomes.told).isEmpty();

        ping = BrokerPing.Answer.ANSWERED;
        probe.answers.clear();
        await().until(
                        () -> {
                            clock.move(Duration.ofSeconds(1));
                            client.housekeep();
                            return producers.size() == 2 && last().sent(ORDERS).size() == 4;
                        });
        assertThat(last().sent(ORDERS)).containsExactly("a0", "b1", "c0", "d1");
        acknowledge(4);
        awaitTold("delivered", "delivered");
    }

    @Test
    @Tag("case-F19")
    @DisplayName(
            "batches that the broker refuses as too large over and over are made smaller; all goes again in order")
    void batchesOverTheLimit() {
        last().sees("a");
        ship(keyed("a", "b"));
        client.housekeep();
        awaitSent("a0", "b1");
        HandedProducer first = last();
        first.splits = 7;
        client.housekeep();
        passBarrier();
        assertThat(producers).as("a few splits are no loop").hasSize(1);
        first.splits = 8;
        client.housekeep();
        await().until(() -> producers.size() == 2);
        assertThat(first.closed()).isTrue();
        assertThat(batchSizes).endsWith(4_096, 1_024);
        await().until(() -> last().sent(ORDERS).size() == 2);
        assertThat(last().sent(ORDERS)).containsExactly("a0", "b1");
        last().splits = 100;
        client.housekeep();
        assertThat(producers).as("no smaller than that").hasSize(2);
    }

    @Test
    @DisplayName("a chunk is no larger than the topic's limit, which is one of batches, too")
    void chunkWithinTheLimit() {
        probe.answers.put(ORDERS, FakeProbe.there(Map.of("max.message.bytes", "200")));
        ship(keyed("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"));
        client.housekeep();
        await().until(() -> !last().sent(ORDERS).isEmpty());
        passBarrier();
        assertThat(last().sent(ORDERS)).hasSizeBetween(1, 6);
    }

    @Test
    @DisplayName("a close gives everything back, and later shipments too")
    void close() {
        ship(keyed("a"));
        client.housekeep();
        awaitSent("a0");
        Shipment waiting = new Shipment.Raw(keyed("b"), 4, outcomes);
        client.ship("not.probed", LIMIT, waiting);
        client.close();
        awaitTold("failed", "failed");
        ship(keyed("c"));
        awaitTold("failed", "failed", "failed");
        assertThat(outcomes.verdicts).hasOnlyElementsOfType(FailureVerdict.Transient.class);
        assertThat(last().closed()).isTrue();
    }
}
