package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.bytes;
import static dev.streamconnect.engine.Fixtures.polled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.IssuedStores;
import dev.streamconnect.cluster.WatchedTls;
import dev.streamconnect.record.StartFrom;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("case-R8")
class OwnClientsTest {

    private static final String FAST = "fast";
    private static final String FAST_TOO = "fast-too";

    private final MovedClock clock = new MovedClock();
    private final FakeProbe probe = new FakeProbe();
    private final EngineThreads threads = new EngineThreads();

    /** Producers by the name of their connection. */
    private final Map<String, MockProducer<byte[], byte[]>> producers = new ConcurrentHashMap<>();

    private final SharedClients<DestinationClient> clients =
            new SharedClients<>(
                    this::client,
                    client -> threads.timer().schedule(() -> {}, 1, TimeUnit.MILLISECONDS));
    private final OwnClients owns = new OwnClients(clients, clock);
    private final Map<String, KafkaLink> links = new LinkedHashMap<>();
    private final List<String> told = new CopyOnWriteArrayList<>();

    private ConnectionSettings hermes = Fixtures.HERMES;

    /** The shared one is the first. */
    private final List<DestinationClient> open = new CopyOnWriteArrayList<>();

    private final Shipment.Listener outcomes =
            new Shipment.Listener() {
                @Override
                public void progressed(Shipment shipment, int records, long bytes) {
                    // told by delivered
                }

                @Override
                public void delivered(Shipment shipment) {
                    told.add("delivered");
                }

                @Override
                public void failed(Shipment shipment, FailureVerdict verdict) {
                    told.add(verdict.reason());
                }
            };

    private DestinationClient client(ConnectionSettings settings) {
        DestinationClient client = build(settings);
        open.add(client);
        return client;
    }

    private DestinationClient build(ConnectionSettings settings) {
        return new DestinationClient(
                settings,
                "test",
                clock,
                Fixtures.openGate(),
                (listener, batchSize, plain) -> {
                    MockProducer<byte[], byte[]> producer =
                            new MockProducer<>(
                                    Fixtures.cluster(
                                            FAST, FAST_TOO, "slow-0", "slow-1", "slow-2", "slow-3",
                                            "slow-4"),
                                    false,
                                    new RoundRobinPartitioner(),
                                    new ByteArraySerializer(),
                                    new ByteArraySerializer());
                    producers.put(settings.cluster(), producer);
                    listener.onUpdate(new ClusterResource("a"));
                    return producer;
                },
                probe);
    }

    @BeforeEach
    void open() {
        open(FAST);
    }

    private KafkaLink open(String topic) {
        LinkDefinition definition =
                new LinkDefinition(
                        topic,
                        List.of(Fixtures.PLANT),
                        topic,
                        StartFrom.EARLIEST,
                        hermes,
                        topic,
                        LinkOptions.defaults(true));
        SharedClients<DestinationClient>.Lease lease = clients.lease(hermes);
        KafkaLink link =
                new KafkaLink(
                        definition, d -> {}, lease.client(), threads, clock, null, (l, t) -> {});
        link.hold(List.of(), lease);
        link.registerDestination();
        links.put(topic, link);
        lease.client().housekeep();
        return link;
    }

    @AfterEach
    void close() {
        clients.closeAll(DestinationClient::close);
        threads.close();
    }

    private static String ownName(String topic) {
        return "hermes for " + topic;
    }

    /** Ships a message by the link and waits until the connection has it. */
    private void ship(String topic, String connection) {
        MockProducer<byte[], byte[]> producer = producers.get(connection);
        int before = producer.history().size();
        links.get(topic)
                .ship(new Shipment.Raw(List.of(polled(0, bytes("k"), bytes("v"))), 4, outcomes));
        await().until(() -> producer.history().size() > before);
    }

    /** A window in which each of the slow ones takes a second, at the connection that it is on. */
    private void window(int slow, boolean own) {
        for (String fast : List.of(FAST, FAST_TOO)) {
            if (links.containsKey(fast)) {
                ship(fast, "hermes");
                producers.get("hermes").completeNext();
            }
        }
        for (int i = 0; i < slow; i++) {
            ship("slow-" + i, own ? ownName("slow-" + i) : "hermes");
        }
        clock.move(Duration.ofSeconds(1));
        for (int i = 0; i < slow; i++) {
            producers.get(own ? ownName("slow-" + i) : "hermes").completeNext();
        }
        endWindow();
    }

    private void endWindow() {
        clock.move(Duration.ofSeconds(4));
        // A client of its own is made in the first round, has seen its topic in the second.
        for (int round = 0; round < 2; round++) {
            for (DestinationClient each : open) {
                each.housekeep();
                owns.look(each, links.values());
            }
        }
        owns.look(open.get(0), links.values());
    }

    /** A window in which all are as fast as each other. */
    private void wellWindow(String topic) {
        ship(FAST, "hermes");
        producers.get("hermes").completeNext();
        ship(topic, ownName(topic));
        producers.get(ownName(topic)).completeNext();
        clock.move(Duration.ofSeconds(1));
        endWindow();
    }

    private void useStores(IssuedStores stores) {
        clients.closeAll(DestinationClient::close);
        links.clear();
        open.clear();
        hermes =
                new ConnectionSettings(
                        "hermes",
                        ClientRole.HERMES_PRODUCER,
                        "h:1",
                        null,
                        WatchedTls.open(stores.options(), clock).properties());
        open(FAST);
    }

    @Test
    @Tag("case-S3")
    @DisplayName("a renewed certificate is handed over to by a client of its own, too")
    void renewed(@TempDir Path folder) throws Exception {
        IssuedStores stores = new IssuedStores(folder);
        stores.issue(MovedClock.START, Duration.ofDays(1));
        useStores(stores);
        KafkaLink slow = open("slow-0");
        for (int i = 0; i < 3; i++) {
            window(1, false);
        }
        assertThat(slow.hasOwnClient()).isTrue();
        Map<String, MockProducer<byte[], byte[]>> before = Map.copyOf(producers);
        assertThat(before).containsOnlyKeys("hermes", ownName("slow-0"));

        CertificateWatch watch =
                new CertificateWatch(
                        (settings, material) ->
                                new CertificateTrial.Result(CertificateTrial.Outcome.TAKEN, ""),
                        clock);
        stores.issue(clock.instant(), Duration.ofDays(2));
        for (int i = 0; i < 3; i++) {
            List<CertificateWatch.Connected> connected = new ArrayList<>();
            clients.each(
                    (settings, client) ->
                            connected.add(
                                    new CertificateWatch.Connected(settings, client::renewed)));
            watch.look(connected, links.values());
        }
        before.forEach(
                (name, old) -> {
                    await(name).until(old::closed);
                    await(name).until(() -> producers.get(name) != old);
                });
        told.clear();
        open.forEach(DestinationClient::housekeep);
        ship("slow-0", ownName("slow-0"));
        producers.get(ownName("slow-0")).completeNext();
        await().until(() -> told.equals(List.of("delivered")));
    }

    private static String notice(KafkaLink link) {
        return link.status().notice();
    }

    @Test
    @DisplayName("a slow one gets a client of its own after three windows; the others stay")
    void moves() {
        KafkaLink slow = open("slow-0");
        window(1, false);
        window(1, false);
        assertThat(slow.hasOwnClient()).isFalse();
        assertThat(notice(slow)).isEmpty();
        window(1, false);
        assertThat(slow.hasOwnClient()).isTrue();
        assertThat(links.get(FAST).hasOwnClient()).isFalse();
        assertThat(notice(slow))
                .startsWith(
                        "its destination takes 1000 ms to acknowledge where its neighbours take 0"
                                + " ms; it has a client of its own since 2026-01-01T");
        assertThat(notice(links.get(FAST))).isEmpty();
        ship("slow-0", ownName("slow-0"));
        assertThat(producers.get("hermes").history()).hasSize(6);
    }

    @Test
    @DisplayName("what is with the shared client when it moves comes to its end there")
    void inFlight() {
        open("slow-0");
        window(1, false);
        window(1, false);
        ship(FAST, "hermes");
        producers.get("hermes").completeNext();
        ship("slow-0", "hermes");
        clock.move(Duration.ofSeconds(1));
        endWindow();
        assertThat(links.get("slow-0").hasOwnClient()).isTrue();
        int before = told.size();
        producers.get("hermes").completeNext();
        await().until(() -> told.size() > before);
        assertThat(told).containsOnly("delivered");
    }

    @Test
    @DisplayName("it goes back when it has been well for a minute, and its client ends")
    void back() {
        KafkaLink slow = open("slow-0");
        for (int i = 0; i < 3; i++) {
            window(1, false);
        }
        window(1, true);
        for (int i = 0; i < 11; i++) {
            wellWindow("slow-0");
        }
        assertThat(slow.hasOwnClient()).isTrue();
        wellWindow("slow-0");
        assertThat(slow.hasOwnClient()).isFalse();
        assertThat(notice(slow)).isEmpty();
        ship("slow-0", "hermes");
    }

    @Test
    @DisplayName("it moves only when its own client has seen the topic")
    void notSeen() {
        KafkaLink slow = open("slow-0");
        probe.fails("slow-0", new FailureVerdict.Transient("no answer"));
        for (int i = 0; i < 4; i++) {
            window(1, false);
        }
        assertThat(producers).containsKey(ownName("slow-0"));
        assertThat(slow.hasOwnClient()).isFalse();
        probe.answers.clear();
        window(1, false);
        assertThat(slow.hasOwnClient()).isTrue();
    }

    @Test
    @DisplayName("a window in which it is slow begins the minute anew")
    void notYetWell() {
        KafkaLink slow = open("slow-0");
        for (int i = 0; i < 3; i++) {
            window(1, false);
        }
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 11; i++) {
                wellWindow("slow-0");
            }
            window(1, true);
        }
        assertThat(slow.hasOwnClient()).isTrue();
    }

    @Test
    @DisplayName("four have clients of their own; the fifth is told so, until one of them ends")
    void most() {
        open(FAST_TOO);
        for (int i = 0; i <= OwnClients.MOST; i++) {
            open("slow-" + i);
        }
        for (int i = 0; i < 3; i++) {
            window(5, false);
        }
        KafkaLink last = links.get("slow-4");
        assertThat(links.values()).filteredOn(KafkaLink::hasOwnClient).hasSize(OwnClients.MOST);
        assertThat(last.hasOwnClient()).isFalse();
        assertThat(notice(last)).endsWith("; 4 others have their own");
        KafkaLink ended = links.remove("slow-0");
        ended.closeDestination();
        owns.ended(ended);
        assertThat(producers.get(ownName("slow-0")).closed()).isTrue();
        endWindow();
        assertThat(last.hasOwnClient()).isTrue();
    }

    @Test
    @DisplayName("a link that has left its destination is not moved any more")
    void left() {
        KafkaLink slow = open("slow-0");
        window(1, false);
        window(1, false);
        slow.closeDestination();
        window(1, false);
        assertThat(slow.hasOwnClient()).isFalse();
        owns.ended(slow);
        assertThat(producers.get(ownName("slow-0")).closed()).isTrue();
    }
}
