package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.LinkState;
import dev.streamconnect.it.CapturedLog.Line;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.camel.AsyncProducer;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("fault")
@DisplayName("While Hermes is away for longer than a message may wait for it")
class LongOutageIT {

    private static final Duration AWAY =
            Duration.ofSeconds(Integer.getInteger("fault.outageSeconds", 300));
    private static final int DELIVERY_SECONDS = 30;
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final int PART = 500;
    private static final int DIRECT_KEYS = 5;
    private static final int DIRECT_PART = 50;

    private final Sandbox sandbox = Sandbox.shared();
    private final List<CompletableFuture<Exchange>> direct = new ArrayList<>();
    private final Map<String, Integer> directSent = new HashMap<>();

    @TempDir Path folder;

    @AfterEach
    void restore() {
        sandbox.restore();
    }

    @Test
    @Tag("case-S13")
    @Tag("case-U4")
    @DisplayName(
            "what has a source stays there, what has none is stored, all arrive in order, and it is one event")
    void fiveMinutes() throws Exception {
        String topic = "long-outage";
        String direct = "long-outage-direct";
        sandbox.topics().create(Side.LOCAL, topic, 4, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 4);
        sandbox.topics().create(sandbox.topicName(direct), 4);
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic)
                        .replicate(topic)
                        .routes(
                                """
                                - route:
                                    from:
                                      uri: direct:in
                                      steps:
                                        - to: hermes:%s
                                """
                                        .formatted(direct))
                        .set(
                                "camel.component.hermes.producerProperties[delivery.timeout.ms]",
                                String.valueOf(DELIVERY_SECONDS * 1_000))
                        .set("camel.component.replication.metricsRoute", "false")
                        .set("camel.component.replication.undeliveredRetryInitial", "1000")
                        .set("camel.component.replication.undeliveredRetryMax", "5000")
                        .set("camel.component.replication.retryInterval", "5000");
        try (CapturedLog log = CapturedLog.start();
                UndeliveredDatabase database =
                        UndeliveredDatabase.embedded(folder.resolve("undelivered"));
                Traffic traffic = new Traffic(sandbox, topic, 40)) {
            UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);
            try (Replicator replicator =
                    Replicator.start(settings, folder, Map.of("store", store))) {
                CamelContext context = replicator.main().getCamelContext();
                traffic.send(PART, 2_000);
                sendDirect(context);
                replicator.awaitMessages(topic, PART, LIMIT);
                new Group(sandbox, Side.LOCAL, settings.groupId()).awaitCommitted(topic, PART);
                awaitDirect();
                log.clear();

                Instant began = Instant.now();
                sandbox.down(Role.producer);
                traffic.send(PART, 2_000);
                sendDirect(context);
                replicator.awaitState(topic, LinkState.STALLED, LIMIT);
                awaitDirect();
                Duration stored = Duration.between(began, Instant.now());
                assertThat(rows(store, sandbox.topicName(direct)))
                        .hasSize(DIRECT_PART)
                        .allMatch(
                                row ->
                                        row.message().reason() == Reason.UNREACHABLE
                                                || row.message().reason() == Reason.BEHIND_KEY);
                sendDirect(context);
                while (Duration.between(began, Instant.now()).compareTo(AWAY) < 0) {
                    assertThat(replicator.status(topic).state()).isEqualTo(LinkState.STALLED);
                    assertThat(rows(store, topic)).as("rows of what has a source").isEmpty();
                    traffic.send(1, 1);
                    TimeUnit.MILLISECONDS.sleep(500);
                }
                awaitDirect();
                assertThat(rows(store, sandbox.topicName(direct))).hasSize(2 * DIRECT_PART);
                sandbox.heal(Role.producer);
                Instant healed = Instant.now();
                traffic.send(PART, 2_000);
                replicator.awaitMessages(topic, traffic.total(), LIMIT);
                Duration recovery = Duration.between(healed, Instant.now());
                Awaitility.await("rows delivered")
                        .atMost(LIMIT)
                        .until(() -> store.list(RowSelector.ALL, 0, 1).isEmpty());
                Duration swept = Duration.between(healed, Instant.now());
                sendDirect(context);
                awaitDirect();
                replicator.awaitState(topic, LinkState.RUNNING, LIMIT);
                Audit audit =
                        Audit.of(traffic.sent(), sandbox.readBack().both(sandbox.topicName(topic)));
                Audit ofDirect =
                        Audit.of(directSent, sandbox.readBack().both(sandbox.topicName(direct)));
                List<Line> ours = log.lines().stream().filter(Line::isOurs).toList();
                System.out.printf(
                        "%s: away %d s, %s, recovery %d ms; without a source: stored after %d ms, %s, delivered after %d ms%n  our lines: %s%n  Kafka's: %s%n",
                        topic,
                        AWAY.toSeconds(),
                        audit,
                        recovery.toMillis(),
                        stored.toMillis(),
                        ofDirect,
                        swept.toMillis(),
                        ours,
                        log.kafkaByLogger());
                assertThat(audit.lost()).isEmpty();
                assertThat(audit.disorders()).isEmpty();
                assertThat(ofDirect.lost()).isEmpty();
                assertThat(ofDirect.disorders()).isEmpty();
                assertThat(ofDirect.duplicates()).isZero();
                assertThat(ours)
                        .as("one event when it begins")
                        .filteredOn(line -> line.text().contains("does not answer"))
                        .hasSize(1);
                assertThat(log.ourWarnings()).hasSize(1);
                assertThat(ours)
                        .as("one event when it ends")
                        .filteredOn(line -> line.text().contains("answers again"))
                        .hasSize(1);
            }
        }
    }

    /**
     * Numbered messages of a few keys, as {@link Traffic} makes them, one after the other and
     * without waiting.
     */
    private void sendDirect(CamelContext context) throws Exception {
        Endpoint endpoint = context.getEndpoint("direct:in");
        try (AsyncProducer producer = endpoint.createAsyncProducer()) {
            producer.start();
            for (int i = 0; i < DIRECT_PART; i++) {
                String key = "d" + i % DIRECT_KEYS;
                int number = directSent.merge(key, 1, Integer::sum) - 1;
                Exchange exchange = endpoint.createExchange();
                exchange.getMessage().setBody(String.valueOf(number));
                exchange.getMessage().setHeader("CamelHermesKey", key);
                direct.add(producer.processAsync(exchange));
            }
        }
    }

    /** Until each is delivered or stored. */
    private void awaitDirect() throws Exception {
        for (CompletableFuture<Exchange> each : direct) {
            Exchange done = each.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(done.getException()).isNull();
        }
    }

    private static List<StoredMessage> rows(UndeliveredStore store, String link) {
        return store.list(RowSelector.ALL, 0, 10_000).stream()
                .filter(row -> row.message().origin().link().equals(link))
                .toList();
    }
}
