package dev.streamconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.streamconnect.camel.CapturedLogs;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KafkaClientsTest {

    private static ConnectionSettings connection(ClientRole role, Object... properties) {
        Map<String, Object> all = new HashMap<>();
        for (int i = 0; i < properties.length; i += 2) {
            all.put((String) properties[i], properties[i + 1]);
        }
        return new ConnectionSettings("plant", role, "localhost:1", "group-1", all);
    }

    private static Map<String, Object> producer(ClientRole role, Object... properties) {
        return KafkaClients.producerConfig(connection(role, properties), "id-1");
    }

    private static Map<String, Object> consumer(Object... properties) {
        return KafkaClients.consumerConfig(connection(ClientRole.HERMES_A, properties), "id-1");
    }

    @Test
    @Tag("case-P1")
    @DisplayName(
            "toward Hermes: no idempotence, one request in flight, large batches, room for 2 MB")
    void hermesProducer() {
        assertThat(producer(ClientRole.HERMES_PRODUCER))
                .containsEntry("enable.idempotence", false)
                .containsEntry("max.in.flight.requests.per.connection", 1)
                .containsEntry("acks", "all")
                .containsEntry("metadata.recovery.strategy", "none")
                .containsEntry("batch.size", 512 * 1024)
                .containsEntry("linger.ms", 5)
                .containsEntry("client.id", "id-1")
                .containsEntry("bootstrap.servers", "localhost:1")
                .doesNotContainKey("group.id");
        assertThat((int) producer(ClientRole.HERMES_PRODUCER).get("max.request.size"))
                .as("case F18")
                .isGreaterThan(2 * 1024 * 1024);
    }

    @Test
    @DisplayName("toward the customer: idempotence and the client's own limit in flight")
    void customerProducer() {
        assertThat(producer(ClientRole.CUSTOMER))
                .containsEntry("enable.idempotence", true)
                .containsEntry("acks", "all")
                .containsEntry("metadata.recovery.strategy", "none")
                .doesNotContainKey("max.in.flight.requests.per.connection");
    }

    @ParameterizedTest
    @EnumSource(ClientRole.class)
    @Tag("case-O7")
    @DisplayName("a consumer commits and resets nothing by itself and reads what is committed")
    void consumers(ClientRole role) {
        assertThat(KafkaClients.consumerConfig(connection(role), "id-1"))
                .containsEntry("enable.auto.commit", false)
                .containsEntry("auto.offset.reset", "none")
                .containsEntry("allow.auto.create.topics", false)
                .containsEntry("isolation.level", "read_committed")
                .containsEntry("group.id", "group-1")
                .containsEntry("metadata.recovery.strategy", "none")
                .containsEntry(
                        "partition.assignment.strategy", CooperativeStickyAssignor.class.getName());
    }

    @Test
    @Tag("case-O16")
    @DisplayName(
            "properties that the engine's promises rest on are ignored, with one warning that names them")
    void managed() {
        try (CapturedLogs logs = new CapturedLogs()) {
            assertThat(
                            consumer(
                                    "enable.auto.commit",
                                    "true",
                                    "auto.offset.reset",
                                    "latest",
                                    "group.id",
                                    "other",
                                    "metadata.recovery.strategy",
                                    "rebootstrap"))
                    .containsEntry("enable.auto.commit", false)
                    .containsEntry("auto.offset.reset", "none")
                    .containsEntry("group.id", "group-1")
                    .containsEntry("metadata.recovery.strategy", "none");
            assertThat(logs.lines()).hasSize(1);
            assertThat(logs.lines().get(0))
                    .contains(
                            "auto.offset.reset, enable.auto.commit, group.id,"
                                    + " metadata.recovery.strategy");
        }
        try (CapturedLogs logs = new CapturedLogs()) {
            assertThat(producer(ClientRole.CUSTOMER, "acks", "0", "bootstrap.servers", "other:1"))
                    .containsEntry("acks", "all")
                    .containsEntry("bootstrap.servers", "localhost:1");
            assertThat(logs.lines()).hasSize(1);
        }
    }

    @Test
    @Tag("case-S10")
    @DisplayName(
            "any other property of the connection wins, and reaches only the clients that know it")
    void passThrough() {
        Object[] own = {
            "linger.ms",
            "50",
            "max.poll.records",
            "7",
            "isolation.level",
            "read_uncommitted",
            "sasl.mechanism",
            "PLAIN",
            "my.login.module.option",
            "x"
        };
        assertThat(producer(ClientRole.HERMES_PRODUCER, own))
                .containsEntry("linger.ms", "50")
                .containsEntry("sasl.mechanism", "PLAIN")
                .containsEntry("my.login.module.option", "x")
                .doesNotContainKeys("max.poll.records", "isolation.level");
        assertThat(consumer(own))
                .containsEntry("max.poll.records", "7")
                .containsEntry("isolation.level", "read_uncommitted")
                .doesNotContainKey("linger.ms");
    }

    @Test
    @Tag("case-P1")
    @DisplayName("a wish for idempotence toward Hermes is granted with a warning that says why not")
    void idempotenceTowardHermes() {
        try (CapturedLogs logs = new CapturedLogs()) {
            assertThat(producer(ClientRole.HERMES_PRODUCER, "enable.idempotence", "true"))
                    .containsEntry("enable.idempotence", "true");
            assertThat(logs.lines()).hasSize(1);
            assertThat(logs.lines().get(0)).contains("fail-over", "producer ids", "remove it");
        }
    }

    @Test
    @DisplayName("without idempotence there is one request in flight, whoever wished for more")
    void orderWithoutIdempotence() {
        String inFlight = "max.in.flight.requests.per.connection";
        try (CapturedLogs logs = new CapturedLogs()) {
            assertThat(producer(ClientRole.CUSTOMER, "enable.idempotence", "false"))
                    .containsEntry(inFlight, 1);
            assertThat(logs.lines()).isEmpty();
            assertThat(producer(ClientRole.HERMES_PRODUCER, inFlight, "5"))
                    .containsEntry(inFlight, 1);
            assertThat(logs.lines()).hasSize(1);
            assertThat(producer(ClientRole.CUSTOMER, inFlight, "3")).containsEntry(inFlight, "3");
        }
    }

    @Test
    @DisplayName("secrets are in no text of the settings and of no error")
    void secrets() {
        ConnectionSettings settings =
                connection(
                        ClientRole.HERMES_PRODUCER,
                        "ssl.keystore.password",
                        "s3cret-store",
                        "sasl.jaas.config",
                        "org.example.Missing required password=\"s3cret-jaas\"",
                        "security.protocol",
                        "SASL_SSL",
                        "sasl.mechanism",
                        "PLAIN",
                        "ssl.keystore.location",
                        "/not/there.p12");
        assertThat(settings.toString()).contains("ssl.keystore.password").doesNotContain("s3cret");
        assertThat(settings.displayName()).doesNotContain("s3cret");
        for (org.junit.jupiter.api.function.Executable each :
                new org.junit.jupiter.api.function.Executable[] {
                    () -> KafkaClients.producer(settings, "id", resource -> {}),
                    () -> KafkaClients.consumer(settings, "id", "place"),
                    () -> KafkaClients.admin(settings, "id")
                }) {
            Throwable error = catchThrowable(each::execute);
            assertThat(error).isInstanceOf(IllegalArgumentException.class);
            assertThat(error.getMessage())
                    .startsWith("plant producer (localhost:1): ")
                    .doesNotContain("\n");
            StringWriter trace = new StringWriter();
            error.printStackTrace(new PrintWriter(trace));
            assertThat(trace.toString()).doesNotContain("s3cret");
        }
    }

    @Test
    @Tag("case-R1")
    @DisplayName("clients are built under any context class loader, which is the same afterwards")
    void contextClassLoader() throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader empty = new URLClassLoader(new URL[0], null)) {
            thread.setContextClassLoader(empty);
            ConnectionSettings settings = connection(ClientRole.CUSTOMER);
            try (Producer<byte[], byte[]> producer =
                    KafkaClients.producer(settings, "id", resource -> {})) {
                assertThat(thread.getContextClassLoader()).isSameAs(empty);
                producer.close(Duration.ZERO);
            }
            KafkaClients.consumer(settings, "id", "place").close(Duration.ZERO);
            KafkaClients.admin(settings, "id").close(Duration.ZERO);
            assertThat(thread.getContextClassLoader()).isSameAs(empty);
            assertThat(
                            catchThrowable(
                                    () ->
                                            KafkaClients.consumer(
                                                    connection(
                                                            ClientRole.CUSTOMER,
                                                            "security.protocol",
                                                            "NONE"),
                                                    "id",
                                                    "place")))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(thread.getContextClassLoader()).isSameAs(empty);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    @Tag("case-R8")
    @DisplayName(
            "a fetch for idle topics does not hold up the busy ones; a connection may wish otherwise")
    void idleTopics() {
        assertThat(KafkaClients.consumerConfig(settings(Map.of()), "c"))
                .containsEntry("fetch.max.wait.ms", 10);
        assertThat(KafkaClients.consumerConfig(settings(Map.of("fetch.max.wait.ms", 200)), "c"))
                .containsEntry("fetch.max.wait.ms", 200);
    }

    private static ConnectionSettings settings(Map<String, Object> properties) {
        return new ConnectionSettings(
                "plant", ClientRole.CUSTOMER, "localhost:9092", "group", properties);
    }
}
