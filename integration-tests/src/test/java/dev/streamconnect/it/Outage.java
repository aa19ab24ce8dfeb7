package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.awaitility.Awaitility;

/**
 * One outage between two halves of the traffic, and what must be true of each: nothing lost, no
 * order broken, status with host and reason while it lasts, recovery by itself, no storm of
 * rebalances or log lines.
 *
 * @param sandbox where it happens; all its faults are healed before and after
 * @param topic own name of the outage: topic, topic replication, connection and consumer group
 * @param begin starts the outage
 * @param end ends it
 * @param length how long it lasts at least
 * @param sourceIsAway no traffic can be sent while it lasts
 */
record Outage(
        Sandbox sandbox,
        String topic,
        Runnable begin,
        Runnable end,
        Duration length,
        boolean sourceIsAway) {

    /** In each of four parts of the traffic. */
    private static final int PART = 500;

    private static final int RATE = 2_000;

    /** Warnings of one outage: one of ours; what the recommended logging shows of Kafka besides. */
    private static final int OUR_LINES = 1;

    private static final int ALL_LINES = 4;

    /**
     * What came of it.
     *
     * @param recovery from the end of the outage until everything was delivered
     * @param joins how often a consumer joined a group while it lasted and after it
     */
    record Result(Duration recovery, Audit audit, long joins) {}

    /**
     * @param reason what the status must say while it lasts
     */
    Result run(Path folder, String reason) throws Exception {
        sandbox.topics().create(Side.LOCAL, topic, 4, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 4);
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, topic).replicate(topic);
        try (CapturedLog log = CapturedLog.start();
                Traffic traffic = new Traffic(sandbox, topic, 40);
                Replicator replicator = Replicator.start(settings, folder)) {
            traffic.send(PART, RATE);
            replicator.awaitMessages(topic, PART, Duration.ofSeconds(60));
            new Group(sandbox, Side.LOCAL, settings.groupId()).awaitCommitted(topic, PART);
            traffic.send(PART, RATE);
            log.clear();
            Instant began = Instant.now();
            begin.run();
            if (!sourceIsAway) {
                traffic.send(PART, RATE);
            }
            replicator.awaitState(topic, LinkState.STALLED, Duration.ofSeconds(30));
            LinkStatus stalled = replicator.status(topic);
            assertThat(stalled.reason()).contains(reason);
            assertThat(stalled.errorSince())
                    .as("error since")
                    .isBetween(began.minusSeconds(5), Instant.now());
            staysStalled(replicator, began);
            end.run();
            Instant ended = Instant.now();
            traffic.send(PART, RATE);
            replicator.awaitMessages(topic, traffic.total(), Duration.ofSeconds(90));
            Duration recovery = Duration.between(ended, Instant.now());
            replicator.awaitState(topic, LinkState.RUNNING, Duration.ofSeconds(30));
            assertThat(replicator.status(topic).errorSince()).isNull();
            Audit audit =
                    Audit.of(traffic.sent(), sandbox.readBack().both(sandbox.topicName(topic)));
            System.out.printf(
                    "%s: %s, recovery %d ms, %d joins, lines at INFO: %d; at WARN: ours %d, as recommended %d, Kafka's %s%n",
                    topic,
                    audit,
                    recovery.toMillis(),
                    log.joins(),
                    log.lines().size(),
                    log.ourWarnings().size(),
                    log.recommendedWarnings().size(),
                    log.kafkaByLogger());
            assertThat(audit.lost()).isEmpty();
            assertThat(audit.disorders()).isEmpty();
            // Whatever was not committed when it began or, where the group gave the consumer up, at
            // the moment in which it finds that out.
            assertThat(audit.duplicates()).isLessThanOrEqualTo(traffic.total() - PART);
            assertThat(log.ourWarnings())
                    .as("one event when it begins")
                    .hasSizeLessThanOrEqualTo(OUR_LINES);
            assertThat(log.lines())
                    .as("one event when it ends")
                    .filteredOn(line -> line.isOurs() && line.text().contains("answers again"))
                    .hasSize(1);
            assertThat(log.recommendedWarnings())
                    .as("warnings of the outage with the recommended logging")
                    .hasSizeLessThanOrEqualTo(ALL_LINES);
            return new Result(recovery, audit, log.joins());
        }
    }

    /** Until its length is over, with no change of the state in between. */
    private void staysStalled(Replicator replicator, Instant began) {
        Duration rest = length.minus(Duration.between(began, Instant.now()));
        if (rest.isNegative()) {
            return;
        }
        Awaitility.await("stays stalled")
                .during(rest)
                .atMost(rest.plusSeconds(30))
                .pollInterval(Duration.ofMillis(200))
                .failFast(
                        () ->
                                assertThat(replicator.status(topic).state())
                                        .isEqualTo(LinkState.STALLED))
                .until(() -> true);
    }
}
