package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.Sandbox.Cut;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.AsyncProducer;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("When the cluster behind the producer ports changes")
class FailOverIT {

    private static Sandbox sandbox;

    @TempDir Path folder;

    @BeforeAll
    static void open() {
        sandbox = Sandbox.start(SandboxOptions.defaults().brokersPerSide(2));
    }

    @AfterAll
    static void close() {
        sandbox.close();
    }

    @AfterEach
    void restore() {
        sandbox.restore();
    }

    /** A fault between two halves of the traffic. */
    private Audit replicate(
            String topic, int partitionsOfA, int partitionsOfB, List<Runnable> faults)
            throws Exception {
        sandbox.topics().create(Sandbox.Side.LOCAL, topic, partitionsOfA, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), partitionsOfA, partitionsOfB);
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, topic).replicate(topic);
        try (Traffic traffic = new Traffic(sandbox, topic, 40);
                Replicator replicator = Replicator.start(settings, folder)) {
            traffic.send(1_000, 2_000);
            replicator.awaitMessages(topic, 1, Duration.ofSeconds(30));
            for (Runnable fault : faults) {
                traffic.send(500, 2_000);
                fault.run();
                traffic.send(500, 2_000);
            }
            traffic.send(1_000, 2_000);
            replicator.awaitMessages(topic, traffic.total(), Duration.ofSeconds(60));
            Audit audit =
                    Audit.of(traffic.sent(), sandbox.readBack().both(sandbox.topicName(topic)));
            System.out.println(topic + ": " + audit + " " + replicator.status(topic));
            assertThat(audit.lost()).isEmpty();
            assertThat(audit.disorders()).isEmpty();
            return audit;
        }
    }

    @Test
    @DisplayName("nothing is lost and each key keeps its order on each side, connections reset")
    void flip() throws Exception {
        replicate("flip", 4, 4, Collections.nCopies(2, () -> sandbox.failOver(Cut.rst)));
    }

    @Test
    @DisplayName("the same when connections are left open and end later")
    void flipWithoutCut() throws Exception {
        replicate(
                "flip-nocut",
                4,
                4,
                Collections.nCopies(
                        2,
                        () -> {
                            sandbox.failOver(Cut.none);
                            sandbox.cut(Sandbox.Role.producer, Cut.fin);
                        }));
    }

    @Test
    @DisplayName("the same when one port moves before the others")
    void halfFlip() throws Exception {
        replicate("half-flip", 4, 4, List.of(() -> sandbox.halfFailOver(1), sandbox::failOver));
    }

    @Test
    @DisplayName("the same in a storm of 20")
    void storm() throws Exception {
        replicate("storm", 4, 4, Collections.nCopies(20, () -> sandbox.failOver(Cut.rst)));
    }

    @Test
    @Tag("fault")
    @DisplayName("the same in a storm of whole and half ones, with and without a cut, in any order")
    void mixedStorm() throws Exception {
        replicate("mixed-storm", 4, 4, mixed());
    }

    /** Twenty, the same at each run. */
    private static List<Runnable> mixed() {
        List<Runnable> kinds =
                List.of(
                        () -> sandbox.failOver(Cut.rst),
                        () -> sandbox.failOver(Cut.fin),
                        () -> sandbox.failOver(Cut.none),
                        () -> sandbox.cut(Sandbox.Role.producer, Cut.rst),
                        () -> sandbox.halfFailOver(0),
                        () -> sandbox.halfFailOver(1));
        return new Random(20).ints(20, 0, kinds.size()).mapToObj(kinds::get).toList();
    }

    @Test
    @Tag("fault")
    @DisplayName("the same for a sender to hermes: in both storms")
    void hermes() throws Exception {
        String topic = "storm-hermes";
        sandbox.topics().create(sandbox.topicName(topic), 4);
        Map<String, Integer> sent = new HashMap<>();
        AtomicInteger acknowledged = new AtomicInteger();
        List<Runnable> faults = new ArrayList<>(mixed());
        faults.addAll(Collections.nCopies(20, () -> sandbox.failOver(Cut.rst)));
        try (Replicator replicator =
                Replicator.start(new ReplicatorSettings(sandbox, topic), folder)) {
            Endpoint endpoint = replicator.main().getCamelContext().getEndpoint("hermes:" + topic);
            AsyncProducer producer = endpoint.createAsyncProducer();
            producer.start();
            for (Runnable fault : faults) {
                sendTo(endpoint, producer, 500, sent, acknowledged);
                fault.run();
            }
            sendTo(endpoint, producer, 500, sent, acknowledged);
            int total = sent.values().stream().mapToInt(Integer::intValue).sum();
            Awaitility.await("acknowledgements")
                    .atMost(Duration.ofSeconds(90))
                    .until(() -> acknowledged.get() == total);
        }
        Audit audit = Audit.of(sent, sandbox.readBack().both(sandbox.topicName(topic)));
        System.out.println(topic + ": " + audit);
        assertThat(audit.lost()).isEmpty();
        assertThat(audit.disorders()).isEmpty();
    }

    /** About 2,000 a second, each before the one before is acknowledged. */
    private static void sendTo(
            Endpoint endpoint,
            AsyncProducer producer,
            int count,
            Map<String, Integer> sent,
            AtomicInteger acknowledged) {
        for (int i = 0; i < count; i++) {
            String key = "k" + i % 40;
            Exchange exchange = endpoint.createExchange();
            exchange.getMessage().setHeader("CamelHermesKey", key);
            exchange.getMessage().setBody(String.valueOf(sent.merge(key, 1, Integer::sum) - 1));
            producer.process(
                    exchange,
                    done -> {
                        if (exchange.getException() == null) {
                            acknowledged.incrementAndGet();
                        }
                    });
            LockSupport.parkNanos(500_000);
        }
    }

    @Test
    @Tag("case-P2")
    @DisplayName("a side with fewer partitions loses and fails nothing")
    void fewerPartitions() throws Exception {
        replicate("fewer", 8, 4, List.of(() -> sandbox.failOver(Cut.rst)));
    }
}
