package dev.streamconnect.it;

import static dev.streamconnect.it.PreflightSpot.HERMES;
import static dev.streamconnect.it.PreflightSpot.reds;
import static dev.streamconnect.it.PreflightSpot.spot;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.streamconnect.camel.main.PreflightStart;
import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyStores;
import dev.streamconnect.certificate.Validity;
import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import dev.streamconnect.preflight.Finding;
import dev.streamconnect.preflight.Outcome;
import dev.streamconnect.preflight.PreflightReport;
import dev.streamconnect.preflight.Stage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A preflight on real brokers")
class PreflightIT {

    private static final Duration LIMIT = Duration.ofSeconds(180);
    private static final String SENT = "preflight-sent";
    private static final String RECEIVED = "preflight-received";

    private static Sandbox sandbox;

    @TempDir Path folder;

    @BeforeAll
    static void open(@TempDir Path first) {
        sandbox = Sandbox.start(SandboxOptions.defaults());
        for (String topic : List.of(SENT, RECEIVED)) {
            sandbox.topics().create(Side.LOCAL, topic, 4, Map.of());
            sandbox.topics().create(sandbox.topicName(topic), 4);
        }
        // A new cluster makes the coordinator of groups at the first question.
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> preflight(settings(), first.resolve("first")).green());
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
        return new ReplicatorSettings(sandbox, "plant").replicate(SENT).replicateFrom(RECEIVED);
    }

    private static Finding finding(PreflightReport report, PreflightSpot spot) {
        return spot.in(report);
    }

    private static PreflightReport preflight(ReplicatorSettings settings, Path folder) {
        return PreflightStart.run(settings.writeTo(folder).toString(), Map.of(), "*", false);
    }

    private PreflightReport preflight(ReplicatorSettings settings) {
        return preflight(settings, folder);
    }

    private static String address(ClientRole side, int index) {
        return PreflightSpot.address(sandbox, side, index);
    }

    private static List<PreflightSpot> eachAddress(Stage stage, List<ClientRole> sides) {
        return PreflightSpot.eachAddress(sandbox, stage, sides);
    }

    private static int messages(Side side, String topic) {
        return sandbox.readBack().all(side, topic).size();
    }

    @Test
    @DisplayName("is green where all is well: each address, topic, right and group is looked at")
    void green() {
        PreflightReport report = preflight(settings());
        assertThat(reds(report)).isEmpty();
        assertThat(report.count(Outcome.SKIPPED)).isZero();
        for (Stage stage :
                List.of(
                        Stage.TCP,
                        Stage.TLS,
                        Stage.SERVER_CERTIFICATE,
                        Stage.AUTHENTICATION,
                        Stage.VERSION)) {
            for (PreflightSpot spot : eachAddress(stage, HERMES)) {
                assertThat(finding(report, spot).outcome()).isEqualTo(Outcome.OK);
            }
        }
        String sent = sandbox.topicName(SENT);
        assertThat(finding(report, spot(ClientRole.HERMES_B, Stage.TOPIC, sent)).found())
                .isEqualTo("4 of 32 partitions");
        for (ClientRole side : HERMES) {
            assertThat(finding(report, spot(side, Stage.PARTITIONS, "cluster")).found())
                    .matches("\\d+ of 960 used by \\d+ topics that this client may see");
        }
        assertThat(finding(report, spot(ClientRole.HERMES_PRODUCER, Stage.RIGHTS, sent)).found())
                .isEqualTo("WRITE");
        assertThat(finding(report, spot(ClientRole.CUSTOMER, Stage.RIGHTS, SENT)).found())
                .isEqualTo("READ");
        assertThat(finding(report, spot(ClientRole.HERMES_A, Stage.SETTINGS, sent)).found())
                .contains("max.message.bytes=2097152", "(36 h)");
        finding(report, spot(ClientRole.HERMES_B, Stage.GROUP, "snc.acme.plant"));
        finding(report, spot(ClientRole.CUSTOMER, Stage.GROUP, "acme-consumer-plant"));
        assertThat(report.findings())
                .filteredOn(each -> each.stage() == Stage.CLUSTER)
                .extracting(Finding::found)
                .contains(
                        "side A is near",
                        "id " + sandbox.clusterId(Side.B) + ", brokers: 1",
                        "id " + sandbox.clusterId(Side.LOCAL) + ", brokers: 1");
        assertThat(messages(Side.A, sent) + messages(Side.LOCAL, RECEIVED)).isZero();
    }

    @Test
    @DisplayName("answers in a running context, too, and sends a message only where it is told to")
    void operation() throws Exception {
        String topic = "preflight-tested";
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 1);
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, "tested")
                        .replicate(topic)
                        .set("camel.component.replication.buildRoutes", "false");
        try (Replicator replicator = Replicator.start(settings, folder)) {
            PreflightReport report =
                    replicator
                            .main()
                            .getCamelTemplate()
                            .requestBody(
                                    "replication:"
                                            + topic
                                            + "?operation=preflight&testMessage=true",
                                    null,
                                    PreflightReport.class);
            assertThat(reds(report)).isEmpty();
            PreflightSpot spot =
                    spot(ClientRole.HERMES_PRODUCER, Stage.TEST_MESSAGE, sandbox.topicName(topic));
            assertThat(finding(report, spot).found())
                    .matches("acknowledged in \\d+ ms: partition 0, offset 0");
            assertThat(report.findings())
                    .filteredOn(each -> each.stage() == Stage.TEST_MESSAGE)
                    .hasSize(1);
        }
        assertThat(messages(Side.A, sandbox.topicName(topic))).isEqualTo(1);
        assertThat(messages(Side.B, sandbox.topicName(topic))).isZero();
        assertThat(messages(Side.LOCAL, topic)).isZero();
    }

    @Test
    @Tag("case-H8")
    @DisplayName("H8: a port that a broker advertises beside the bootstrap ports is looked at, too")
    void advertised() {
        sandbox.restartBroker(Side.A, 0, 17);
        try {
            PreflightReport report = preflight(settings());
            assertThat(reds(report)).isEmpty();
            for (ClientRole side : List.of(ClientRole.HERMES_PRODUCER, ClientRole.HERMES_A)) {
                String address = address(side, 17);
                assertThat(finding(report, spot(side, Stage.ADVERTISED, address)).found())
                        .contains("broker ", "in the range ");
                for (Stage stage : List.of(Stage.TCP, Stage.TLS, Stage.AUTHENTICATION)) {
                    assertThat(finding(report, spot(side, stage, address)).outcome())
                            .isEqualTo(Outcome.OK);
                }
            }
            finding(
                    report,
                    spot(ClientRole.HERMES_B, Stage.ADVERTISED, address(ClientRole.HERMES_B, 0)));

            sandbox.down(Role.consumerA, 17);
            PreflightReport closed = preflight(settings());
            assertThat(reds(closed))
                    .containsExactly(
                            spot(ClientRole.HERMES_A, Stage.TCP, address(ClientRole.HERMES_A, 17)));
            assertThat(
                            finding(
                                            closed,
                                            spot(
                                                    ClientRole.HERMES_A,
                                                    Stage.TOPIC,
                                                    sandbox.topicName(SENT)))
                                    .found())
                    .isEqualTo("no advertised address can be used");
        } finally {
            sandbox.heal();
            sandbox.restartBroker(Side.A, 0, 0);
        }
    }

    @Test
    @DisplayName("names the one port that refuses")
    void refusedPort() {
        sandbox.down(Role.producer, 2);
        PreflightReport report = preflight(settings());
        String address = address(ClientRole.HERMES_PRODUCER, 2);
        assertThat(reds(report))
                .containsExactly(spot(ClientRole.HERMES_PRODUCER, Stage.TCP, address));
        for (Stage stage : List.of(Stage.TLS, Stage.SERVER_CERTIFICATE, Stage.AUTHENTICATION)) {
            Finding skipped = finding(report, spot(ClientRole.HERMES_PRODUCER, stage, address));
            assertThat(skipped.outcome()).isEqualTo(Outcome.SKIPPED);
            assertThat(skipped.found()).isEqualTo("TCP failed");
        }
        assertThat(
                        finding(
                                        report,
                                        spot(
                                                ClientRole.HERMES_PRODUCER,
                                                Stage.RIGHTS,
                                                sandbox.topicName(SENT)))
                                .outcome())
                .isEqualTo(Outcome.OK);
    }

    @Test
    @DisplayName("names the side whose ports swallow everything, and ends")
    void silentSide() {
        sandbox.blackHole(Role.consumerB);
        PreflightReport report = preflight(settings());
        assertThat(reds(report))
                .containsExactlyInAnyOrderElementsOf(
                        eachAddress(Stage.TLS, List.of(ClientRole.HERMES_B)));
        assertThat(report.took()).isLessThan(Duration.ofSeconds(90));
    }

    @Test
    @DisplayName("tells a client certificate of another authority")
    void otherAuthority() {
        PreflightReport report =
                preflight(
                        settings()
                                .certificate(
                                        sandbox.issue(
                                                CertificateWish.named("preflight-foreign")
                                                        .byOtherAuthority())));
        assertThat(reds(report))
                .containsExactlyInAnyOrderElementsOf(eachAddress(Stage.AUTHENTICATION, HERMES));
    }

    @Test
    @DisplayName("tells a truststore of another authority")
    void otherTruststore() throws Exception {
        Path trust = folder.resolve("trust.p12");
        CertificateAuthority other =
                CertificateAuthority.create(
                        HermesSubject.authority("other", "acme"),
                        Validity.of(Instant.now(), Duration.ofDays(1)));
        KeyStores.writeTrustStore(
                trust, List.of(other.certificate()), sandbox.password().toCharArray());
        PreflightReport report =
                preflight(settings().set("camel.component.hermes.truststore", trust.toString()));
        assertThat(reds(report))
                .containsExactlyInAnyOrderElementsOf(eachAddress(Stage.SERVER_CERTIFICATE, HERMES));
    }

    @Test
    @DisplayName("tells the expired certificate, which no broker does")
    void expired() {
        PreflightReport report =
                preflight(
                        settings()
                                .certificate(
                                        sandbox.issue(
                                                CertificateWish.named("preflight-expired")
                                                        .expired())));
        assertThat(reds(report))
                .containsExactlyElementsOf(
                        HERMES.stream()
                                .map(side -> spot(side, Stage.OWN_CERTIFICATE, "client"))
                                .toList());
        assertThat(
                        finding(report, spot(ClientRole.HERMES_A, Stage.OWN_CERTIFICATE, "client"))
                                .found())
                .contains("CN=preflight-expired", "expired on ");
        for (PreflightSpot spot : eachAddress(Stage.SERVER_CERTIFICATE, HERMES)) {
            assertThat(finding(report, spot).outcome()).isEqualTo(Outcome.OK);
        }
        for (PreflightSpot spot : eachAddress(Stage.AUTHENTICATION, HERMES)) {
            assertThat(finding(report, spot).found()).isEqualTo("own certificate failed");
        }
    }

    @Test
    @DisplayName("names the side where a topic is missing")
    void missingTopic() {
        String topic = "preflight-half";
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
        sandbox.topics().create(Side.A, sandbox.topicName(topic), 1, Map.of());
        PreflightReport report = preflight(settings().replicate(topic));
        PreflightSpot missing = spot(ClientRole.HERMES_B, Stage.TOPIC, sandbox.topicName(topic));
        assertThat(reds(report)).containsExactly(missing);
        assertThat(finding(report, missing).mend()).contains("on both sides", topic);
        assertThat(
                        finding(
                                        report,
                                        spot(
                                                ClientRole.HERMES_B,
                                                Stage.RIGHTS,
                                                sandbox.topicName(topic)))
                                .found())
                .isEqualTo("topic failed");
    }

    @Test
    @DisplayName("names the right that is missing, and the side")
    void revoked() {
        String name = "preflight-revoked";
        ClientCertificate certificate = sandbox.issue(CertificateWish.named(name));
        sandbox.control()
                .post(
                        "/acl/revoke",
                        Map.of("principal", name, "operations", "WRITE", "sides", "B"));
        PreflightReport half = preflight(settings().certificate(certificate));
        PreflightSpot write = spot(ClientRole.HERMES_B, Stage.RIGHTS, sandbox.topicName(SENT));
        assertThat(reds(half)).containsExactly(write);
        assertThat(finding(half, write).found()).startsWith("WRITE is missing");
        assertThat(finding(half, write).mend()).startsWith("grant WRITE on this topic");

        sandbox.revokeAll(name);
        PreflightReport none = preflight(settings().certificate(certificate));
        List<PreflightSpot> expected = new ArrayList<>();
        expected.add(spot(ClientRole.HERMES_PRODUCER, Stage.RIGHTS, sandbox.topicName(SENT)));
        for (ClientRole side : List.of(ClientRole.HERMES_A, ClientRole.HERMES_B)) {
            expected.add(spot(side, Stage.RIGHTS, sandbox.topicName(SENT)));
            expected.add(spot(side, Stage.RIGHTS, sandbox.topicName(RECEIVED)));
            expected.add(spot(side, Stage.GROUP, "snc.acme.plant"));
        }
        assertThat(reds(none)).containsExactlyElementsOf(expected);
    }

    private static String block(String language) throws IOException {
        Matcher block =
                Pattern.compile("(?s)```" + language + "\\n(.*?)```")
                        .matcher(Files.readString(Path.of("../docs/preflight.md")));
        assertThat(block.find()).as(language).isTrue();
        return block.group(1);
    }

    @Test
    @DisplayName("works as its page says: the command, and the route")
    void documented() throws Exception {
        Path application = settings().writeTo(folder);
        String line = block("bash").strip();
        assertThat(line).doesNotContain("\n").contains("command.Main preflight");
        List<String> arguments = new ArrayList<>();
        for (String word : line.replaceFirst(".*command\\.Main ", "").split(" ")) {
            arguments.add(word.equals("application.properties") ? application.toString() : word);
        }
        StringWriter out = new StringWriter();
        int exitCode =
                dev.streamconnect.command.Main.commandLine()
                        .setOut(new PrintWriter(out, true))
                        .execute(arguments.toArray(String[]::new));
        assertThat(exitCode).as("%s", out).isZero();
        assertThat(out.toString())
                .containsPattern(
                        "OK +hermes side B +topic +" + sandbox.topicName(SENT) + " +4 of 32 p")
                .contains("preflight: green: ok=");

        ReplicatorSettings running =
                settings()
                        .set("camel.component.replication.buildRoutes", "false")
                        .routes(block("yaml"));
        try (Replicator replicator = Replicator.start(running, folder)) {
            String answer =
                    replicator
                            .main()
                            .getCamelTemplate()
                            .requestBody("direct:preflight", null, String.class);
            JsonNode json = new ObjectMapper().readTree(answer);
            assertThat(json.path("green").asBoolean()).as(answer).isTrue();
            assertThat(json.path("findings").findValuesAsText("stage")).contains("rights");
        }
    }

    @Test
    @DisplayName("names the host that is unknown, and looks at the others")
    void unknownHost() {
        PreflightReport report = preflight(settings().bootstrap("no-such-host.invalid:9092"));
        assertThat(reds(report))
                .containsExactly(spot(ClientRole.CUSTOMER, Stage.DNS, "no-such-host.invalid"));
        assertThat(
                        finding(
                                        report,
                                        spot(
                                                ClientRole.CUSTOMER,
                                                Stage.TCP,
                                                "no-such-host.invalid:9092"))
                                .found())
                .isEqualTo("DNS failed");
    }
}
