package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.LocalCertificateIssuer;
import dev.streamconnect.engine.CertificateStatus;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The certificate lives 60 s and is renewed when a third of that is left. */
@Tag("fault")
@Tag("case-S3")
@DisplayName("Ten certificates in a row, each of 60 s")
class CertificateLifeIT {

    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Duration LIFE = Duration.ofSeconds(60);
    private static final int RENEWALS = 10;
    private static final int RATE = 2_000;
    private static final int PARTITIONS = 4;
    private static final String TO = "life-to";
    private static final String BACK = "life-back";

    @TempDir Path folder;

    private static CertificateStatus certificate(Replicator replicator) {
        List<CertificateStatus> all =
                ContextEngine.of(replicator.main().getCamelContext()).engine().certificates();
        return all.isEmpty() ? null : all.get(0);
    }

    /** Our own lines about certificates. */
    private static List<CapturedLog.Line> told(CapturedLog log) {
        return log.lines().stream()
                .filter(CapturedLog.Line::isOurs)
                .filter(line -> line.text().contains("certificate"))
                .toList();
    }

    @Test
    @DisplayName("are handed over to under 2,000 messages/s: nothing lost, no handshake fails")
    void tenInARow() throws Exception {
        try (Sandbox sandbox = Sandbox.start(SandboxOptions.defaults())) {
            for (String topic : List.of(TO, BACK)) {
                sandbox.topics().create(Side.LOCAL, topic, PARTITIONS, Map.of());
                sandbox.topics().create(sandbox.topicName(topic), PARTITIONS);
            }
            CertificateAuthority authority =
                    CertificateAuthority.load(
                            sandbox.file("ca.p12"), sandbox.password().toCharArray());
            ReplicatorSettings settings =
                    new ReplicatorSettings(sandbox, "life")
                            .without("camel.component.hermes.keystore")
                            .without("camel.component.hermes.truststore")
                            .set(
                                    "camel.component.hermes.developmentStores",
                                    folder.resolve("stores").toString())
                            .set("camel.component.hermes.developmentClient", sandbox.client())
                            .replicate(TO)
                            .replicateFrom(BACK);
            Map<String, Object> issuer =
                    Map.of(
                            "issuer",
                            new LocalCertificateIssuer(authority, LIFE, Clock.systemUTC()));
            try (CapturedLog log = CapturedLog.start();
                    Traffic there = new Traffic(sandbox, TO, 50);
                    Traffic here = Traffic.into(sandbox, Side.A, sandbox.topicName(BACK), 50);
                    Load load = new Load(RATE, there, here);
                    Replicator replicator = Replicator.start(settings, folder, issuer)) {
                replicator.awaitMessages(TO, 1_000, LIMIT);
                replicator.awaitMessages(BACK, 1_000, LIMIT);
                Awaitility.await().until(() -> certificate(replicator) != null);
                for (int renewal = 0; renewal < RENEWALS; renewal++) {
                    CertificateStatus before = certificate(replicator);
                    Awaitility.await("the next certificate")
                            .atMost(LIMIT)
                            .until(() -> !certificate(replicator).life().equals(before.life()));
                    Instant seen = Instant.now();
                    System.out.printf(
                            "certificate %d: in effect %d s before the end of the last%n",
                            renewal + 1,
                            Duration.between(seen, before.life().notAfter()).toSeconds());
                    assertThat(seen).as("%s", told(log)).isBefore(before.life().notAfter());
                    // When the one before is over, all connect anew with the present one.
                    Awaitility.await("the end of the one before")
                            .atMost(LIMIT)
                            .until(() -> Instant.now().isAfter(before.life().notAfter()));
                    List.of(Role.producer, Role.consumerA, Role.consumerB)
                            .forEach(role -> sandbox.cut(role, Sandbox.Cut.rst));
                }
                load.end();
                replicator.awaitMessages(TO, there.total(), LIMIT);
                replicator.awaitMessages(BACK, here.total(), LIMIT);
                Audit to = Audit.of(there.sent(), sandbox.readBack().both(sandbox.topicName(TO)));
                Audit back = Audit.of(here.sent(), sandbox.readBack().all(Side.LOCAL, BACK));
                System.out.printf(
                        "life: to ServiceNow %d sent, %d lost, %d twice; from ServiceNow %d sent, %d lost, %d twice%n",
                        there.total(),
                        to.lost().size(),
                        to.duplicates(),
                        here.total(),
                        back.lost().size(),
                        back.duplicates());
                assertThat(to.lost()).isEmpty();
                assertThat(to.disorders()).isEmpty();
                assertThat(back.lost()).isEmpty();
                assertThat(back.disorders()).isEmpty();
                assertThat(log.lines())
                        .extracting(CapturedLog.Line::text)
                        .noneMatch(line -> line.toLowerCase().contains("failed authentication"));
            }
        }
    }
}
