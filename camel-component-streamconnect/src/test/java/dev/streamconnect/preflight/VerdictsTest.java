package dev.streamconnect.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.certificate.Validity;
import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.cluster.HermesPorts;
import dev.streamconnect.cluster.HostPort;
import dev.streamconnect.cluster.Role;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a preflight says of")
class VerdictsTest {

    private static final Instant NOW = Instant.now();

    @TempDir Path folder;

    private X509Certificate certificate(String name, Duration age, Duration left) throws Exception {
        return new TestPki(folder)
                .issue(name, new Validity(NOW.minus(age), NOW.plus(left)))
                .certificate();
    }

    @ParameterizedTest(name = "{0} days old, {1} days left: {2}")
    @CsvSource({"1, 6, OK", "6, 1, WARN", "300, 65, OK", "340, 25, WARN", "3000, 40, OK"})
    @DisplayName("the own certificate, by what is left of it")
    void ownDates(int age, int left, Outcome expected) throws Exception {
        Verdict verdict =
                OwnCertificate.verdict(
                        certificate("client", Duration.ofDays(age), Duration.ofDays(left)),
                        Targets.rules(Role.PRODUCER, false),
                        NOW);
        assertThat(verdict.outcome()).as("%s", verdict).isEqualTo(expected);
        assertThat(verdict.found()).contains("CN=client", " left, until ");
        assertThat(verdict.mend() == null).isEqualTo(expected == Outcome.OK);
    }

    @Test
    @DisplayName("the own certificate that is over, to come, of another instance, or not there")
    void ownFaults() throws Exception {
        HermesRules acme = Targets.rules(Role.PRODUCER, false);
        Duration hour = Duration.ofHours(1);
        Verdict over =
                OwnCertificate.verdict(
                        certificate("c", hour.multipliedBy(2), hour.negated()), acme, NOW);
        assertThat(over.failed()).isTrue();
        assertThat(over.found()).contains("expired on ");
        assertThat(
                        OwnCertificate.verdict(
                                        certificate("c", hour.negated(), hour.multipliedBy(2)),
                                        acme,
                                        NOW)
                                .found())
                .contains("not valid before ");
        X509Certificate other =
                certificate("prod.service-now.com", Duration.ofDays(1), Duration.ofDays(90));
        assertThat(OwnCertificate.verdict(other, acme, NOW).failed()).isTrue();
        assertThat(OwnCertificate.verdict(other, acme, NOW).found()).contains("'prod'", "'acme'");
        assertThat(OwnCertificate.verdict(other, Targets.rules(Role.PRODUCER, true), NOW).outcome())
                .isEqualTo(Outcome.WARN);
        assertThat(OwnCertificate.verdict(other, null, NOW).outcome()).isEqualTo(Outcome.OK);
        HermesRules rules =
                new HermesRules(
                        HermesInstance.of("other"),
                        HermesPorts.STANDARD,
                        Role.PRODUCER,
                        false,
                        32,
                        960);
        Verdict byOrganisation = OwnCertificate.verdict(certificate("c", hour, hour), rules, NOW);
        assertThat(byOrganisation.failed()).isTrue();
        assertThat(byOrganisation.found()).contains("is of instance 'acme'", "'other'");
        assertThat(OwnCertificate.verdict(null, acme, NOW).failed()).isTrue();
        assertThat(OwnCertificate.verdict(null, null, NOW).outcome()).isEqualTo(Outcome.OK);
    }

    @Test
    @Tag("case-H8")
    @DisplayName("H8: an advertised port, by the range of its role")
    void advertised() {
        HermesRules producer = Targets.rules(Role.PRODUCER, false);
        AdvertisedAddress inside =
                new AdvertisedAddress(7, new HostPort("acme.service-now.com", 4017));
        assertThat(inside.verdict(producer))
                .isEqualTo(Verdict.ok("broker 7, in the range 4000-4050"));
        Verdict outside = inside.verdict(Targets.rules(Role.CONSUMER_A, false));
        assertThat(outside.outcome()).isEqualTo(Outcome.WARN);
        assertThat(outside.found()).contains("outside of the documented range 4100-4150");
        assertThat(inside.verdict(null).outcome()).isEqualTo(Outcome.OK);
        HermesRules any =
                new HermesRules(
                        HermesInstance.of("acme"),
                        new HermesPorts(4000, true),
                        Role.CONSUMER_A,
                        false,
                        32,
                        960);
        assertThat(inside.verdict(any).outcome()).isEqualTo(Outcome.OK);
    }

    @ParameterizedTest(name = "produce {0}, fetch {1}-{2}, further request {3}: {4}")
    @CsvSource({
        "6, 0, 8, -1, OLDER_THAN_2_1",
        "7, 0, 10, -1, FROM_2_1",
        "7, 0, 11, 44, FROM_2_3",
        "8, 0, 11, 47, FROM_2_4",
        "9, 0, 12, 60, FROM_2_8",
        "9, 0, 12, 65, FROM_3_0",
        "11, 0, 17, 65, FROM_3_9",
        "12, 4, 17, 65, FROM_4_0"
    })
    @Tag("case-S15")
    @DisplayName("S15: a broker's release")
    void release(int produce, int firstFetch, int lastFetch, int request, BrokerRelease expected) {
        Map<Integer, ApiVersions.Range> ranges = new HashMap<>();
        ranges.put(0, new ApiVersions.Range(0, produce));
        ranges.put(1, new ApiVersions.Range(firstFetch, lastFetch));
        if (request >= 0) {
            ranges.put(request, new ApiVersions.Range(0, 0));
        }
        assertThat(BrokerRelease.of(new ApiVersions(ranges))).isEqualTo(expected);
    }

    @Test
    @Tag("case-S15")
    @DisplayName("S15: a broker without static group members, which is red where it is read")
    void staticMembers() {
        assertThat(BrokerRelease.FROM_2_1.verdict(true).failed()).isTrue();
        assertThat(BrokerRelease.FROM_2_1.verdict(false).outcome()).isEqualTo(Outcome.WARN);
        assertThat(BrokerRelease.FROM_2_3.verdict(true).outcome()).isEqualTo(Outcome.OK);
        assertThat(BrokerRelease.OLDER_THAN_2_1.verdict(false).found()).isEqualTo("broker < 2.1");
    }

    @Test
    @Tag("case-H18")
    @DisplayName("H18: partitions against their limits, and no limit of topics")
    void partitions() {
        PartitionUse use = new PartitionUse(Targets.rules(Role.CONSUMER_A, false));
        assertThat(use.ofTopic(32)).isEqualTo(Verdict.ok("32 of 32 partitions"));
        assertThat(use.ofTopic(33).outcome()).isEqualTo(Outcome.WARN);
        assertThat(use.ofTopic(33).mend()).contains("maxTopicPartitions");
        assertThat(use.ofAll(Collections.nCopies(31, 2)))
                .isEqualTo(Verdict.ok("62 of 960 used by 31 topics that this client may see"));
        assertThat(use.ofAll(Collections.nCopies(31, 32)).found())
                .isEqualTo("992 of 960 used by 31 topics that this client may see, over the limit");
    }

    @Test
    @DisplayName("the settings of a destination topic")
    void settings() {
        TopicSettings small =
                new TopicSettings(
                        Map.of(
                                "max.message.bytes", "1048588",
                                "cleanup.policy", "compact,delete",
                                "retention.ms", "129600000"));
        TopicUse written = new TopicUse("t", AclOperation.WRITE, 2_097_152, List.of("r"));
        Verdict doubtful = small.verdict(written);
        assertThat(doubtful.outcome()).isEqualTo(Outcome.WARN);
        assertThat(doubtful.found())
                .contains("max.message.bytes=1048588", "(36 h)", "up to 2097152", "without a key");
        assertThat(doubtful.mend()).contains("raise max.message.bytes", "take compact out");
        TopicUse read = new TopicUse("t", AclOperation.READ, 2_097_152, List.of("r"));
        assertThat(small.verdict(read).outcome()).isEqualTo(Outcome.OK);
        assertThat(new TopicSettings(Map.of("retention.ms", "-1")).verdict(written))
                .isEqualTo(Verdict.ok("retention.ms=-1 (for ever)"));
    }

    @Test
    @DisplayName("a host that has no address, or is of another instance")
    void hosts() {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            PreflightTarget target = Targets.hermes(ClientRole.HERMES_A, "x:4100");
            Findings findings = new Findings(target);
            HostNames names = new HostNames(target, findings, threads, Duration.ofSeconds(60));
            assertThat(names.addresses("no-such-host.invalid")).isEmpty();
            assertThat(names.addresses("no-such-host.invalid")).isEmpty();
            assertThat(names.addresses("localhost")).isNotEmpty();
            assertThat(findings.all()).hasSize(2);
            Finding unknown = findings.all().get(0);
            assertThat(unknown.stage()).isEqualTo(Stage.DNS);
            assertThat(unknown.outcome()).isEqualTo(Outcome.FAIL);
            assertThat(unknown.subject()).isEqualTo("no-such-host.invalid");
            assertThat(unknown.place()).isEqualTo("hermes side A");
            assertThat(findings.all().get(1).outcome()).isEqualTo(Outcome.OK);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    @DisplayName("stores of the user's own client properties: the property that is wrong")
    void ownStores() throws Exception {
        TestPki pki = new TestPki(folder);
        for (String store : List.of("keystore", "truststore")) {
            Map<String, Object> properties = new HashMap<>(TestPki.client(pki, pki));
            properties.put("ssl." + store + ".password", "hush-hush");
            PreflightTarget target = Targets.customer("h:1", properties);
            assertThatThrownBy(() -> ClientTls.of(target.settings()))
                    .hasMessageStartingWith(
                            "properties: ssl." + store + ".password: does not open '")
                    .hasMessageNotContaining("hush-hush");
        }
    }

    @Test
    @DisplayName("stores that Kafka's client cannot use: one line without their password")
    void stores() {
        Map<String, Object> broken =
                Map.of(
                        "ssl.keystore.location", "/no/such.p12",
                        "ssl.keystore.password", "hush-hush");
        Map<String, Object> garbage =
                Map.of(
                        "ssl.truststore.location",
                        Path.of("pom.xml").toString(),
                        "ssl.truststore.password",
                        "hush-hush");
        assertThatThrownBy(() -> ClientTls.of(Targets.customer("h:1", garbage).settings()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("hush-hush");
        assertThatThrownBy(() -> ClientTls.of(Targets.customer("h:1", broken).settings()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ssl.keystore.location: there is no file '/no/such.p12'");
    }
}
