package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.DevelopmentStores;
import dev.streamconnect.certificate.LocalCertificateIssuer;
import dev.streamconnect.it.Sandbox.Role;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The sandbox's certificates and rights")
class SandboxCertificatesIT {

    private final Sandbox sandbox = Sandbox.shared();
    private final PlainClients clients = new PlainClients(sandbox);
    private final String topic = sandbox.topicName("certificates-" + UUID.randomUUID());

    @BeforeEach
    void createTopic() {
        sandbox.restore();
        sandbox.topics().create(topic, 1);
    }

    static Stream<Arguments> refused() {
        Sandbox sandbox = Sandbox.shared();
        return Stream.of(
                Arguments.of("none", sandbox.certificate().trustOnly()),
                Arguments.of(
                        "of another authority",
                        issued(CertificateWish.named("foreign").byOtherAuthority())),
                Arguments.of("expired", issued(CertificateWish.named("expired").expired())),
                Arguments.of(
                        "not yet valid", issued(CertificateWish.named("early").notYetValid())));
    }

    private static Map<String, Object> issued(CertificateWish wish) {
        return Sandbox.shared().issue(wish).clientProperties();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    @DisplayName("a bad certificate is refused at the handshake")
    void badCertificate(String name, Map<String, Object> security) {
        try (KafkaProducer<String, String> producer = clients.producer(security)) {
            assertThatThrownBy(() -> PlainClients.send(producer, topic, "x"))
                    .isInstanceOf(SslAuthenticationException.class);
        }
        try (KafkaConsumer<String, String> consumer =
                clients.consumer(Role.consumerB, "snc.acme.bad", security)) {
            consumer.subscribe(List.of(topic));
            assertThatThrownBy(() -> pollUntilFailure(consumer))
                    .isInstanceOf(SslAuthenticationException.class);
        }
    }

    @Test
    @DisplayName("a certificate without rights may do nothing")
    void noRights() {
        Map<String, Object> security = issued(CertificateWish.named("nobody").acl("none"));
        try (KafkaProducer<String, String> producer = clients.producer(security)) {
            assertThatThrownBy(() -> PlainClients.send(producer, topic, "x"))
                    .isInstanceOf(TopicAuthorizationException.class);
        }
    }

    @Test
    @DisplayName("rights can be for reading or writing, of a topic or a namespace")
    void narrowRights() throws Throwable {
        String inside = sandbox.topicName("ns-" + UUID.randomUUID() + ".orders");
        sandbox.topics().create(inside, 1);
        String prefix = inside.substring(0, inside.length() - "orders".length());
        Map<String, Object> writer =
                issued(CertificateWish.named("ns-writer").acl("w@" + prefix + "*"));
        Map<String, Object> reader = issued(CertificateWish.named("reader").acl("r@" + inside));

        try (KafkaProducer<String, String> producer = clients.producer(writer)) {
            PlainClients.send(producer, inside, "x");
            assertThatThrownBy(() -> PlainClients.send(producer, topic, "x"))
                    .isInstanceOf(TopicAuthorizationException.class);
        }
        try (KafkaProducer<String, String> producer = clients.producer(reader)) {
            assertThatThrownBy(() -> PlainClients.send(producer, inside, "x"))
                    .isInstanceOf(TopicAuthorizationException.class);
        }
        try (KafkaConsumer<String, String> consumer =
                clients.consumer(Role.consumerA, "snc.acme.reader", reader)) {
            consumer.subscribe(List.of(inside));
            await().until(() -> consumer.poll(Duration.ofMillis(200)).count() == 1);
        }
    }

    @Test
    @DisplayName("a group id of another instance is refused")
    void foreignGroup() {
        try (KafkaConsumer<String, String> consumer =
                clients.consumer(
                        Role.consumerA, "other-group", sandbox.certificate().clientProperties())) {
            consumer.subscribe(List.of(topic));
            assertThatThrownBy(() -> pollUntilFailure(consumer))
                    .isInstanceOf(GroupAuthorizationException.class);
        }
    }

    @Test
    @DisplayName("rights can be taken and given back while a client runs")
    void revokeAndGrant() throws Throwable {
        String name = "revoked-" + UUID.randomUUID();
        Map<String, Object> security = issued(CertificateWish.named(name));
        try (KafkaProducer<String, String> producer = clients.producer(security)) {
            PlainClients.send(producer, topic, "one");
            sandbox.revokeAll(name);
            await().untilAsserted(
                            () ->
                                    assertThatThrownBy(
                                                    () -> PlainClients.send(producer, topic, "no"))
                                            .isInstanceOf(TopicAuthorizationException.class));
            sandbox.grantTopic(name, topic, "WRITE,DESCRIBE");
            await().untilAsserted(() -> acknowledged(producer, "two"));
        }
    }

    private void acknowledged(KafkaProducer<String, String> producer, String value) {
        try {
            PlainClients.send(producer, topic, value);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("a short-lived certificate works until it has expired")
    void shortLived() throws Throwable {
        Duration life = Duration.ofSeconds(12);
        Map<String, Object> security = issued(CertificateWish.named("short").validFor(life));
        Instant expired = Instant.now().plus(life).plusSeconds(1);
        try (KafkaProducer<String, String> producer = clients.producer(security)) {
            PlainClients.send(producer, topic, "in time");
        }
        // a client that is caught between two connections by the end waits for minutes
        await().atMost(life.multipliedBy(2)).until(() -> Instant.now().isAfter(expired));
        try (KafkaProducer<String, String> late = clients.producer(security)) {
            assertThatThrownBy(() -> PlainClients.send(late, topic, "late"))
                    .isInstanceOf(SslAuthenticationException.class);
        }
    }

    @Test
    @DisplayName("the component's own issuer can make stores from the sandbox's authority")
    void developmentStores(@TempDir Path folder) throws Throwable {
        char[] password = sandbox.password().toCharArray();
        CertificateAuthority authority =
                CertificateAuthority.load(sandbox.file("ca.p12"), password);
        DevelopmentStores.ensure(
                folder,
                new LocalCertificateIssuer(authority, Duration.ofDays(1), Clock.systemUTC()),
                sandbox.instance(),
                "self-made",
                password);
        sandbox.grantTopic("self-made", topic, "WRITE");

        Map<String, Object> security =
                new ClientCertificate(folder, sandbox.password()).clientProperties();
        try (KafkaProducer<String, String> producer = clients.producer(security)) {
            PlainClients.send(producer, topic, "x");
        }
        assertThat(sandbox.readBack().both(topic)).hasSize(1);
    }

    private static void pollUntilFailure(KafkaConsumer<String, String> consumer) {
        for (int i = 0; i < 50; i++) {
            consumer.poll(Duration.ofMillis(200));
        }
    }
}
