package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A limit of 2 MB/s toward Hermes")
class RateIT {

    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final int MESSAGE = 10_000;
    private static final int COUNT = 1_000;
    private static final int WARM = 8;
    private static final int RATE = 2_000_000;

    /** Brokers stamp what they append, so that arrivals are measured by their clock. */
    private static final Map<String, String> STAMPED =
            Map.of("message.timestamp.type", "LogAppendTime");

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    private ReplicatorSettings settings(String topic) {
        return new ReplicatorSettings(sandbox, topic)
                .set("camel.component.hermes.maxProducedBytesPerSecond", String.valueOf(RATE))
                .set("camel.component.hermes.maxConsumedBytesPerSecond", String.valueOf(RATE));
    }

    /** Messages from a number on, to four partitions in turn. */
    private void send(Side side, String topic, int from, int to) {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", sandbox.internalBootstrap(side)),
                        new ByteArraySerializer(),
                        new ByteArraySerializer())) {
            for (int i = from; i < to; i++) {
                byte[] key = String.valueOf(i).getBytes(java.nio.charset.StandardCharsets.UTF_8);
                producer.send(new ProducerRecord<>(topic, i % 4, key, new byte[MESSAGE]));
            }
        }
    }

    /** Replicates a burst when all clients are warm; answers when it began. */
    private long replicate(ReplicatorSettings settings, String topic, Side side, String source)
            throws Exception {
        long began;
        Set<LinkState> states = EnumSet.noneOf(LinkState.class);
        Map<LinkState, String> reasons = new ConcurrentHashMap<>();
        try (CapturedLog log = CapturedLog.start();
                Replicator replicator = Replicator.start(settings, folder.resolve(topic))) {
            send(side, source, 0, WARM);
            replicator.awaitMessages(topic, WARM, LIMIT);
            began = System.currentTimeMillis();
            send(side, source, WARM, WARM + COUNT);
            Awaitility.await("all of " + topic)
                    .atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(100))
                    .until(
                            () -> {
                                LinkStatus status = replicator.status(topic);
                                states.add(status.state());
                                reasons.put(status.state(), status.reason());
                                return status.messages() >= WARM + COUNT;
                            });
            assertThat(log.lines())
                    .filteredOn(line -> line.isOurs())
                    .noneMatch(line -> line.text().contains("does not answer"))
                    .noneMatch(line -> line.text().contains("sent again"));
        }
        System.out.printf("limit of %d bytes/s: %s%n", RATE, reasons);
        assertThat(states)
                .contains(LinkState.THROTTLED)
                .doesNotContain(LinkState.STALLED, LinkState.FAILED, LinkState.DEGRADED);
        return began;
    }

    private void assertPaced(long began, List<Stored> arrived, String topic) {
        assertThat(arrived)
                .as("all once")
                .extracting(Stored::keyText)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, WARM + COUNT).mapToObj(String::valueOf).toList());
        long last = arrived.stream().mapToLong(Stored::timestamp).max().orElseThrow();
        double megabytes = COUNT * MESSAGE / 1e6;
        System.out.printf(
                "limit of %d bytes/s, %s: %.1f MB in %d ms%n",
                RATE, topic, megabytes, last - began);
        // Slower is a slow machine's right.
        assertThat(last - began).isGreaterThanOrEqualTo(4_000);
    }

    @Test
    @Tag("case-H17")
    @DisplayName("lets a burst of 10 MB through in 5 s, every message once, and is no error")
    void produced() throws Exception {
        String topic = "rate-to";
        sandbox.topics().create(Side.LOCAL, topic, 4, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 4, STAMPED);
        long began = replicate(settings(topic).replicate(topic), topic, Side.LOCAL, topic);
        assertPaced(began, sandbox.readBack().both(sandbox.topicName(topic)), topic);
    }

    @Test
    @Tag("case-H17")
    @DisplayName("reads a backlog of 10 MB in 5 s, both sides together, every message once")
    void consumed() throws Exception {
        String topic = "rate-from";
        sandbox.topics().create(Side.LOCAL, topic, 4, STAMPED);
        sandbox.topics().create(sandbox.topicName(topic), 4);
        String source = sandbox.topicName(topic);
        long began = replicate(settings(topic).replicateFrom(topic), topic, Side.A, source);
        assertPaced(began, sandbox.readBack().all(Side.LOCAL, topic), topic);
    }
}
