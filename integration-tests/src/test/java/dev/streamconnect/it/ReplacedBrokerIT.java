package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.streamconnect.engine.LinkState;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One broker a cluster, so that a client knows no address any more when it is replaced: only the
 * bootstrap list leads back. A consumer built anew takes the place of the old one in its group, so
 * it does not wait for the end of a session.
 */
@DisplayName("When every broker that a client knows is replaced by one at another address")
class ReplacedBrokerIT {

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final int PART = 500;

    private static Sandbox sandbox;

    @TempDir Path folder;

    @BeforeAll
    static void open() {
        sandbox = Sandbox.start(SandboxOptions.defaults());
    }

    @AfterAll
    static void close() {
        sandbox.close();
    }

    private ReplicatorSettings settings(String topic) {
        sandbox.topics().create(Side.LOCAL, topic, 4, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 4);
        return new ReplicatorSettings(sandbox, topic);
    }

    /** From one port of its ranges to another; the old address is gone. */
    private static void replace(Side side, Role role, int from, int to) {
        sandbox.down(role, from);
        sandbox.restartBroker(side, 0, to);
    }

    /** While two seconds of traffic are on their way. */
    private static void during(Traffic traffic, Runnable replacement) throws Exception {
        CompletableFuture<Traffic> sending =
                CompletableFuture.supplyAsync(() -> traffic.send(4 * PART, PART * 2));
        replacement.run();
        sending.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private static void awaitRecovery(Replicator replicator, String topic, long messages) {
        Instant replaced = Instant.now();
        replicator.awaitMessages(topic, messages, LIMIT);
        System.out.printf(
                "%s: recovery %d ms%n",
                topic, Duration.between(replaced, Instant.now()).toMillis());
        replicator.awaitState(topic, LinkState.RUNNING, LIMIT);
        assertThat(replicator.status(topic).errorSince()).isNull();
    }

    private static void assertAllThere(Traffic traffic, String topic) {
        Audit audit = Audit.of(traffic.sent(), sandbox.readBack().both(sandbox.topicName(topic)));
        System.out.println(topic + ": " + audit);
        assertThat(audit.lost()).isEmpty();
        assertThat(audit.disorders()).isEmpty();
    }

    @Test
    @Tag("case-S12")
    @DisplayName("S12: sending to Hermes goes on, nothing is lost")
    void destination() throws Exception {
        String topic = "replaced-destination";
        try (Traffic traffic = new Traffic(sandbox, topic, 40);
                Replicator replicator =
                        Replicator.start(settings(topic).replicate(topic), folder)) {
            traffic.send(PART, 2_000);
            replicator.awaitMessages(topic, PART, LIMIT);
            assertThat(connections(Role.producer, 0)).isPositive();

            during(traffic, () -> replace(Side.A, Role.producer, 0, 17));
            awaitRecovery(replicator, topic, traffic.total());
            assertThat(connections(Role.producer, 17)).isPositive();
            assertAllThere(traffic, topic);
        }
    }

    @Test
    @Tag("fault")
    @Tag("case-S12")
    @DisplayName("S12: reading a side of Hermes goes on, nothing is lost")
    void hermesSource() throws Exception {
        String topic = "replaced-side";
        try (Replicator replicator =
                Replicator.start(settings(topic).replicateFrom(topic), folder)) {
            send(Side.B, topic, 0, PART);
            replicator.awaitMessages(topic, PART, LIMIT);
            assertThat(connections(Role.consumerB, 0)).isPositive();

            replace(Side.B, Role.consumerB, 0, 18);
            send(Side.B, topic, PART, 2 * PART);
            awaitRecovery(replicator, topic, 2 * PART);
            assertThat(connections(Role.consumerB, 18)).isPositive();
            assertThat(sandbox.readBack().all(Side.LOCAL, topic))
                    .extracting(ReadBack.Stored::text)
                    .containsAll(numbers(2 * PART));
        }
    }

    @Test
    @Tag("fault")
    @Tag("case-S12")
    @DisplayName("S12: reading the customer's Kafka goes on, nothing is lost")
    void customerSource() throws Exception {
        String topic = "replaced-source";
        // Its bootstrap address stays, so the broker is at another one from the beginning.
        sandbox.restartBroker(Side.LOCAL, 0, 1);
        try (Traffic traffic = new Traffic(sandbox, topic, 40);
                Replicator replicator =
                        Replicator.start(
                                settings(topic)
                                        .connectionProperty("session.timeout.ms", "600000")
                                        .replicate(topic),
                                folder)) {
            traffic.send(PART, 2_000);
            replicator.awaitMessages(topic, PART, LIMIT);
            assertThat(connections(Role.local, 1)).isPositive();

            during(traffic, () -> replace(Side.LOCAL, Role.local, 1, 2));
            awaitRecovery(replicator, topic, traffic.total());
            assertThat(connections(Role.local, 2)).isPositive();
            assertAllThere(traffic, topic);
        }
    }

    private static void send(Side side, String topic, int from, int to) {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", sandbox.internalBootstrap(side)),
                        new StringSerializer(),
                        new StringSerializer())) {
            for (String number : numbers(to).subList(from, to)) {
                producer.send(new ProducerRecord<>(sandbox.topicName(topic), number, number));
            }
        }
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(String::valueOf).toList();
    }

    /** Open connections of a port. */
    private static int connections(Role role, int index) {
        int connections = 0;
        for (JsonNode port : sandbox.status().get("ports")) {
            if (port.get("role").asText().equals(role.name())
                    && port.get("index").asInt() == index) {
                connections += port.get("connections").asInt();
            }
        }
        return connections;
    }
}
