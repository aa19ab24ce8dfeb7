package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("With brokers that advertise other ports and whose certificates name another host")
class AddressesIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int ADVERTISED = 17;

    private static Sandbox sandbox;

    @TempDir Path folder;

    @BeforeAll
    static void open() {
        sandbox =
                Sandbox.start(
                        SandboxOptions.defaults()
                                .advertiseOffset(ADVERTISED)
                                .with("--server-name", "other.example.com"));
    }

    @AfterAll
    static void close() {
        sandbox.close();
    }

    private ReplicatorSettings settings(String topic) {
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 1);
        return new ReplicatorSettings(sandbox, topic).replicate(topic);
    }

    @Test
    @Tag("case-S8")
    @DisplayName("S8: the name is verified; a wrong one is FAILED and says what does not match")
    void verifies() throws Exception {
        String topic = "verified";
        try (Traffic traffic = new Traffic(sandbox, topic, 1);
                Replicator replicator = Replicator.start(settings(topic), folder)) {
            traffic.send(1, 1_000);
            replicator.awaitState(topic, LinkState.FAILED, LIMIT);
            LinkStatus status = replicator.status(topic);
            assertThat(status.reason()).contains("localhost").containsIgnoringCase("name");
            assertThat(status.messages()).isZero();
        }
        assertThat(sandbox.readBack().both(sandbox.topicName(topic))).isEmpty();
    }

    @Test
    @Tag("case-S8")
    @Tag("case-H8")
    @Tag("case-R6")
    @DisplayName(
            "S8, H8, R6: without verification it works with a warning, over the advertised ports; bytes are key, value and headers")
    void replicates() throws Exception {
        String topic = "unverified";
        try (LogLines log = new LogLines();
                Replicator replicator =
                        Replicator.start(
                                settings(topic)
                                        .set(
                                                "camel.component.hermes.hostnameVerification",
                                                "false"),
                                folder)) {
            assertThat(log.with("hostnameVerification=false")).hasSize(1);
            send(topic);
            replicator.awaitMessages(topic, 1, LIMIT);
            assertThat(sandbox.readBack().all(Side.A, sandbox.topicName(topic))).hasSize(1);
            assertThat(replicator.status(topic).bytes()).isEqualTo(3 + 5 + 1 + 2);
            assertThat(connectionsOf(ADVERTISED)).isPositive();
            Awaitility.await()
                    .atMost(LIMIT)
                    .untilAsserted(() -> assertThat(replicator.status(topic).lag()).isZero());
        }
    }

    private static void send(String topic) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", sandbox.internalBootstrap(Side.LOCAL)),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            producer.send(
                            new ProducerRecord<>(
                                    topic,
                                    null,
                                    bytes("key"),
                                    bytes("value"),
                                    List.of(new RecordHeader("h", bytes("hh")))))
                    .get();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Open connections of a producer port, by its place in the range. */
    private static int connectionsOf(int index) {
        int connections = 0;
        for (JsonNode port : sandbox.status().get("ports")) {
            if (port.get("role").asText().equals("producer")
                    && port.get("index").asInt() == index) {
                connections += port.get("connections").asInt();
            }
        }
        return connections;
    }
}
