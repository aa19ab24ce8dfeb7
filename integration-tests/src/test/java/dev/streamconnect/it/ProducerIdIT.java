package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.KafkaClients;
import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.ProducerTemplate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("case-P1")
@DisplayName("Both clusters hand out the same producer ids")
class ProducerIdIT {

    @TempDir Path folder;

    /** Sends one message and returns when it is acknowledged. */
    private interface Sender {
        void send(String value) throws Throwable;
    }

    /** Opens a sender when its turn comes. */
    private interface Opening {
        Sender open(int number) throws Exception;
    }

    /** Values that were acknowledged and are in no log. */
    private static List<String> lost(Sandbox sandbox, String topic, Opening opening)
            throws Throwable {
        sandbox.topics().create(topic, 1);
        List<String> acknowledged = new ArrayList<>();
        Sender first = opening.open(1);
        for (int i = 0; i < 50; i++) {
            send(first, "first-" + i, acknowledged);
        }
        sandbox.failOver();
        Sender second = opening.open(2);
        for (int i = 0; i < 50; i++) {
            send(second, "second-" + i, acknowledged);
        }
        for (int i = 50; i < 80; i++) {
            send(first, "first-" + i, acknowledged);
            send(second, "second-" + i, acknowledged);
        }
        assertThat(acknowledged).hasSizeGreaterThan(100);
        List<String> stored = sandbox.readBack().both(topic).stream().map(Stored::text).toList();
        acknowledged.removeAll(stored);
        return acknowledged;
    }

    private static void send(Sender sender, String value, List<String> acknowledged) {
        try {
            sender.send(value);
            acknowledged.add(value);
        } catch (Throwable e) {
            // A failure that is reported is no silent loss.
        }
    }

    @Test
    @DisplayName("and yet every message that hermes: acknowledges is in a log after a fail-over")
    void hermes() throws Throwable {
        try (Sandbox sandbox = Sandbox.start(SandboxOptions.defaults())) {
            List<Replicator> contexts = new ArrayList<>();
            try {
                List<String> lost =
                        lost(
                                sandbox,
                                sandbox.topicName("ids"),
                                number -> {
                                    Replicator context =
                                            Replicator.start(
                                                    new ReplicatorSettings(sandbox, "ids" + number),
                                                    folder.resolve("ids" + number));
                                    contexts.add(context);
                                    ProducerTemplate template =
                                            context.main()
                                                    .getCamelContext()
                                                    .createProducerTemplate();
                                    return value ->
                                            template.requestBody("hermes:ids?delivery=sync", value);
                                });
                assertThat(lost).isEmpty();
            } finally {
                contexts.forEach(Replicator::close);
            }
        }
    }

    @Test
    @DisplayName("so that idempotent producers of Kafka's own lose acknowledged ones")
    void plainIdempotentProducers() throws Throwable {
        try (Sandbox sandbox = Sandbox.start(SandboxOptions.defaults())) {
            List<KafkaProducer<String, String>> producers = new ArrayList<>();
            Map<String, Object> properties =
                    new HashMap<>(sandbox.certificate().clientProperties());
            properties.put("bootstrap.servers", sandbox.bootstrap(Role.producer));
            properties.put("enable.idempotence", "true");
            properties.put("max.block.ms", "5000");
            try {
                List<String> lost =
                        lost(
                                sandbox,
                                sandbox.topicName("ids"),
                                number -> {
                                    KafkaProducer<String, String> producer =
                                            new KafkaProducer<>(
                                                    properties,
                                                    new StringSerializer(),
                                                    new StringSerializer());
                                    producers.add(producer);
                                    return value ->
                                            PlainClients.send(
                                                    producer, sandbox.topicName("ids"), value);
                                });
                // If this ends, the trap is gone and the test above shows nothing any more.
                assertThat(lost).isNotEmpty();
            } finally {
                producers.forEach(KafkaProducer::close);
            }
        }
    }

    private static ConnectionSettings toHermes(Map<String, Object> properties) {
        return new ConnectionSettings(
                "hermes", ClientRole.HERMES_PRODUCER, "localhost:4000", null, properties);
    }

    @Test
    @DisplayName("so the producer toward Hermes is not idempotent and has one request in flight")
    void settings() {
        assertThat(KafkaClients.producerConfig(toHermes(Map.of()), "test"))
                .containsEntry("enable.idempotence", false)
                .containsEntry("max.in.flight.requests.per.connection", 1)
                .containsEntry("acks", "all");
    }

    @Test
    @DisplayName("so a user who wants it idempotent is warned with the reason")
    void warning() {
        try (CapturedLog log = CapturedLog.start()) {
            KafkaClients.producerConfig(toHermes(Map.of("enable.idempotence", "true")), "test");
            assertThat(log.ourWarnings())
                    .singleElement()
                    .extracting(CapturedLog.Line::text)
                    .asString()
                    .contains("enable.idempotence=true")
                    .contains("lose acknowledged messages")
                    .contains("producer ids");
        }
    }
}
