package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.Sandbox.Side;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.camel.builder.RouteBuilder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Both sides of the pair are read as one stream")
class FromServiceNowIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    @Test
    @Tag("case-H1")
    @DisplayName(
            "a topic replication from ServiceNow delivers the union, each message once, also after a restart")
    void union() throws Exception {
        String topic = "decisions";
        String full = sandbox.topicName(topic);
        sandbox.topics().create(Side.LOCAL, topic, 2, Map.of());
        sandbox.topics().create(full, 2);
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, "union").replicateFrom(topic);
        send(Side.A, full, 0, 100);
        try (Replicator replicator = Replicator.start(settings, folder.resolve("first"))) {
            replicator.awaitMessages(topic, 100, LIMIT);
            send(Side.B, full, 100, 200);
            replicator.awaitMessages(topic, 200, LIMIT);
        }
        send(Side.A, full, 200, 210);
        send(Side.B, full, 210, 220);
        try (Replicator replicator = Replicator.start(settings, folder.resolve("second"))) {
            replicator.awaitMessages(topic, 20, LIMIT);
            assertThat(replicator.status(topic).messages()).isEqualTo(20);
        }
        List<ReadBack.Stored> stored = sandbox.readBack().all(Side.LOCAL, topic);
        assertThat(stored).hasSize(220);
        assertThat(numbers(stored.stream().map(ReadBack.Stored::text).toList())).hasSize(220);
    }

    @Test
    @DisplayName(
            "a hermes: route gets every message of both sides once and commits only what it completed")
    void hermesRoute() throws Exception {
        String topic = "alarms-both";
        String full = sandbox.topicName(topic);
        sandbox.topics().create(full, 2);
        send(Side.A, full, 0, 50);
        send(Side.B, full, 50, 100);
        ConcurrentLinkedQueue<String> got = new ConcurrentLinkedQueue<>();
        try (Replicator replicator =
                Replicator.start(new ReplicatorSettings(sandbox, "alarms-both"), folder)) {
            replicator
                    .main()
                    .getCamelContext()
                    .addRoutes(
                            new RouteBuilder() {
                                @Override
                                public void configure() {
                                    from("hermes:" + topic + "?groupId=it-both")
                                            .process(
                                                    e ->
                                                            got.add(
                                                                    e.getMessage()
                                                                                    .getHeader(
                                                                                            "CamelHermesSide")
                                                                            + e.getMessage()
                                                                                    .getBody(
                                                                                            String
                                                                                                    .class)));
                                }
                            });
            Awaitility.await().atMost(LIMIT).until(() -> got.size() >= 100);
        }
        assertThat(got).hasSize(100);
        assertThat(got.stream().filter(text -> text.startsWith("A"))).hasSize(50);
        assertThat(Set.copyOf(got)).hasSize(100);
    }

    private void send(Side side, String topic, int from, int to) {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", sandbox.internalBootstrap(side)),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            for (int i = from; i < to; i++) {
                byte[] text = String.valueOf(i).getBytes(StandardCharsets.UTF_8);
                producer.send(new ProducerRecord<>(topic, text, text));
            }
        }
    }

    private static Set<Integer> numbers(List<String> texts) {
        Set<Integer> numbers = new TreeSet<>();
        texts.forEach(text -> numbers.add(Integer.parseInt(text)));
        return numbers;
    }
}
