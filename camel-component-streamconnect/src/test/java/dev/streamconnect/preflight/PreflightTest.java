package dev.streamconnect.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.apache.kafka.common.acl.AclOperation;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A preflight")
class PreflightTest {

    private static final TopicUse ORDERS =
            new TopicUse("orders", AclOperation.READ, 1, List.of("orders-to-sn"));

    private static PreflightTarget reading(String servers) {
        return new PreflightTarget(
                new ConnectionSettings("plant", ClientRole.CUSTOMER, servers, null, Map.of()),
                null,
                null,
                List.of(ORDERS),
                List.of("acme-consumer-plant"));
    }

    @Test
    @DisplayName("skips with a cause what cannot be looked at")
    void skips() throws Exception {
        PreflightReport report;
        try (LocalPort gone = LocalPort.plain(LocalPort.silent())) {
            gone.close();
            report =
                    Preflight.within(Targets.PATIENT, Clock.systemUTC())
                            .look(List.of(reading(gone.address().toString())), false);
        }
        assertThat(report.green()).isFalse();
        assertThat(report.findings())
                .extracting(Finding::stage, Finding::outcome)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(Stage.DNS, Outcome.OK),
                        org.assertj.core.groups.Tuple.tuple(Stage.TCP, Outcome.FAIL),
                        org.assertj.core.groups.Tuple.tuple(Stage.AUTHENTICATION, Outcome.SKIPPED),
                        org.assertj.core.groups.Tuple.tuple(Stage.VERSION, Outcome.SKIPPED),
                        org.assertj.core.groups.Tuple.tuple(Stage.CLUSTER, Outcome.SKIPPED),
                        org.assertj.core.groups.Tuple.tuple(Stage.TOPIC, Outcome.SKIPPED),
                        org.assertj.core.groups.Tuple.tuple(Stage.SETTINGS, Outcome.SKIPPED),
                        org.assertj.core.groups.Tuple.tuple(Stage.RIGHTS, Outcome.SKIPPED),
                        org.assertj.core.groups.Tuple.tuple(Stage.GROUP, Outcome.SKIPPED));
    }

    @Test
    @DisplayName("warns of a client property that no client knows")
    void unknownProperty() throws Exception {
        try (LocalPort gone = LocalPort.plain(LocalPort.silent())) {
            gone.close();
            PreflightReport report =
                    Preflight.within(Targets.PATIENT, Clock.systemUTC())
                            .look(
                                    List.of(
                                            Targets.customer(
                                                    gone.address().toString(),
                                                    Map.of("fetch.max.wiat.ms", "5"))),
                                    false);
            assertThat(report.findings().get(0))
                    .satisfies(
                            first -> {
                                assertThat(first.stage()).isEqualTo(Stage.CLIENT_PROPERTIES);
                                assertThat(first.outcome()).isEqualTo(Outcome.WARN);
                                assertThat(first.subject()).isEqualTo("fetch.max.wiat.ms");
                                assertThat(first.found()).contains("fetch.max.wait.ms");
                            });
        }
    }

    @Test
    @DisplayName("ends at its limit, says which side was not done, and keeps what others found")
    void ends() throws Exception {
        Limits endless =
                new Limits(
                        Duration.ofSeconds(300),
                        Duration.ofSeconds(300),
                        Duration.ofSeconds(300),
                        Duration.ofSeconds(300),
                        Duration.ofSeconds(2));
        try (LocalPort silent = LocalPort.plain(LocalPort.silent())) {
            PreflightReport report =
                    Preflight.within(endless, Clock.systemUTC())
                            .look(
                                    List.of(
                                            reading(silent.address().toString()),
                                            Targets.customer("no-such-host.invalid:1", Map.of())),
                                    false);
            assertThat(report.took()).isLessThan(Duration.ofSeconds(50));
            assertThat(report.findings())
                    .anySatisfy(
                            each -> {
                                assertThat(each.stage()).isEqualTo(Stage.CLUSTER);
                                assertThat(each.outcome()).isEqualTo(Outcome.FAIL);
                                assertThat(each.found()).isEqualTo("not done within 2 s");
                            })
                    .anySatisfy(
                            each -> assertThat(each.subject()).isEqualTo("no-such-host.invalid"));
        }
    }

    @Test
    @DisplayName(
            "compares the sides: one cluster twice, a near side that is none, other partitions")
    void compares() {
        TargetCheck producer = check(ClientRole.HERMES_PRODUCER, "third", 1);
        TargetCheck a = check(ClientRole.HERMES_A, "one", 4);
        TargetCheck b = check(ClientRole.HERMES_B, "two", 8);
        new PairComparison(List.of(producer, a, b)).look();
        assertThat(a.findings().all()).isEmpty();
        assertThat(producer.findings().all())
                .singleElement()
                .satisfies(
                        each -> {
                            assertThat(each.outcome()).isEqualTo(Outcome.FAIL);
                            assertThat(each.found()).startsWith("neither side A nor side B");
                        });
        assertThat(b.findings().all())
                .singleElement()
                .satisfies(
                        each -> {
                            assertThat(each.outcome()).isEqualTo(Outcome.WARN);
                            assertThat(each.stage()).isEqualTo(Stage.TOPIC);
                            assertThat(each.found()).contains("side A: 4", "side B: 8");
                        });

        TargetCheck again = check(ClientRole.HERMES_B, "one", 4);
        TargetCheck near = check(ClientRole.HERMES_PRODUCER, "one", 4);
        new PairComparison(List.of(near, a, again)).look();
        assertThat(again.findings().all())
                .singleElement()
                .satisfies(each -> assertThat(each.outcome()).isEqualTo(Outcome.FAIL));
        assertThat(near.findings().all())
                .singleElement()
                .satisfies(each -> assertThat(each.found()).isEqualTo("side A is near"));
    }

    private static TargetCheck check(ClientRole role, String cluster, int partitions) {
        TargetCheck check =
                new TargetCheck(
                        Targets.hermes(role, "localhost:1"),
                        false,
                        Targets.PATIENT,
                        Clock.systemUTC(),
                        Executors.newSingleThreadExecutor(),
                        Executors.newSingleThreadExecutor());
        check.facts().clusterId(cluster);
        check.facts().partitions("snc.acme.orders", partitions);
        return check;
    }

    @Test
    @DisplayName("is JSON with the fields of a line")
    void json() {
        ObjectNode json =
                PreflightJson.of(
                        new PreflightReport(
                                List.of(
                                        new Finding(
                                                "hermes",
                                                ClientRole.HERMES_B,
                                                "localhost:4200",
                                                Stage.SERVER_CERTIFICATE,
                                                Outcome.FAIL,
                                                "found",
                                                "mend")),
                                Duration.ofMillis(12)));
        assertThat(json.toString())
                .isEqualTo(
                        "{\"green\":false,\"ok\":0,\"warn\":0,\"fail\":1,\"skipped\":0,\"tookMillis\":12,\"findings\":[{\"connection\":\"hermes\","
                                + "\"side\":\"side B\",\"subject\":\"localhost:4200\",\"stage\":\"server-certificate\",\"outcome\":\"FAIL\",\"found\":\"found\",\"mend\":\"mend\"}]}");
    }
}
