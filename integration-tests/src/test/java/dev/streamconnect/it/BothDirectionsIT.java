package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Cut;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code -Dfault.messages=N} is the number of messages of each direction. */
@Tag("fault")
@DisplayName("Both directions under load, with fail-overs and nodes that come and are killed")
class BothDirectionsIT {

    private static final int MESSAGES = Integer.getInteger("fault.messages", 200_000);
    private static final int PER_SECOND = 2_000;
    private static final int KEYS = 200;
    private static final int PARTITIONS = 4;
    private static final int MAX_UNCOMMITTED = 500;
    private static final String UP = "both-up";
    private static final String DOWN = "both-down";

    /** Of the records that come while it runs. */
    private static final String LATE = "both-late";

    private static final int LATE_MESSAGES = 1_000;
    private static final Duration LIMIT = Duration.ofSeconds(120 + MESSAGES / 500);

    private enum Event {
        FAIL_OVER,
        JOIN,
        KILL,
        /**
         * A topic replication more, and a property that all routes of the connection restart for.
         */
        RECORDS
    }

    /** Ten fail-overs, two nodes that join two, three kills, new records: one is left. */
    private static final List<Event> EVENTS =
            List.of(
                    Event.FAIL_OVER,
                    Event.FAIL_OVER,
                    Event.JOIN,
                    Event.FAIL_OVER,
                    Event.KILL,
                    Event.FAIL_OVER,
                    Event.FAIL_OVER,
                    Event.JOIN,
                    Event.FAIL_OVER,
                    Event.RECORDS,
                    Event.KILL,
                    Event.FAIL_OVER,
                    Event.FAIL_OVER,
                    Event.KILL,
                    Event.FAIL_OVER,
                    Event.FAIL_OVER);

    /** Of each direction around an event: it comes in the middle. */
    private static final int PORTION = MESSAGES / (EVENTS.size() + 1);

    private static Sandbox sandbox;

    /** How many of each direction may have been sent by now. */
    private volatile int allowed;

    private volatile int perSecond = PER_SECOND;
    private volatile boolean flowing = true;
    private boolean newRecords;
    private final ExecutorService senders = Executors.newFixedThreadPool(2);

    @TempDir Path folder;

    @BeforeAll
    static void open() {
        sandbox = Sandbox.start(SandboxOptions.defaults().brokersPerSide(2));
    }

    @AfterAll
    static void close() {
        sandbox.close();
    }

    @AfterEach
    void end() {
        flowing = false;
        senders.shutdown();
    }

    @Test
    @DisplayName("nothing is lost, keys keep their order, duplicates are within the bound")
    void both() throws Exception {
        for (String topic : List.of(UP, DOWN, LATE)) {
            sandbox.topics().create(Side.LOCAL, topic, PARTITIONS, Map.of());
            sandbox.topics().create(sandbox.topicName(topic), PARTITIONS);
        }
        try (PostgreSql server = PostgreSql.started(folder.resolve("postgresql"));
                Traffic up = new Traffic(sandbox, UP, KEYS);
                Traffic down = Traffic.towardHermes(sandbox, sandbox.topicName(DOWN), KEYS);
                Traffic late = new Traffic(sandbox, LATE, KEYS);
                Nodes nodes = new Nodes(() -> settings(server), folder)) {
            late.send(LATE_MESSAGES, PER_SECOND);
            nodes.join(2);
            Future<?> sendingUp = senders.submit(() -> flow(up));
            Future<?> sendingDown = senders.submit(() -> flow(down));
            for (Event event : EVENTS) {
                int half = allowed + PORTION / 2;
                allowed += PORTION;
                awaitSent(half, up, down);
                happen(event, nodes);
                System.out.printf("%d and %d sent: %s%n", up.total(), down.total(), event);
            }
            allowed = MESSAGES;
            sendingUp.get();
            sendingDown.get();
            String customer = settings(server).groupId();
            String hermes = sandbox.topicName("both");
            for (String topic : List.of(UP, LATE)) {
                new Group(sandbox, Side.LOCAL, customer).awaitCaughtUp(topic, LIMIT);
            }
            for (Side side : List.of(Side.A, Side.B)) {
                new Group(sandbox, side, hermes).awaitCaughtUp(sandbox.topicName(DOWN), LIMIT);
            }
            assertUp(UP, up);
            assertUp(LATE, late);
            assertDown(down);
        }
    }

    private void happen(Event event, Nodes nodes) {
        switch (event) {
            case FAIL_OVER -> sandbox.failOver(Cut.rst);
            case JOIN -> {
                // The start of a process takes a while; there shall be messages when it is done.
                perSecond = PER_SECOND / 10;
                nodes.join();
                perSecond = PER_SECOND;
            }
            case KILL -> nodes.kill();
            case RECORDS -> {
                newRecords = true;
                nodes.changeRecords();
            }
        }
    }

    private void flow(Traffic traffic) {
        while (flowing && traffic.total() < MESSAGES) {
            int count = Math.min(perSecond / 10, allowed - traffic.total());
            if (count > 0) {
                traffic.offer(count, perSecond);
            } else {
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    private static void awaitSent(int count, Traffic up, Traffic down) {
        Awaitility.await(count + " sent")
                .atMost(LIMIT)
                .until(() -> up.total() >= count && down.total() >= count);
    }

    private static int count(Event event) {
        return (int) EVENTS.stream().filter(event::equals).count();
    }

    private static void assertUp(String topic, Traffic up) {
        Audit audit = Audit.of(up.sent(), sandbox.readBack().both(sandbox.topicName(topic)));
        // What was not committed when nodes changed, and what was unacknowledged at a fail-over.
        int bound = EVENTS.size() * PARTITIONS * MAX_UNCOMMITTED;
        System.out.printf(
                "%s, to ServiceNow: sent=%d %s bound=%d%n", topic, up.total(), audit, bound);
        assertThat(up.refused()).as("by the customer's Kafka").isEmpty();
        assertThat(audit.lost()).isEmpty();
        assertThat(audit.disorders()).isEmpty();
        assertThat(audit.duplicates()).isLessThanOrEqualTo(bound);
    }

    private static void assertDown(Traffic down) {
        List<Stored> sources = sandbox.readBack().both(sandbox.topicName(DOWN));
        List<Stored> delivered = sandbox.readBack().all(Side.LOCAL, DOWN);
        Audit audit = Audit.of(down.sent(), delivered);
        SideOrder order = SideOrder.of(sources, delivered);
        // A fail-over of the producer ports is nothing to those that read the sides.
        int changes = EVENTS.size() - count(Event.FAIL_OVER);
        int bound = changes * 2 * PARTITIONS * MAX_UNCOMMITTED;
        int duplicates = delivered.size() - sources.size();
        System.out.printf(
                "from ServiceNow: sent=%d refused=%d in the logs of the sides=%d delivered=%d"
                        + " lost=%d read twice=%d bound=%d; on both sides=%d, order per side: %s%n",
                down.total(),
                down.refused().size(),
                sources.size(),
                audit.delivered(),
                audit.lost().size(),
                duplicates,
                bound,
                order.onBothSides(),
                order.disorders());
        assertThat(down.refused()).as("what its producers know of").containsAll(audit.lost());
        assertThat(order.disorders()).isEmpty();
        assertThat(duplicates).isBetween(0, bound);
    }

    private ReplicatorSettings settings(PostgreSql server) {
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, "both");
        if (newRecords) {
            settings.replicate(LATE).connectionProperty("fetch.max.wait.ms", "20");
        }
        return settings.replicate(UP)
                .replicateFrom(DOWN, "failoverOrder: fast")
                .connectionProperty("session.timeout.ms", "6000")
                .connectionProperty("heartbeat.interval.ms", "1000")
                .set("camel.component.hermes.consumerProperties[session.timeout.ms]", "6000")
                .set("camel.component.hermes.consumerProperties[heartbeat.interval.ms]", "1000")
                .set("camel.component.replication.undeliveredUrl", server.url())
                .set("camel.component.replication.maxUncommitted", String.valueOf(MAX_UNCOMMITTED));
    }
}
