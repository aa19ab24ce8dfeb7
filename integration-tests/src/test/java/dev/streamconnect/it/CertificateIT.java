package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.engine.CertificateStatus;
import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("case-S3")
@DisplayName("While messages move")
class CertificateIT {

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Duration LOOK = Duration.ofSeconds(30);
    private static final int PARTITIONS = 2;

    @TempDir Path folder;

    /** The client certificate in effect toward a connection, by its serial number. */
    private static String serial(Replicator replicator, String connection) {
        return certificates(replicator).stream()
                .filter(certificate -> certificate.connection().equals(connection))
                .map(certificate -> certificate.life().serial())
                .findFirst()
                .orElse("");
    }

    private static List<CertificateStatus> certificates(Replicator replicator) {
        return ContextEngine.of(replicator.main().getCamelContext()).engine().certificates();
    }

    /** Puts the certificate of a set of client files in place of another one, whole. */
    private static void replace(ClientCertificate used, ClientCertificate by) throws Exception {
        move(Files.readAllBytes(by.trustStore()), used.trustStore());
        move(Files.readAllBytes(by.keyStore()), used.keyStore());
    }

    private static void move(byte[] content, Path to) throws Exception {
        Path next = Files.write(to.resolveSibling("next"), content);
        Files.move(next, to, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void awaitOther(Replicator replicator, String connection, String serial) {
        Awaitility.await("another certificate of " + connection)
                .atMost(LIMIT)
                .until(() -> !serial(replicator, connection).equals(serial));
    }

    /** Waits until so many more messages have arrived. */
    private static void awaitMore(Replicator replicator, String... ids) {
        for (String id : ids) {
            replicator.awaitMessages(id, replicator.status(id).messages() + 200, LIMIT);
        }
    }

    private static byte[] asJks(ClientCertificate certificate) throws Exception {
        char[] password = certificate.password().toCharArray();
        KeyStore from = KeyStore.getInstance(certificate.keyStore().toFile(), password);
        KeyStore jks = KeyStore.getInstance("JKS");
        jks.load(null, null);
        for (String alias : Collections.list(from.aliases())) {
            jks.setKeyEntry(
                    alias, from.getKey(alias, password), password, from.getCertificateChain(alias));
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        jks.store(content, password);
        return content.toByteArray();
    }

    @Test
    @DisplayName(
            "renewed stores of Hermes and of the customer are handed over to, a half one is not, nothing is lost")
    void renewed() throws Exception {
        Sandbox sandbox = Sandbox.shared();
        sandbox.restore();
        String plant = "renewed-" + UUID.randomUUID();
        String from = sandbox.topicName(plant + "-in");
        String to = plant + "-to";
        for (String topic : List.of(from, sandbox.topicName(to))) {
            sandbox.topics().create(topic, PARTITIONS);
        }
        ClientCertificate hermes =
                sandbox.issue(CertificateWish.named(plant + "-h").principal(sandbox.client()));
        ClientCertificate customer =
                sandbox.issue(CertificateWish.named(plant + "-c").principal(sandbox.client()));
        // A cluster of the customer's with TLS: side A, by its consumer port.
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, plant)
                        .certificate(hermes)
                        .bootstrap(sandbox.bootstrap(Role.consumerA))
                        .connectionField(
                                "consumerGroupId: " + sandbox.topicName(plant),
                                "ssl:",
                                "  keystoreLocation: " + customer.keyStore(),
                                "  keystorePassword: " + customer.password(),
                                "  truststoreLocation: " + customer.trustStore(),
                                "  truststorePassword: " + customer.password())
                        .replicate(to);
        settings.records(settings.records().replace("topicName: " + to, "topicName: " + from));
        try (CapturedLog log = CapturedLog.start();
                Traffic traffic = Traffic.into(sandbox, Side.A, from, 10);
                Load load = new Load(500, traffic);
                Replicator replicator = Replicator.start(settings, folder)) {
            replicator.awaitMessages(to, 200, LIMIT);
            awaitOther(replicator, "hermes", "");
            awaitOther(replicator, plant, "");
            String first = serial(replicator, "hermes");
            String firstOfPlant = serial(replicator, plant);
            assertThat(first).isNotEqualTo(firstOfPlant);

            ClientCertificate next =
                    sandbox.issue(CertificateWish.named(plant + "-n").principal(sandbox.client()));
            byte[] whole = Files.readAllBytes(next.keyStore());
            Files.write(hermes.keyStore(), Arrays.copyOf(whole, whole.length / 2));
            Awaitility.await("the half file is told")
                    .atMost(LIMIT)
                    .until(() -> replicator.status(to).notice().contains("damaged or cut off"));
            awaitMore(replicator, to);
            assertThat(serial(replicator, "hermes")).isEqualTo(first);

            replace(hermes, next);
            awaitOther(replicator, "hermes", first);
            assertThat(replicator.status(to).notice()).isEmpty();
            move(asJks(next), customer.keyStore());
            awaitOther(replicator, plant, firstOfPlant);
            awaitMore(replicator, to);
            // Whatever connects from now on shows the new ones.
            sandbox.cut(Role.producer, Sandbox.Cut.rst);
            sandbox.cut(Role.consumerA, Sandbox.Cut.rst);
            awaitMore(replicator, to);

            load.end();
            replicator.awaitMessages(to, traffic.total(), LIMIT);
            Audit audit = Audit.of(traffic.sent(), sandbox.readBack().both(sandbox.topicName(to)));
            System.out.printf("renewed: %d sent, %d twice%n", traffic.total(), audit.duplicates());
            assertThat(audit.lost()).isEmpty();
            assertThat(audit.disorders()).isEmpty();
            assertThat(log.lines())
                    .extracting(CapturedLog.Line::text)
                    .noneMatch(line -> line.toLowerCase().contains("failed authentication"))
                    .anyMatch(line -> line.contains("new consumer, because its certificate"))
                    .anyMatch(line -> line.contains("new client, because its certificate"));
        }
    }

    @Test
    @DisplayName(
            "one authority follows another, a refused file is kept out, and a revoked certificate is mended by a file")
    void authorities() throws Exception {
        String to = "authorities-to";
        String back = "authorities-back";
        try (Sandbox sandbox = Sandbox.start(SandboxOptions.defaults())) {
            for (String topic : List.of(to, back)) {
                sandbox.topics().create(Side.LOCAL, topic, PARTITIONS, Map.of());
                sandbox.topics().create(sandbox.topicName(topic), PARTITIONS);
            }
            ClientCertificate used = sandbox.issue(CertificateWish.named("worker"));
            ReplicatorSettings settings =
                    new ReplicatorSettings(sandbox, "authorities")
                            .certificate(used)
                            .replicate(to)
                            .replicateFrom(back);
            try (Traffic there = new Traffic(sandbox, to, 10);
                    Traffic here = Traffic.into(sandbox, Side.A, sandbox.topicName(back), 10);
                    Replicator replicator = Replicator.start(settings, folder)) {
                sendBoth(replicator, there, here);
                String first = serial(replicator, "hermes");

                replace(used, sandbox.issue(wish("foreign").byOtherAuthority()));
                Awaitility.await("the refused one is told")
                        .atMost(LIMIT)
                        .until(() -> replicator.status(to).notice().contains("refuses them"));
                assertThat(serial(replicator, "hermes")).isEqualTo(first);
                sendBoth(replicator, there, here);

                sandbox.authorities("own", "both");
                replace(used, sandbox.issue(wish("next").byNextAuthority().trustingBoth()));
                awaitOther(replicator, "hermes", first);
                String second = serial(replicator, "hermes");
                sandbox.authorities("next", "next");
                sendBoth(replicator, there, here);

                sandbox.authorities("next", "own");
                there.send(50, 1_000);
                for (String id : List.of(to, back)) {
                    Awaitility.await("refused")
                            .atMost(LIMIT)
                            .until(() -> isRefused(replicator.status(id), second));
                }
                replace(used, sandbox.issue(wish("mended").trustingBoth()));
                awaitOther(replicator, "hermes", second);
                sendBoth(replicator, there, here);
                for (String id : List.of(to, back)) {
                    Awaitility.await("well")
                            .atMost(LIMIT)
                            .until(() -> replicator.status(id).errorSince() == null);
                }
                assertThat(
                                Audit.of(
                                                there.sent(),
                                                sandbox.readBack().both(sandbox.topicName(to)))
                                        .lost())
                        .isEmpty();
                assertThat(Audit.of(here.sent(), sandbox.readBack().all(Side.LOCAL, back)).lost())
                        .isEmpty();
            }
        }
    }

    @Test
    @Tag("case-S1")
    @DisplayName("a refused certificate costs few lines a minute, Kafka's included")
    void refused() throws Exception {
        Sandbox sandbox = Sandbox.shared();
        sandbox.restore();
        String plant = "refused-" + UUID.randomUUID();
        String to = plant + "-to";
        String back = plant + "-back";
        for (String topic : List.of(to, back)) {
            sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
            sandbox.topics().create(sandbox.topicName(topic), 1);
        }
        ClientCertificate used =
                sandbox.issue(
                        CertificateWish.named(plant)
                                .principal(sandbox.client())
                                .byOtherAuthority());
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, plant)
                        .certificate(used)
                        .replicate(to)
                        .replicateFrom(back);
        try (CapturedLog log = CapturedLog.start();
                Traffic there = new Traffic(sandbox, to, 10);
                Replicator replicator = Replicator.start(settings, folder)) {
            there.send(50, 1_000);
            for (String id : List.of(to, back)) {
                replicator.awaitState(id, LinkState.FAILED, LIMIT);
            }
            log.clear();
            Instant end = Instant.now().plus(LOOK);
            Awaitility.await().atMost(LIMIT).until(() -> Instant.now().isAfter(end));
            System.out.printf(
                    "refused: %d line(s) of Kafka at WARN in %d s: %s; %d at INFO; ours %d%n",
                    log.kafkaWarnings().size(),
                    LOOK.toSeconds(),
                    log.kafkaByLogger(),
                    log.lines().size(),
                    log.ourWarnings().size());
            // A producer that goes on connecting logs more than one a second; probes back off.
            assertThat(log.kafkaWarnings())
                    .filteredOn(line -> line.text().contains("[Producer "))
                    .hasSizeLessThan(10);
            // Up to ten probes of each of three clients, four lines each where two nodes are asked.
            assertThat(log.kafkaWarnings()).hasSizeLessThan(60);
            assertThat(log.ourWarnings()).isEmpty();

            replace(
                    used,
                    sandbox.issue(
                            CertificateWish.named(plant + "-good").principal(sandbox.client())));
            replicator.awaitMessages(to, there.total(), LIMIT);
        }
    }

    private static CertificateWish wish(String name) {
        return CertificateWish.named(name).principal("worker");
    }

    private static boolean isRefused(LinkStatus status, String serial) {
        return status.state() == LinkState.FAILED
                && status.reason().contains("refuses the certificate 'CN=worker,")
                && status.reason().contains("serial " + serial)
                && status.reason().contains("put it in place of");
    }

    private static void sendBoth(Replicator replicator, Traffic there, Traffic here) {
        there.send(50, 1_000);
        here.send(50, 1_000);
        replicator.awaitMessages("authorities-to", there.total(), LIMIT);
        replicator.awaitMessages("authorities-back", here.total(), LIMIT);
    }
}
