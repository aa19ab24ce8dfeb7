package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A loop over two replicators")
class LoopIT {

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final String HEADER = "copied-from";

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    private ReplicatorSettings settings(String name) {
        return new ReplicatorSettings(sandbox, name)
                .set("camel.component.replication.originHeader", HEADER);
    }

    private void send(Side side, String topic, String value) throws Exception {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", sandbox.internalBootstrap(side)),
                        new StringSerializer(),
                        new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, value)).get();
        }
    }

    private static List<String> texts(List<Stored> stored) {
        return stored.stream().map(Stored::text).toList();
    }

    private static List<String> headers(Stored stored) {
        return stored.headers().stream()
                .map(h -> h.key() + "=" + new String(h.value(), StandardCharsets.UTF_8))
                .toList();
    }

    private static void awaitReturned(Replicator replicator, String id) {
        Awaitility.await("one came back to " + id)
                .atMost(LIMIT)
                .until(() -> replicator.status(id).returned() == 1);
    }

    @Test
    @Tag("case-L1")
    @Tag("case-L2")
    @DisplayName("ends after one hop, whichever side a message is from, and is counted")
    void ends() throws Exception {
        String topic = "loop";
        String hermes = sandbox.topicName(topic);
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
        sandbox.topics().create(hermes, 1);
        ReplicatorSettings there = settings("loop-there").replicate(topic);
        ReplicatorSettings back = settings("loop-back").replicateFrom(topic);
        try (Replicator to = Replicator.start(there, folder.resolve("there"));
                Replicator from = Replicator.start(back, folder.resolve("back"))) {
            send(Side.LOCAL, topic, "ours");
            awaitReturned(from, topic);
            send(Side.A, hermes, "theirs");
            awaitReturned(to, topic);
            new Group(sandbox, Side.LOCAL, there.groupId()).awaitCommitted(topic, 2);
            assertThat(to.status(topic).messages()).isEqualTo(1);
            assertThat(from.status(topic).messages()).isEqualTo(1);
        }
        List<Stored> ours = sandbox.readBack().all(Side.LOCAL, topic);
        List<Stored> theirs = sandbox.readBack().both(hermes);
        assertThat(texts(ours)).containsExactly("ours", "theirs");
        assertThat(texts(theirs)).containsExactlyInAnyOrder("ours", "theirs");
        assertThat(headers(ours.get(0))).isEmpty();
        assertThat(headers(ours.get(1))).containsExactly(HEADER + "=" + hermes);
        assertThat(theirs.stream().filter(s -> s.text().equals("ours")))
                .singleElement()
                .satisfies(
                        s ->
                                assertThat(headers(s))
                                        .containsExactly(
                                                HEADER
                                                        + "="
                                                        + sandbox.clusterId(Side.LOCAL)
                                                        + "/"
                                                        + topic));
    }
}
