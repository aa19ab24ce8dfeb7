package dev.streamconnect.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.certificate.Validity;
import dev.streamconnect.cluster.HostPort;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The look at an address")
class AddressCheckTest {

    private static final Map<String, Object> PLAIN = Map.of();
    private static final String TLS_1_3 = "TLSv1.3";

    private static TestPki pki;
    private static TestPki foreign;
    private static Map<String, Object> good;

    @BeforeAll
    static void makeStores(@TempDir Path folder) throws Exception {
        pki = new TestPki(folder);
        foreign = new TestPki(folder);
        good = TestPki.client(pki, pki);
    }

    private static List<Finding> look(
            HostPort address, Map<String, Object> properties, Limits limits) throws Exception {
        PreflightTarget target = Targets.customer(address.toString(), properties);
        ClientTls tls = target.isTls() ? ClientTls.of(target.settings()) : null;
        AddressCheck check = new AddressCheck(address, target, tls, limits, Clock.systemUTC());
        boolean usable = check.look(List.of(InetAddress.getLoopbackAddress()), null, null);
        List<Finding> found = check.findings().all();
        assertThat(usable)
                .isEqualTo(found.stream().noneMatch(each -> each.outcome() == Outcome.FAIL));
        assertThat(found).allMatch(each -> each.subject().equals(address.toString()));
        return found;
    }

    private static Finding only(List<Finding> found, Stage stage) {
        assertThat(found.stream().filter(each -> each.stage() == stage)).hasSize(1);
        return found.stream().filter(each -> each.stage() == stage).findFirst().orElseThrow();
    }

    /** This stage fails, all before are green, all later are skipped and name it. */
    private static Finding failsAt(Stage stage, List<Finding> found) {
        Finding red = only(found, stage);
        assertThat(red.outcome()).as("%s", found).isEqualTo(Outcome.FAIL);
        assertThat(red.mend()).isNotBlank();
        for (Finding each : found) {
            if (each.stage().compareTo(stage) < 0) {
                assertThat(each.outcome()).as("%s", each).isEqualTo(Outcome.OK);
            } else if (each.stage().compareTo(stage) > 0) {
                assertThat(each.outcome()).as("%s", each).isEqualTo(Outcome.SKIPPED);
                assertThat(each.found()).isEqualTo(stage.label() + " failed");
                assertThat(each.mend()).isNull();
            }
        }
        return red;
    }

    @Test
    @DisplayName("is green with a broker, with and without TLS")
    void green() throws Exception {
        try (LocalPort port = LocalPort.plain(LocalPort.broker())) {
            List<Finding> found = look(port.address(), PLAIN, Targets.PATIENT);
            assertThat(found)
                    .extracting(Finding::stage)
                    .containsExactly(Stage.TCP, Stage.AUTHENTICATION, Stage.VERSION);
            assertThat(found).allMatch(each -> each.outcome() == Outcome.OK);
        }
        try (LocalPort port = LocalPort.tls(pki.server(), true, TLS_1_3, LocalPort.broker())) {
            List<Finding> found = look(port.address(), good, Targets.PATIENT);
            assertThat(found)
                    .extracting(Finding::stage)
                    .containsExactly(
                            Stage.TCP,
                            Stage.TLS,
                            Stage.SERVER_CERTIFICATE,
                            Stage.AUTHENTICATION,
                            Stage.VERSION);
            assertThat(found).allMatch(each -> each.outcome() == Outcome.OK);
            assertThat(only(found, Stage.SERVER_CERTIFICATE).found())
                    .contains("CN=server", "names localhost", "days left");
        }
    }

    @Test
    @DisplayName("tells a port that refuses")
    void refused() throws Exception {
        HostPort gone;
        try (LocalPort port = LocalPort.plain(LocalPort.silent())) {
            gone = port.address();
        }
        assertThat(failsAt(Stage.TCP, look(gone, good, Targets.PATIENT)).found())
                .isEqualTo("connection refused");
    }

    @Test
    @DisplayName("does not wait for a port that says nothing")
    void silent() throws Exception {
        try (LocalPort port = LocalPort.plain(LocalPort.silent())) {
            Finding tls = failsAt(Stage.TLS, look(port.address(), good, Targets.SHORT));
            assertThat(tls.found()).contains("no answer to the handshake within 1 s");
            Finding plain =
                    failsAt(Stage.AUTHENTICATION, look(port.address(), PLAIN, Targets.SHORT));
            assertThat(plain.found()).isEqualTo("no answer within 1 s");
        }
    }

    @Test
    @DisplayName("tells a port that does not speak TLS, and one that does without being asked")
    void wrongProtocol() throws Exception {
        try (LocalPort port = LocalPort.plain(LocalPort.text("HTTP/1.1 400 Bad Request\r\n\r\n"))) {
            Finding tls = failsAt(Stage.TLS, look(port.address(), good, Targets.PATIENT));
            assertThat(tls.found()).isEqualTo("the port does not speak TLS");
            Finding kafka =
                    failsAt(Stage.AUTHENTICATION, look(port.address(), PLAIN, Targets.PATIENT));
            assertThat(kafka.found()).isEqualTo("no Kafka broker answers");
        }
        try (LocalPort port = LocalPort.tls(pki.server(), false, TLS_1_3, LocalPort.broker())) {
            Finding plain =
                    failsAt(Stage.AUTHENTICATION, look(port.address(), PLAIN, Targets.PATIENT));
            assertThat(plain.found()).isEqualTo("the port speaks TLS, and the connection does not");
        }
    }

    @Test
    @DisplayName("tells a broker without TLS from one that does not like the handshake")
    void noTls() throws Exception {
        try (LocalPort port = LocalPort.plain(LocalPort.broker())) {
            Finding red = failsAt(Stage.TLS, look(port.address(), good, Targets.PATIENT));
            assertThat(red.found()).isEqualTo("the port does not speak TLS");
            assertThat(red.mend()).startsWith("take ssl out");
        }
    }

    @Test
    @DisplayName("tells a broker that wants a user of a connection without sasl")
    void wantsUser() throws Exception {
        try (LocalPort port = LocalPort.plain(LocalPort.wantsUser())) {
            Finding red =
                    failsAt(Stage.AUTHENTICATION, look(port.address(), PLAIN, Targets.PATIENT));
            assertThat(red.found()).contains("wants a user or a token");
            assertThat(red.mend()).startsWith("give the connection sasl");
        }
    }

    @ParameterizedTest(name = "with {0}")
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    @DisplayName("tells a broker that wants a certificate where none is given")
    void noCertificate(String protocol) throws Exception {
        Map<String, Object> anonymous = new HashMap<>(good);
        anonymous.keySet().removeIf(name -> name.startsWith("ssl.keystore."));
        try (LocalPort port = LocalPort.tls(pki.server(), true, protocol, LocalPort.broker())) {
            Finding red =
                    failsAt(Stage.AUTHENTICATION, look(port.address(), anonymous, Targets.PATIENT));
            assertThat(red.found()).contains("wants a client certificate", "none is given");
            assertThat(red.mend()).contains("ssl.keystoreLocation");
        }
    }

    @Test
    @DisplayName("tells a broker of another authority, and asks it nothing")
    void untrusted() throws Exception {
        try (LocalPort port = LocalPort.tls(foreign.server(), false, TLS_1_3, LocalPort.broker())) {
            Finding red =
                    failsAt(Stage.SERVER_CERTIFICATE, look(port.address(), good, Targets.PATIENT));
            assertThat(red.found()).startsWith("not trusted: signed by CN=test-ca");
            assertThat(port.questions()).isZero();

            Map<String, Object> none = new HashMap<>(good);
            none.keySet().removeIf(name -> name.startsWith("ssl.truststore."));
            red = failsAt(Stage.SERVER_CERTIFICATE, look(port.address(), none, Targets.PATIENT));
            assertThat(red.found()).contains("there is no truststore");
            assertThat(red.mend()).contains("ssl.truststoreLocation");
        }
    }

    @Test
    @DisplayName("tells a certificate that names another host, unless names are not verified")
    void otherName() throws Exception {
        Validity day = Validity.of(Instant.now(), Duration.ofDays(90));
        try (LocalPort port =
                LocalPort.tls(
                        pki.server("other.example.com", day), true, TLS_1_3, LocalPort.broker())) {
            Finding red =
                    failsAt(Stage.SERVER_CERTIFICATE, look(port.address(), good, Targets.PATIENT));
            assertThat(red.found())
                    .startsWith("does not name localhost")
                    .contains("names other.example.com");

            Map<String, Object> careless = new HashMap<>(good);
            careless.put("ssl.endpoint.identification.algorithm", "");
            List<Finding> found = look(port.address(), careless, Targets.PATIENT);
            assertThat(only(found, Stage.SERVER_CERTIFICATE).outcome()).isEqualTo(Outcome.WARN);
            assertThat(only(found, Stage.VERSION).outcome()).isEqualTo(Outcome.OK);
        }
    }

    @Test
    @DisplayName("tells a broker's certificate that is over, and one that soon will be")
    void dates() throws Exception {
        Instant now = Instant.now();
        Validity over = new Validity(now.minusSeconds(7_200), now.minusSeconds(3_600));
        try (LocalPort port =
                LocalPort.tls(pki.server("localhost", over), true, TLS_1_3, LocalPort.broker())) {
            Finding red =
                    failsAt(Stage.SERVER_CERTIFICATE, look(port.address(), good, Targets.PATIENT));
            assertThat(red.found()).contains("expired on ");
        }
        Validity short_ = new Validity(now.minusSeconds(3_600), now.plusSeconds(86_400));
        try (LocalPort port =
                LocalPort.tls(pki.server("localhost", short_), true, TLS_1_3, LocalPort.broker())) {
            Finding soon =
                    only(look(port.address(), good, Targets.PATIENT), Stage.SERVER_CERTIFICATE);
            assertThat(soon.outcome()).isEqualTo(Outcome.WARN);
            assertThat(soon.mend()).isNotBlank();
        }
    }

    @ParameterizedTest(name = "with {0}")
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    @DisplayName("tells a client certificate that the broker refuses")
    void refusedCertificate(String protocol) throws Exception {
        Map<String, Object> unknown = TestPki.client(foreign, pki);
        try (LocalPort port = LocalPort.tls(pki.server(), true, protocol, LocalPort.broker())) {
            Finding red =
                    failsAt(Stage.AUTHENTICATION, look(port.address(), unknown, Targets.PATIENT));
            // A reset can overtake the alert.
            assertThat(red.found())
                    .startsWith("the broker ")
                    .contains("refuses the client certificate");
        }
    }

    @Test
    @DisplayName("tells TLS versions that do not meet")
    void noCommonVersion() throws Exception {
        Map<String, Object> newOnly = new HashMap<>(good);
        newOnly.put("ssl.enabled.protocols", TLS_1_3);
        try (LocalPort port = LocalPort.tls(pki.server(), true, "TLSv1.2", LocalPort.broker())) {
            Finding red = failsAt(Stage.TLS, look(port.address(), newOnly, Targets.PATIENT));
            assertThat(red.found()).isEqualTo("the broker ends the handshake");
        }
    }

    @Test
    @Tag("case-S15")
    @DisplayName("S15: tells a broker that is too old, and one that ends an unknown question")
    void old() throws Exception {
        Map<Integer, int[]> ofTwoZero = Map.of(0, new int[] {0, 6}, 1, new int[] {0, 8});
        try (LocalPort port = LocalPort.plain(LocalPort.broker(ofTwoZero))) {
            Finding red = failsAt(Stage.VERSION, look(port.address(), PLAIN, Targets.PATIENT));
            assertThat(red.found()).isEqualTo("broker < 2.1");
        }
        try (LocalPort port = LocalPort.plain(LocalPort.closing())) {
            Finding red =
                    failsAt(Stage.AUTHENTICATION, look(port.address(), PLAIN, Targets.PATIENT));
            assertThat(red.found()).contains("older than 0.10");
        }
    }

    @Test
    @Tag("case-H8")
    @DisplayName(
            "H8: tells what the broker advertises, over the connection to its bootstrap address")
    void metadata() throws Exception {
        try (LocalPort port =
                LocalPort.plain(LocalPort.broker("id-1", 7, "broker.example.com", 4017))) {
            PreflightTarget target = Targets.customer(port.address().toString(), PLAIN);
            AddressCheck check =
                    new AddressCheck(
                            port.address(), target, null, Targets.PATIENT, Clock.systemUTC());
            assertThat(check.look(List.of(InetAddress.getLoopbackAddress()), null, null)).isTrue();
            assertThat(check.metadata())
                    .isEqualTo(
                            new ClusterMetadata(
                                    "id-1",
                                    List.of(
                                            new AdvertisedAddress(
                                                    7, new HostPort("broker.example.com", 4017)))));
        }
    }

    @Test
    @DisplayName("is left out from the stage on that something else has spoilt")
    void spoilt() throws Exception {
        try (LocalPort port = LocalPort.tls(pki.server(), true, TLS_1_3, LocalPort.broker())) {
            PreflightTarget target = Targets.customer(port.address().toString(), good);
            AddressCheck check =
                    new AddressCheck(
                            port.address(),
                            target,
                            ClientTls.of(target.settings()),
                            Targets.PATIENT,
                            Clock.systemUTC());
            assertThat(
                            check.look(
                                    List.of(InetAddress.getLoopbackAddress()),
                                    null,
                                    "own certificate failed"))
                    .isFalse();
            assertThat(check.findings().all())
                    .extracting(Finding::outcome)
                    .containsExactly(
                            Outcome.OK, Outcome.OK, Outcome.OK, Outcome.SKIPPED, Outcome.SKIPPED);
            assertThat(port.questions()).isZero();
        }
    }
}
