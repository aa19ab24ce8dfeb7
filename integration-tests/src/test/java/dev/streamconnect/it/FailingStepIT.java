package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.LinkState;
import dev.streamconnect.it.Sandbox.Side;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("fault")
@DisplayName("While a service that a step of the route calls refuses")
class FailingStepIT {

    private static final Duration REFUSES =
            Duration.ofSeconds(Integer.getInteger("fault.stepSeconds", 600));
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final int PARTITIONS = 2;

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    private ReplicatorSettings settings(String topic) {
        sandbox.topics().create(Side.LOCAL, topic, PARTITIONS, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), PARTITIONS);
        return new ReplicatorSettings(sandbox, topic)
                .replicate(topic, "route: none")
                .routes(PriceService.route(topic, "prices"))
                .set("camel.component.replication.metricsRoute", "false")
                .set("camel.component.replication.retryInterval", "1000")
                .set("camel.component.replication.undeliveredRetryInitial", "500")
                .set("camel.component.replication.undeliveredRetryMax", "1000");
    }

    @Test
    @Tag("case-U3")
    @DisplayName("for ten minutes: it is tried again in place, nothing is stored, then all flows")
    void tenMinutes() throws Exception {
        String topic = "failing-step";
        ReplicatorSettings settings = settings(topic);
        try (PriceService service = PriceService.start();
                UndeliveredDatabase database =
                        UndeliveredDatabase.embedded(folder.resolve("undelivered"));
                Traffic traffic = new Traffic(sandbox, topic, 20)) {
            UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);
            Map<String, Object> beans = Map.of("store", store, "prices", service);
            try (CapturedLog log = CapturedLog.start(List.of("org.apache.camel"));
                    Replicator replicator = Replicator.start(settings, folder, beans)) {
                traffic.send(100, 1_000);
                replicator.awaitMessages(topic, 100, LIMIT);
                new Group(sandbox, Side.LOCAL, settings.groupId()).awaitCommitted(topic, 100);
                service.refuse(true);
                Instant began = Instant.now();
                int callsBefore = service.calls();
                traffic.send(200, 1_000);
                replicator.awaitState(topic, LinkState.STALLED, LIMIT);
                while (Duration.between(began, Instant.now()).compareTo(REFUSES) < 0) {
                    assertThat(replicator.status(topic).state()).isEqualTo(LinkState.STALLED);
                    assertThat(replicator.status(topic).reason())
                            .contains("a step of the route fails")
                            .contains("503");
                    assertThat(store.list(RowSelector.ALL, 0, 1)).as("rows").isEmpty();
                    traffic.send(1, 1);
                    TimeUnit.MILLISECONDS.sleep(500);
                }
                int calls = service.calls() - callsBefore;
                int lines = log.lines().size();
                service.refuse(false);
                Instant works = Instant.now();
                replicator.awaitMessages(topic, traffic.total(), LIMIT);
                Duration recovery = Duration.between(works, Instant.now());
                replicator.awaitState(topic, LinkState.RUNNING, LIMIT);
                RoutedAudit audit = audit(topic, traffic);
                System.out.printf(
                        "%s: refused %d s, %d calls meanwhile, %d log lines, recovery %d ms, %s%n",
                        topic, REFUSES.toSeconds(), calls, lines, recovery.toMillis(), audit);
                assertAllThere(audit);
                assertThat(audit.duplicates()).isZero();
                assertThat(store.list(RowSelector.ALL, 0, 1)).isEmpty();
                assertThat(calls)
                        .as("what was in the route when it began, and then one a back-off")
                        .isLessThan(400);
            }
        }
    }

    @Test
    @Tag("case-U3")
    @DisplayName(
            "past the limit: the source message is stored, and its retry goes through the route")
    void pastTheLimit() throws Exception {
        String topic = "failing-step-limit";
        ReplicatorSettings settings =
                settings(topic)
                        .set("camel.component.replication.routeRetryLimit", "3000")
                        .set("camel.component.replication.retryMax", "500");
        try (PriceService service = PriceService.start();
                UndeliveredDatabase database =
                        UndeliveredDatabase.embedded(folder.resolve("undelivered"));
                Traffic traffic = new Traffic(sandbox, topic, 4)) {
            UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);
            Map<String, Object> beans = Map.of("store", store, "prices", service);
            try (CapturedLog log = CapturedLog.start(List.of("org.apache.camel"));
                    Replicator replicator = Replicator.start(settings, folder, beans)) {
                traffic.send(20, 1_000);
                replicator.awaitMessages(topic, 20, LIMIT);
                service.refuse(true);
                traffic.send(40, 1_000);
                Awaitility.await("stored after the limit")
                        .atMost(LIMIT)
                        .until(() -> store.list(RowSelector.ALL, 0, 100).size() >= 4);
                for (StoredMessage row : store.list(RowSelector.ALL, 0, 100)) {
                    assertThat(row.message().stage()).isEqualTo(Stage.ROUTE);
                    assertThat(row.message().reason()).isIn(Reason.ROUTE, Reason.BEHIND_KEY);
                    byte[] value = store.show(row.id()).orElseThrow().message().value();
                    assertThat(new String(value, StandardCharsets.UTF_8))
                            .as("the source record as it is")
                            .containsOnlyDigits();
                }
                service.refuse(false);
                Instant works = Instant.now();
                traffic.send(20, 1_000);
                Awaitility.await("all arrive")
                        .atMost(LIMIT)
                        .until(() -> audit(topic, traffic).lost().isEmpty());
                Awaitility.await("no rows left")
                        .atMost(LIMIT)
                        .until(() -> store.list(RowSelector.ALL, 0, 1).isEmpty());
                RoutedAudit audit = audit(topic, traffic);
                System.out.printf(
                        "%s: recovery %d ms, %s%n",
                        topic, Duration.between(works, Instant.now()).toMillis(), audit);
                assertAllThere(audit);
            }
        }
    }

    private RoutedAudit audit(String topic, Traffic traffic) {
        Map<String, List<String>> expected = new HashMap<>();
        traffic.sent()
                .forEach(
                        (key, count) -> {
                            List<String> values = new ArrayList<>();
                            for (int number = 0; number < count; number++) {
                                values.add(PriceService.answer(String.valueOf(number)));
                            }
                            expected.put(key, values);
                        });
        return RoutedAudit.of(expected, sandbox.readBack().both(sandbox.topicName(topic)));
    }

    private static void assertAllThere(RoutedAudit audit) {
        assertThat(audit.lost()).isEmpty();
        assertThat(audit.unexpected()).isEmpty();
        assertThat(audit.disorders()).isEmpty();
    }
}
