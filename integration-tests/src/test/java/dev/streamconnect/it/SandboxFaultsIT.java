package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.streamconnect.it.Sandbox.Cut;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The sandbox's faults, seen by a plain client")
class SandboxFaultsIT {

    private static final Duration SHORT = Duration.ofSeconds(1);

    private final Sandbox sandbox = Sandbox.shared();
    private final String topic = sandbox.topicName("faults-" + UUID.randomUUID());
    private KafkaProducer<String, String> producer;

    @BeforeEach
    void open() throws Throwable {
        sandbox.restore();
        sandbox.topics().create(topic, 1);
        producer = new PlainClients(sandbox).producer();
        PlainClients.send(producer, topic, "before");
    }

    @AfterEach
    void close() {
        producer.close(Duration.ZERO);
        sandbox.restore();
    }

    @ParameterizedTest
    @EnumSource(
            value = Cut.class,
            names = {"rst", "fin"})
    @DisplayName("a fail-over moves the producer to the other side")
    void failOver(Cut cut) throws Throwable {
        sandbox.failOver(cut);
        PlainClients.send(producer, topic, "after");

        assertThat(values(Side.A)).containsExactly("before");
        assertThat(values(Side.B)).containsExactly("after");
        assertThat(sandbox.status().get("near").asText()).isEqualTo("B");
    }

    @Test
    @DisplayName("a fail-over without a cut leaves present connections where they are")
    void failOverWithoutCut() throws Throwable {
        sandbox.failOver(Cut.none);
        PlainClients.send(producer, topic, "after");
        sandbox.cut(Role.producer, Cut.rst);
        PlainClients.send(producer, topic, "later");

        assertThat(values(Side.A)).containsExactly("before", "after");
        assertThat(values(Side.B)).containsExactly("later");
    }

    @Test
    @DisplayName("half a fail-over moves one producer port")
    void halfFailOver() {
        sandbox.halfFailOver(1);

        assertThat(producerTargets()).containsExactly("A-0", "B-0", "A-0", "A-0");
        sandbox.halfFailOver(1);
        assertThat(producerTargets()).containsOnly("A-0");
    }

    @Test
    @Tag("case-P3")
    @DisplayName("a black hole swallows everything until it heals, and its connections stay dead")
    void blackHole() throws Throwable {
        sandbox.blackHole(Role.producer);
        assertThat(PlainClients.acknowledgedWithin(producer, topic, "in the hole", SHORT))
                .isFalse();
        assertThat(deadConnections(Role.producer)).isPositive();

        sandbox.heal(Role.producer);
        PlainClients.send(producer, topic, "after");
        assertThat(values(Side.A)).containsExactly("before", "in the hole", "after");
    }

    @Test
    @Tag("case-P3")
    @DisplayName("dead connections stay dead while new ones work")
    void deadConnections() throws Throwable {
        sandbox.killConnections(Role.producer);
        assertThat(PlainClients.acknowledgedWithin(producer, topic, "lost", SHORT)).isFalse();
        try (KafkaProducer<String, String> fresh = new PlainClients(sandbox).producer()) {
            PlainClients.send(fresh, topic, "fresh");
        }
        assertThat(values(Side.A)).startsWith("before", "fresh");
    }

    @Test
    @DisplayName("a delay holds every byte back, in order")
    void delay() throws Throwable {
        Duration delay = Duration.ofMillis(300);
        sandbox.delay(Role.producer, delay);
        long start = System.nanoTime();
        PlainClients.send(producer, topic, "slow");
        Duration slow = Duration.ofNanos(System.nanoTime() - start);

        assertThat(slow).isBetween(delay.multipliedBy(2), delay.multipliedBy(2).plusSeconds(2));
        for (int i = 0; i < 200; i++) {
            producer.send(new ProducerRecord<>(topic, "n" + i + "-" + "x".repeat(1_000)));
        }
        sandbox.delay(Role.producer, Duration.ZERO);
        PlainClients.send(producer, topic, "last");
        assertThat(values(Side.A)).hasSize(203).last().isEqualTo("last");
    }

    @ParameterizedTest
    @EnumSource(
            value = Cut.class,
            names = {"rst", "fin"})
    @DisplayName("a cut ends connections, and clients come back")
    void cut(Cut cut) throws Throwable {
        assertThat(sandbox.cut(Role.producer, cut)).isPositive();
        PlainClients.send(producer, topic, "after");
        assertThat(values(Side.A)).containsExactly("before", "after");
    }

    @Test
    @DisplayName("a port that is down or resets is left until it heals")
    void downAndReset() throws Throwable {
        sandbox.down(Role.producer);
        assertThat(PlainClients.acknowledgedWithin(producer, topic, "one", SHORT)).isFalse();
        sandbox.reset(Role.producer);
        assertThat(PlainClients.acknowledgedWithin(producer, topic, "two", SHORT)).isFalse();
        sandbox.heal(Role.producer);
        PlainClients.send(producer, topic, "three");
        assertThat(values(Side.A)).containsExactly("before", "one", "two", "three");
    }

    @Test
    @DisplayName("a broker restarts with its data and its ports")
    void brokerRestart() throws Throwable {
        sandbox.restartBroker(Side.A, 0);
        PlainClients.send(producer, topic, "after");
        assertThat(values(Side.A)).containsExactly("before", "after");

        sandbox.stopBroker(Side.B, 0);
        assertThat(sandbox.status().at("/clusters/B/running/0").asBoolean()).isFalse();
        sandbox.startBroker(Side.B, 0);
        assertThat(sandbox.status().at("/clusters/B/running/0").asBoolean()).isTrue();
    }

    @Test
    @DisplayName("the local Kafka can have the same faults")
    void localFaults() throws Throwable {
        String local = "local-" + UUID.randomUUID();
        try (KafkaProducer<String, String> customer = new PlainClients(sandbox).localProducer()) {
            PlainClients.send(customer, local, "before");
            sandbox.blackHole(Role.local);
            assertThat(PlainClients.acknowledgedWithin(customer, local, "in", SHORT)).isFalse();
            sandbox.heal(Role.local);
            PlainClients.send(customer, local, "after");
        }
        assertThat(sandbox.readBack().all(Side.LOCAL, local))
                .extracting(ReadBack.Stored::text)
                .containsExactly("before", "in", "after");
    }

    @Test
    @DisplayName("sides can differ in partitions, and topics can be on one side")
    void unequalTopics() {
        String unequal = sandbox.topicName("unequal-" + UUID.randomUUID());
        sandbox.topics().create(unequal, 4, 2);
        sandbox.control().post("/topics/grow", Map.of("name", unequal, "partitionsB", 8));
        assertThat(sandbox.topics().partitions(Side.A, unequal)).isEqualTo(4);
        sandbox.topics().configure(Side.B, unequal, Map.of("retention.ms", "60000"));
        sandbox.topics().delete(Side.A, unequal);

        assertThat(sandbox.topics().partitions(Side.B, unequal)).isEqualTo(8);
        assertThat(sandbox.topics().exists(Side.A, unequal)).isFalse();
    }

    @Test
    @DisplayName("positions of groups can be seen without Kafka's own tools")
    void groups() throws Exception {
        String local = "positions-" + UUID.randomUUID();
        sandbox.topics().create(Side.LOCAL, local, 1, Map.of());
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", sandbox.bootstrap(Role.local)))) {
            admin.alterConsumerGroupOffsets(
                            local, Map.of(new TopicPartition(local, 0), new OffsetAndMetadata(0)))
                    .all()
                    .get();
        }
        assertThat(sandbox.control().groups())
                .filteredOn(row -> row.get("group").asText().equals(local))
                .extracting(JsonNode::toString)
                .containsExactly(
                        "{\"cluster\":\"LOCAL\",\"group\":\"%1$s\",\"topic\":\"%1$s\",\"partition\":0,\"position\":0,\"end\":0}"
                                .formatted(local));
    }

    @Test
    @DisplayName("a wrong control request is refused with its reason")
    void refusals() {
        assertThatThrownBy(() -> sandbox.control().post("/failovr", Map.of()))
                .isInstanceOfSatisfying(
                        SandboxControl.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(404))
                .hasMessageContaining("/failover");
        assertThatThrownBy(() -> sandbox.control().post("/down", Map.of("role", "consumer")))
                .hasMessageContaining("consumerA");
        assertThatThrownBy(() -> sandbox.control().post("/heal", Map.of("rol", "producer")))
                .hasMessageContaining("'rol'");
        assertThatThrownBy(() -> sandbox.topics().create(topic, 1))
                .isInstanceOfSatisfying(
                        SandboxControl.Refused.class,
                        refused -> assertThat(refused.status()).isEqualTo(409))
                .hasMessageContaining("already exists");
    }

    private List<String> values(Side side) {
        return sandbox.readBack().all(side, topic).stream().map(ReadBack.Stored::text).toList();
    }

    private List<String> producerTargets() {
        return sandbox.status().get("ports").findParents("role").stream()
                .filter(port -> port.get("role").asText().equals("producer"))
                .map(port -> port.get("target").asText())
                .toList();
    }

    private int deadConnections(Role role) {
        return sandbox.status().get("ports").findParents("role").stream()
                .filter(port -> port.get("role").asText().equals(role.name()))
                .mapToInt(port -> port.get("deadConnections").asInt())
                .sum();
    }
}
