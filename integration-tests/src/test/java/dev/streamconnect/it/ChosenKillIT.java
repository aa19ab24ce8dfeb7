package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.ChosenKill.Moment;
import dev.streamconnect.it.Sandbox.Side;
import dev.streamconnect.spi.OriginTotals;
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One history of 80 lives for each database: twenty times four kinds of moments, after each other.
 * In one half of the lives the destination refuses large messages, in the other it takes them, so
 * that what was stored before is delivered. Traffic never pauses for long.
 */
@Tag("fault")
@DisplayName("When the replicator is killed at a chosen moment, twenty times at each")
class ChosenKillIT {

    private static final int ROUNDS = Integer.getInteger("kill.rounds", 20);
    private static final int PARTITIONS = 2;
    private static final int KEYS = 200;
    private static final int MAX_UNCOMMITTED = 500;
    private static final int ROWS_OF_A_RETRY = 500;
    private static final int LIMIT_BYTES = 5_000;
    private static final int LARGE_BYTES = 6_000;
    private static final int LARGE_EVERY = 25;
    private static final String NO_LIMIT = "1000000";
    private static final Duration LIFE_LIMIT = Duration.ofSeconds(90);

    private final Sandbox sandbox = Sandbox.shared();
    private final Map<Moment, Integer> kills = new EnumMap<>(Moment.class);

    private QuickStarts quick;

    @TempDir Path folder;

    @Test
    @Tag("case-U1")
    @DisplayName("nothing is lost, parked or out of order, with H2")
    void h2() {
        String url = "jdbc:h2:file:" + folder.resolve("undelivered");
        survives("chosen-kill-h2", url);
    }

    @Test
    @Tag("case-U1")
    @DisplayName("nothing is lost, parked or out of order, with PostgreSQL")
    void postgreSql() {
        try (PostgreSql server = PostgreSql.started(folder)) {
            survives("chosen-kill-postgresql", server.url());
        }
    }

    private void survives(String topic, String url) {
        String full = sandbox.topicName(topic);
        ReplicatorSettings settings = settings(topic, full);
        Path application = settings.writeTo(folder);
        quick = QuickStarts.prepare(settings, folder, ChosenKill.options(url));
        Instant began = Instant.now();
        try (Traffic traffic = new Traffic(sandbox, topic, KEYS).large(LARGE_EVERY, LARGE_BYTES)) {
            for (int round = 0; round < ROUNDS; round++) {
                refuseLarge(full, true);
                live(application, url, traffic, Moment.STORED, 1 + round % 2);
                Moment ofRetry = ofRetry(round);
                refuseLarge(full, ofRetry == Moment.RETRY_REFUSED);
                live(application, url, traffic, ofRetry, 1);
                refuseLarge(full, true);
                live(application, url, traffic, Moment.STORED_NOT_COMMITTED, 1);
                refuseLarge(full, false);
                live(application, url, traffic, Moment.ACKNOWLEDGED, 1 + round * 13 % 100);
            }
            try (ReplicatorProcess last =
                    ReplicatorProcess.start(settings, folder, ChosenKill.options(url))) {
                awaitAll(last, settings, topic);
            }
            Audit audit = Audit.of(traffic.sent(), sandbox.readBack().both(full));
            int lives = kills.values().stream().mapToInt(Integer::intValue).sum();
            int bound = lives * PARTITIONS * (MAX_UNCOMMITTED + ROWS_OF_A_RETRY);
            System.out.printf(
                    "%s: %s kills=%s bound=%d in %d s%n",
                    topic, audit, kills, bound, Duration.between(began, Instant.now()).toSeconds());
            assertThat(lives).isEqualTo(4 * ROUNDS);
            assertThat(audit.lost()).isEmpty();
            assertThat(audit.disorders()).isEmpty();
            assertThat(audit.delivered()).isEqualTo(traffic.total());
            assertThat(audit.duplicates()).isLessThanOrEqualTo(bound);
            assertThat(totals(url)).as("rows that are left, parked ones included").isEmpty();
        }
    }

    private static Moment ofRetry(int round) {
        Moment[] all = {
            Moment.RETRY_READ, Moment.RETRY_DELIVERED, Moment.RETRY_REMOVED, Moment.RETRY_REFUSED
        };
        return all[round % all.length];
    }

    private ReplicatorSettings settings(String topic, String full) {
        sandbox.topics().create(Side.LOCAL, topic, PARTITIONS, Map.of());
        sandbox.topics().create(full, PARTITIONS);
        // It can't read the topic's settings, so that only the broker knows the limit.
        ClientCertificate blind = sandbox.issue(CertificateWish.named(topic).acl("none"));
        sandbox.grantTopic(topic, full, "READ,WRITE,DESCRIBE");
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic)
                        .replicate(topic)
                        .certificate(blind)
                        // A member that was killed is replaced at once, not when its session ends.
                        .connectionProperty("group.instance.id", topic)
                        // The broker's limit is one of batches: below it they are not split.
                        .set("camel.component.hermes.producerProperties[batch.size]", "4096")
                        .set(
                                "camel.component.replication.maxUncommitted",
                                String.valueOf(MAX_UNCOMMITTED))
                        .set("camel.component.replication.commitInterval", "200")
                        .set("camel.component.replication.retryInterval", "300")
                        .set("camel.component.replication.retryRoute", "true")
                        .set("camel.component.replication.metricsRoute", "false")
                        .set("camel.component.replication.undeliveredRetryInitial", "200")
                        .set("camel.component.replication.undeliveredRetryMax", "1000")
                        .set("camel.component.replication.undeliveredMaxAttempts", "0");
        return ChosenKill.watch(settings);
    }

    private void refuseLarge(String full, boolean refuse) {
        String limit = refuse ? String.valueOf(LIMIT_BYTES) : NO_LIMIT;
        for (Side side : List.of(Side.A, Side.B)) {
            sandbox.topics().configure(side, full, Map.of("max.message.bytes", limit));
        }
    }

    /** One JVM, until it ends itself; messages come before and while it lives. */
    private void live(Path application, String url, Traffic traffic, Moment moment, int number) {
        try (ReplicatorProcess life =
                ReplicatorProcess.launch(
                        application, quick.with(ChosenKill.options(url, moment, number)))) {
            Instant limit = Instant.now().plus(LIFE_LIMIT);
            traffic.send(150, 1_500);
            while (life.isAlive() && Instant.now().isBefore(limit)) {
                traffic.send(1, 100);
            }
            assertThat(life.isAlive())
                    .as("%s %s was never reached:%n%s", moment, number, life.output())
                    .isFalse();
            assertThat(life.exitCode(LIFE_LIMIT))
                    .as("%s %s:%n%s", moment, number, life.output())
                    .isEqualTo(ChosenKill.EXIT);
            kills.merge(moment, 1, Integer::sum);
        }
    }

    /** What stands still is told with all that can be known of it. */
    private void awaitAll(ReplicatorProcess last, ReplicatorSettings settings, String topic) {
        try {
            awaitEverything(last, settings, topic);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    last.status() + "\n" + last.rows() + "\n" + last.threads() + last.output(), e);
        }
    }

    private void awaitEverything(
            ReplicatorProcess last, ReplicatorSettings settings, String topic) {
        SandboxTopics topics = sandbox.topics();
        Awaitility.await("everything committed")
                .atMost(Duration.ofSeconds(120))
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(
                        () ->
                                assertThat(topics.committed(Side.LOCAL, settings.groupId(), topic))
                                        .isEqualTo(topics.ends(Side.LOCAL, topic)));
        Awaitility.await("no rows left")
                .atMost(Duration.ofSeconds(120))
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> assertThat(last.rows()).isEmpty());
    }

    private static List<OriginTotals> totals(String url) {
        try (UndeliveredDatabase database = UndeliveredDatabase.open(url, null, null)) {
            return database.undeliveredStore(StoreLimits.DEFAULT).totals();
        }
    }
}
