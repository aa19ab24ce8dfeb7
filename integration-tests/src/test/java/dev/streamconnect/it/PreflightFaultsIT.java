package dev.streamconnect.it;

import static dev.streamconnect.it.PreflightSpot.HERMES;
import static dev.streamconnect.it.PreflightSpot.address;
import static dev.streamconnect.it.PreflightSpot.eachAddress;
import static dev.streamconnect.it.PreflightSpot.spot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.camel.main.PreflightStart;
import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import dev.streamconnect.preflight.Outcome;
import dev.streamconnect.preflight.PreflightReport;
import dev.streamconnect.preflight.Stage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A preflight finds the one thing that is wrong, and nothing else")
class PreflightFaultsIT {

    private static final Duration LIMIT = Duration.ofSeconds(180);
    private static final String SENT = "faults-sent";
    private static final String RECEIVED = "faults-received";

    private static Sandbox sandbox;

    @TempDir Path folder;

    @BeforeAll
    static void open(@TempDir Path first) {
        sandbox = Sandbox.start(SandboxOptions.defaults());
        topic(SENT);
        topic(RECEIVED);
        // A new cluster makes the coordinator of groups at the first question.
        Awaitility.await().atMost(LIMIT).until(() -> look(settings(), first).green());
    }

    @AfterAll
    static void close() {
        sandbox.close();
    }

    @AfterEach
    void heal() {
        sandbox.heal();
    }

    private static ReplicatorSettings settings() {
        return new ReplicatorSettings(sandbox, "faults").replicate(SENT).replicateFrom(RECEIVED);
    }

    private static PreflightReport look(ReplicatorSettings settings, Path folder) {
        return PreflightStart.run(settings.writeTo(folder).toString(), Map.of(), "*", false);
    }

    private static void topic(String name) {
        sandbox.topics().create(Side.LOCAL, name, 4, Map.of());
        sandbox.topics().create(sandbox.topicName(name), 4);
    }

    /**
     * One thing that is wrong.
     *
     * @param settings makes it wrong, and says what to look at
     * @param spots all that is not as it should be
     * @param found part of what is said of each
     */
    private record Fault(
            String name,
            Supplier<ReplicatorSettings> settings,
            Supplier<List<PreflightSpot>> spots,
            String found) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static Fault fault(
            String name,
            Supplier<ReplicatorSettings> settings,
            Supplier<List<PreflightSpot>> spots,
            String found) {
        return new Fault(name, settings, spots, found);
    }

    private static Fault closedPort(Role role, ClientRole side, int index) {
        return fault(
                "port " + (index + 1) + " of " + side.label() + " is closed",
                () -> {
                    sandbox.down(role, index);
                    return settings();
                },
                () -> List.of(spot(side, Stage.TCP, address(sandbox, side, index))),
                "refused");
    }

    private static Fault certificate(
            String name, Stage stage, boolean ofEachAddress, CertificateWish wish, String found) {
        return fault(
                name,
                () -> settings().certificate(sandbox.issue(wish)),
                () ->
                        ofEachAddress
                                ? eachAddress(sandbox, stage, HERMES)
                                : HERMES.stream().map(side -> spot(side, stage, "client")).toList(),
                found);
    }

    private static Fault right(
            String name, String acl, Supplier<List<PreflightSpot>> spots, String found) {
        return fault(
                name,
                () ->
                        settings()
                                .certificate(
                                        sandbox.issue(
                                                CertificateWish.named(name.replace(' ', '-'))
                                                        .acl(acl))),
                spots,
                found);
    }

    private static ReplicatorSettings hermes(String option, String value) {
        return settings().set("camel.component.hermes." + option, value);
    }

    static Stream<Fault> faults() {
        String sent = sandbox.topicName(SENT);
        return Stream.of(
                closedPort(Role.producer, ClientRole.HERMES_PRODUCER, 0),
                closedPort(Role.producer, ClientRole.HERMES_PRODUCER, 3),
                closedPort(Role.consumerA, ClientRole.HERMES_A, 1),
                closedPort(Role.consumerB, ClientRole.HERMES_B, 2),
                fault(
                        "a port swallows everything",
                        () -> {
                            sandbox.blackHole(Role.consumerA, 3);
                            return settings();
                        },
                        () ->
                                List.of(
                                        spot(
                                                ClientRole.HERMES_A,
                                                Stage.TLS,
                                                address(sandbox, ClientRole.HERMES_A, 3))),
                        "no answer"),
                fault(
                        "the customer's Kafka is at an unknown host",
                        () -> settings().bootstrap("no-such-host.invalid:9092"),
                        () -> List.of(spot(ClientRole.CUSTOMER, Stage.DNS, "no-such-host.invalid")),
                        "unknown"),
                fault(
                        "TLS is wanted where there is none",
                        () -> settings().connectionProperty("security.protocol", "SSL"),
                        () ->
                                List.of(
                                        spot(
                                                ClientRole.CUSTOMER,
                                                Stage.TLS,
                                                sandbox.bootstrap(Role.local))),
                        "does not speak TLS"),
                certificate(
                        "the certificate is expired",
                        Stage.OWN_CERTIFICATE,
                        false,
                        CertificateWish.named("faults-expired").expired(),
                        "expired on "),
                certificate(
                        "the certificate is not valid yet, or the clock is wrong",
                        Stage.OWN_CERTIFICATE,
                        false,
                        CertificateWish.named("faults-early").notYetValid(),
                        "valid"),
                certificate(
                        "the certificate is of another instance",
                        Stage.OWN_CERTIFICATE,
                        false,
                        CertificateWish.named("faults-other").principal("snc.other.client"),
                        "instance 'other'"),
                certificate(
                        "the certificate is of another authority",
                        Stage.AUTHENTICATION,
                        true,
                        CertificateWish.named("faults-foreign").byOtherAuthority(),
                        ""),
                fault(
                        "the password of the keystore is wrong",
                        () -> hermes("keystorePassword", "wrong"),
                        () ->
                                HERMES.stream()
                                        .map(side -> spot(side, Stage.OWN_CERTIFICATE, "client"))
                                        .toList(),
                        "keystorePassword"),
                right(
                        "no right to write",
                        "r@" + sent + ";rw@" + sandbox.topicName(RECEIVED),
                        () -> HERMES.stream().map(side -> spot(side, Stage.RIGHTS, sent)).toList(),
                        "WRITE is missing"),
                right(
                        "no right to read",
                        "rw@" + sent + ";w@" + sandbox.topicName(RECEIVED),
                        () ->
                                Stream.of(ClientRole.HERMES_A, ClientRole.HERMES_B)
                                        .map(
                                                side ->
                                                        spot(
                                                                side,
                                                                Stage.RIGHTS,
                                                                sandbox.topicName(RECEIVED)))
                                        .toList(),
                        "READ is missing"),
                fault(
                        "no topic on side A",
                        () -> {
                            sandbox.topics().create(Side.LOCAL, "faults-b", 1, Map.of());
                            sandbox.topics()
                                    .create(Side.B, sandbox.topicName("faults-b"), 1, Map.of());
                            return settings().replicateFrom("faults-b");
                        },
                        () ->
                                List.of(
                                        spot(
                                                ClientRole.HERMES_A,
                                                Stage.TOPIC,
                                                sandbox.topicName("faults-b"))),
                        "not there"),
                fault(
                        "no topic at the customer's Kafka",
                        () -> {
                            sandbox.topics().create(sandbox.topicName("faults-nowhere"), 1);
                            return settings().replicateFrom("faults-nowhere");
                        },
                        () -> List.of(spot(ClientRole.CUSTOMER, Stage.TOPIC, "faults-nowhere")),
                        "not there"),
                fault(
                        "other numbers of partitions on A and B",
                        () -> {
                            String topic = sandbox.topicName("faults-uneven");
                            sandbox.topics().create(Side.LOCAL, "faults-uneven", 1, Map.of());
                            sandbox.topics().create(Side.A, topic, 2, Map.of());
                            sandbox.topics().create(Side.B, topic, 3, Map.of());
                            return settings().replicateFrom("faults-uneven");
                        },
                        () ->
                                List.of(
                                        spot(
                                                ClientRole.HERMES_B,
                                                Stage.TOPIC,
                                                sandbox.topicName("faults-uneven"))),
                        "partitions"),
                fault(
                        "the destination takes small messages only",
                        () -> {
                            sandbox.topics()
                                    .create(
                                            Side.LOCAL,
                                            "faults-small",
                                            1,
                                            Map.of("max.message.bytes", "1000"));
                            sandbox.topics().create(sandbox.topicName("faults-small"), 1);
                            return settings().replicateFrom("faults-small");
                        },
                        () -> List.of(spot(ClientRole.CUSTOMER, Stage.SETTINGS, "faults-small")),
                        "max.message.bytes=1000"),
                fault(
                        "the destination is compacted",
                        () -> {
                            sandbox.topics()
                                    .create(
                                            Side.LOCAL,
                                            "faults-compacted",
                                            1,
                                            Map.of("cleanup.policy", "compact"));
                            sandbox.topics().create(sandbox.topicName("faults-compacted"), 1);
                            return settings().replicateFrom("faults-compacted");
                        },
                        () ->
                                List.of(
                                        spot(
                                                ClientRole.CUSTOMER,
                                                Stage.SETTINGS,
                                                "faults-compacted")),
                        "without a key"),
                fault(
                        "a clock is wrong: a message is dated in three hours",
                        () -> {
                            topic("faults-clock");
                            try (LocalRecords records = new LocalRecords(sandbox, "faults-clock")) {
                                records.put(
                                        2,
                                        Instant.now().plus(Duration.ofHours(3)).toEpochMilli(),
                                        null,
                                        new byte[0]);
                            }
                            return settings().replicate("faults-clock");
                        },
                        () ->
                                List.of(
                                        spot(
                                                ClientRole.CUSTOMER,
                                                Stage.LAST_MESSAGE,
                                                "faults-clock")),
                        "2 h 59 min after the time of this machine"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    @DisplayName("where only one is wrong:")
    void exactly(Fault fault) {
        PreflightReport report = look(fault.settings().get(), folder);
        List<PreflightSpot> spots = fault.spots().get();
        assertThat(PreflightSpot.with(report, Outcome.FAIL, Outcome.WARN))
                .containsExactlyInAnyOrderElementsOf(spots);
        for (PreflightSpot spot : spots) {
            assertThat(spot.in(report).found()).contains(fault.found());
        }
    }

    @Test
    @DisplayName(
            "and an option that can't be is refused before anything is asked: one line names it")
    void options() {
        String[][] options = {
            {"compressionType", "zstd", "zstd"},
            {"portBase", "70000", "portBase"},
            {
                "consumerBBootstrapServers",
                address(sandbox, ClientRole.HERMES_A, 0),
                "consumerBBootstrapServers"
            }
        };
        for (String[] option : options) {
            assertThatThrownBy(() -> look(hermes(option[0], option[1]), folder))
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .contains(option[2])
                    .hasLineCount(1);
        }
    }
}
