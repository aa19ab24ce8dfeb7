package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The sandbox")
class SandboxIT {

    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ca.pem",
                "client-cert.pem",
                "client-key.pem",
                "keystore.p12",
                "truststore.p12",
                "client.properties",
                "sandbox.json",
                "password",
                "ca.p12"
            })
    @DisplayName("has written its files for their owner alone when it is ready")
    void files(String name) throws Exception {
        Path file = Sandbox.shared().file(name);

        assertThat(file).isNotEmptyFile();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    @DisplayName("keeps its broker's classes out of this JVM")
    void ownProcess() {
        assertThatThrownBy(() -> Class.forName("kafka.server.KafkaRaftServer"))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    @DisplayName("serves a client that has only client.properties")
    void clientProperties() throws Exception {
        Properties properties = new Properties();
        try (var in = Files.newInputStream(Sandbox.shared().file("client.properties"))) {
            properties.load(in);
        }
        try (Admin admin = Admin.create(properties)) {
            assertThat(admin.describeCluster().clusterId().get())
                    .isEqualTo(Sandbox.shared().clusterId(Side.A));
        }
    }

    @Test
    @DisplayName("passes records of plain clients through mutual TLS to side A")
    void producesAndConsumes() throws Throwable {
        Sandbox sandbox = Sandbox.shared();
        String topic = sandbox.topicName("plain");
        sandbox.topics().create(topic, 2);
        PlainClients clients = new PlainClients(sandbox);

        try (KafkaProducer<String, String> producer = clients.producer()) {
            PlainClients.send(producer, topic, "one");
            PlainClients.send(producer, topic, "two");
        }

        assertThat(clients.values(Role.consumerA, topic, 2))
                .containsExactlyInAnyOrder("one", "two");
        assertThat(sandbox.readBack().both(topic))
                .hasSize(2)
                .allMatch(record -> record.side() == Side.A);
    }

    @Test
    @DisplayName("creates topics on demand on the local Kafka, and never on Hermes")
    void autoCreation() throws Throwable {
        Sandbox sandbox = Sandbox.shared();
        PlainClients clients = new PlainClients(sandbox);
        String missing = sandbox.topicName("missing");

        try (KafkaProducer<String, String> local = clients.localProducer();
                KafkaProducer<String, String> hermes = clients.producer()) {
            PlainClients.send(local, "made-on-demand", "x");
            assertThatThrownBy(() -> PlainClients.send(hermes, missing, "x"))
                    .isInstanceOf(TimeoutException.class);
        }

        assertThat(sandbox.readBack().all(Side.LOCAL, "made-on-demand")).hasSize(1);
        assertThat(sandbox.topics().exists(Side.A, missing)).isFalse();
    }

    @Test
    @DisplayName("says which port is in use and how to move it, and leaves nothing behind")
    void busyPort(@TempDir Path folder) throws Exception {
        String port = String.valueOf(Sandbox.shared().basePort());
        try (SandboxProcess second = SandboxProcess.launch(folder, List.of("--base-port", port))) {
            assertThat(second.exitCode(STOP_LIMIT)).isEqualTo(1);
            await().untilAsserted(() -> assertThat(second.output()).contains("port " + port));
            assertThat(second.output().strip().lines())
                    .singleElement()
                    .asString()
                    .contains("producer", "--base-port", "--free-ports");
        }
        assertThat(folder.resolve("sandbox.json")).doesNotExist();
        assertThat(folder.resolve("brokers")).doesNotExist();
    }

    @Test
    @DisplayName("keeps a second one out of its folder")
    void busyFolder() throws Exception {
        try (SandboxProcess second =
                SandboxProcess.launch(Sandbox.shared().folder(), List.of("--free-ports"))) {
            assertThat(second.exitCode(STOP_LIMIT)).isEqualTo(1);
            await().untilAsserted(() -> assertThat(second.output()).contains("--dir"));
        }
        assertThat(Sandbox.shared().file("sandbox.json")).exists();
    }

    @Test
    @DisplayName("ends within seconds of a signal, and with the process that started it")
    void ends(@TempDir Path first, @TempDir Path second) throws Exception {
        SandboxProcess signalled = SandboxProcess.launch(first, List.of("--free-ports"));
        signalled.awaitReady();
        signalled.terminate();
        assertThat(signalled.exitCode(STOP_LIMIT)).isEqualTo(143);
        assertThat(first.resolve("sandbox.json")).doesNotExist();
        assertThat(first.resolve("brokers")).doesNotExist();

        SandboxProcess abandoned = SandboxProcess.launch(second, List.of("--free-ports"));
        abandoned.awaitReady();
        abandoned.close();
        assertThat(abandoned.exitCode(STOP_LIMIT)).isZero();
    }

    @Test
    @Tag("case-H8")
    @DisplayName(
            "can advertise ports beyond the first four, with swapped leaders on two brokers a side")
    void twoBrokersOnFarPorts() throws Throwable {
        SandboxOptions options = SandboxOptions.defaults().brokersPerSide(2).advertiseOffset(17);
        try (Sandbox sandbox = Sandbox.start(options)) {
            String topic = sandbox.topicName("far");
            sandbox.topics().create(topic, 2);
            assertThat(leaders(sandbox, Side.A, topic)).containsExactly(1, 2);
            assertThat(leaders(sandbox, Side.B, topic)).containsExactly(12, 11);

            try (KafkaProducer<String, String> producer = new PlainClients(sandbox).producer()) {
                PlainClients.send(producer, topic, "x");
                producer.send(new ProducerRecord<>(topic, 0, null, "p0")).get();
                producer.send(new ProducerRecord<>(topic, 1, null, "p1")).get();
                assertThat(producer.partitionsFor(topic))
                        .extracting(info -> info.leader().port() - sandbox.basePort())
                        .containsExactlyInAnyOrder(17, 18);

                sandbox.halfFailOver(18);
                assertThat(targets(sandbox)).contains("17 A-0", "18 B-1", "0 A-0", "1 A-1");
                sandbox.failOver(Side.B, Sandbox.Cut.rst);
                assertThat(targets(sandbox)).contains("17 B-0", "18 B-1", "0 B-0", "1 B-1");
                producer.send(new ProducerRecord<>(topic, 0, null, "p0")).get();
                producer.send(new ProducerRecord<>(topic, 1, null, "p1")).get();
            }
            assertThatThrownBy(() -> sandbox.restartBroker(Side.A, 0, 18))
                    .isInstanceOf(SandboxControl.Refused.class)
                    .hasMessageContaining("A-1 advertises port");
            assertThat(sandbox.readBack().all(Side.A, topic)).hasSize(3);
            assertThat(sandbox.readBack().all(Side.B, topic)).hasSize(2);
        }
    }

    private static List<Integer> leaders(Sandbox sandbox, Side side, String topic) {
        return sandbox
                .topics()
                .admin(side, admin -> admin.describeTopics(List.of(topic)).allTopicNames())
                .get(topic)
                .partitions()
                .stream()
                .map(partition -> partition.leader().id())
                .toList();
    }

    private static List<String> targets(Sandbox sandbox) {
        return sandbox.status().get("ports").findParents("role").stream()
                .filter(port -> port.get("role").asText().equals("producer"))
                .map(port -> port.get("index").asInt() + " " + port.get("target").asText())
                .toList();
    }
}
