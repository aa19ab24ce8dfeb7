package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.record.StartFrom;
import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.TopicPair;
import dev.streamconnect.spi.UndeliveredMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Of what is wrong with a link")
class StateRulesTest {

    private final MovedClock clock = new MovedClock();
    private final LinkMonitor monitor = new LinkMonitor(ofBothSides(), clock);

    private static LinkDefinition ofBothSides() {
        return new LinkDefinition(
                "decisions-from-sn",
                List.of(side(ClientRole.HERMES_A), side(ClientRole.HERMES_B)),
                "snc.acme.decisions",
                StartFrom.EARLIEST,
                Fixtures.PLANT,
                "decisions",
                LinkOptions.defaults(true));
    }

    private static ConnectionSettings side(ClientRole role) {
        return new ConnectionSettings("hermes", role, "localhost:1", "g", Map.of());
    }

    @BeforeEach
    void reads() {
        monitor.assigned("HERMES_A", 1);
        monitor.assigned("HERMES_B", 1);
    }

    private Problem problem(LinkState state) {
        return new Problem(state, state + " because", clock.instant(), false);
    }

    private void assertState(LinkState state, String... reason) {
        LinkStatus status = monitor.snapshot();
        assertThat(status.state()).as("%s", status).isEqualTo(state);
        for (String part : reason) {
            assertThat(status.reason()).contains(part);
        }
    }

    @Test
    @DisplayName("an outage of one side is DEGRADED while the other side runs")
    void oneSideIsAway() {
        monitor.problem("HERMES_B source client", problem(LinkState.STALLED));
        assertState(LinkState.DEGRADED, "STALLED because", "the other side runs");
        assertThat(monitor.snapshot().errorSince()).isEqualTo(MovedClock.START);
        monitor.problem("HERMES_A source client", problem(LinkState.STALLED));
        assertState(LinkState.STALLED);
        monitor.clear("HERMES_B source client");
        assertState(LinkState.DEGRADED);
        monitor.problem("destination silent", problem(LinkState.STALLED));
        assertState(LinkState.STALLED);
    }

    @Test
    @DisplayName(
            "an outage of one side is STALLED where the other is forbidden, or nothing is read")
    void noSideRuns() {
        monitor.problem("HERMES_B source client", problem(LinkState.STALLED));
        monitor.problem("HERMES_A source topic", problem(LinkState.FAILED));
        assertState(LinkState.FAILED);
        LinkMonitor starting = new LinkMonitor(ofBothSides(), clock);
        starting.problem("HERMES_B source topic", problem(LinkState.STALLED));
        assertThat(starting.snapshot().state()).isEqualTo(LinkState.STALLED);
    }

    @Test
    @Tag("case-H13")
    @DisplayName("a topic that one side lacks is DEGRADED while the other runs, however long")
    void oneSideLacksTheTopic() {
        monitor.problem("HERMES_A source topic", problem(LinkState.WAITING));
        assertState(LinkState.DEGRADED, "WAITING because; the other side runs");
        clock.move(Duration.ofHours(1));
        assertState(LinkState.DEGRADED, "the other side runs");
        assertThat(monitor.snapshot().errorSince()).isEqualTo(MovedClock.START);
    }

    @Test
    @Tag("case-H13")
    @DisplayName("a topic that both sides lack is WAITING, and then FAILED")
    void bothSidesLackTheTopic() {
        monitor.problem("HERMES_A source topic", problem(LinkState.WAITING));
        clock.move(Duration.ofHours(1));
        monitor.problem("HERMES_B source topic", problem(LinkState.WAITING));
        assertState(LinkState.WAITING);
        clock.move(Duration.ofMinutes(2).plusMillis(1));
        assertState(LinkState.FAILED, "missing for longer than 120 s");
        monitor.clear("HERMES_B source topic");
        assertState(LinkState.DEGRADED, "the other side runs");
    }

    @Test
    @DisplayName("an outage of the side that has the topic is STALLED, and DEGRADED again after it")
    void outageOfTheOnlySideWithTheTopic() {
        try (LogLines log = new LogLines(StateLog.NAME)) {
            monitor.problem("HERMES_A source topic", problem(LinkState.WAITING));
            clock.move(Duration.ofHours(1));
            assertState(LinkState.DEGRADED);
            monitor.problem("HERMES_B source client", problem(LinkState.STALLED));
            assertState(LinkState.STALLED, "STALLED because");
            clock.move(Duration.ofHours(1));
            monitor.clear("HERMES_B source client");
            assertState(LinkState.DEGRADED, "WAITING because");
            assertThat(log.lines()).noneMatch(line -> line.startsWith("ERROR"));
        }
    }

    @Test
    @DisplayName("a right that one side lacks is FAILED though the other side runs")
    void oneSideLacksTheRight() {
        monitor.problem("HERMES_B source topic", problem(LinkState.FAILED));
        assertState(LinkState.FAILED);
    }

    @Test
    @DisplayName("what waits on a side that is away makes no stall of the side that runs")
    void lagOfTheSideThatIsAway() {
        monitor.lag("HERMES_A orders-0", 17);
        monitor.problem("HERMES_A source client", problem(LinkState.STALLED));
        clock.move(Duration.ofHours(1));
        assertState(LinkState.DEGRADED, "the other side runs");
        monitor.lag("HERMES_B orders-0", 1);
        assertState(LinkState.DEGRADED);
        clock.move(Duration.ofMinutes(2));
        assertState(LinkState.STALLED, "none has moved");
    }

    @Test
    @DisplayName("a side that is held back for the one that is away is not told to run")
    void heldBack() {
        monitor.problem("HERMES_A source client", problem(LinkState.STALLED));
        monitor.problem(
                DrainFirst.SCOPE,
                new Problem(
                        LinkState.DEGRADED,
                        "messages of side B wait until side A is read to its end, 30 s at most",
                        clock.instant(),
                        false));
        assertState(
                LinkState.DEGRADED,
                "STALLED because; messages of side B wait until side A is read to its end, 30 s at"
                        + " most");
        assertThat(monitor.snapshot().reason()).doesNotContain("the other side runs");
        monitor.clear(DrainFirst.SCOPE);
        assertState(LinkState.DEGRADED, "the other side runs");
    }

    @Test
    @DisplayName("the outage of the only source is STALLED, whatever is delivered still")
    void onlySource() {
        LinkMonitor one =
                new LinkMonitor(Fixtures.link("orders-to-sn", LinkOptions.defaults(true)), clock);
        one.assigned("CUSTOMER", 1);
        one.problem("CUSTOMER source client", problem(LinkState.STALLED));
        clock.move(Duration.ofSeconds(1));
        one.moved(1, 1);
        assertThat(one.snapshot().state()).isEqualTo(LinkState.STALLED);
    }

    @Test
    @DisplayName("a partition that waits is DEGRADED once others move, and STALLED before")
    void onePartition() {
        monitor.moved(1, 1);
        clock.move(Duration.ofSeconds(1));
        monitor.problem("partition orders-0", problem(LinkState.STALLED).forPart());
        assertState(LinkState.STALLED);
        clock.move(Duration.ofSeconds(1));
        monitor.moved(1, 1);
        assertState(LinkState.DEGRADED, "other messages move");
        monitor.problem("partition orders-1", problem(LinkState.STALLED).forPart());
        clock.move(Duration.ofSeconds(9));
        assertState(LinkState.STALLED);
    }

    @Test
    @DisplayName("a partition that stands before a refused message is FAILED though others move")
    void refused() {
        monitor.problem("partition orders-0", problem(LinkState.FAILED).forPart());
        clock.move(Duration.ofSeconds(1));
        monitor.moved(1, 1);
        assertState(LinkState.FAILED);
    }

    @Test
    @DisplayName("undelivered messages are DEGRADED until the last of them is delivered")
    void undelivered() {
        monitor.stored(List.of(stored(Reason.SIZE), stored(Reason.BEHIND_KEY)));
        assertState(LinkState.DEGRADED, "2 messages are undelivered", "0 of them parked", "SIZE");
        assertThat(monitor.snapshot().errorSince()).isEqualTo(MovedClock.START);
        monitor.retried(new SweepCounts(1, 0, 1));
        assertState(LinkState.DEGRADED, "1 message is undelivered", "1 of them parked");
        long changes = monitor.storedChanges();
        monitor.stored(List.of(stored(Reason.SIZE)));
        monitor.counted(changes, 0, 0, null);
        assertState(LinkState.DEGRADED, "2 messages are undelivered");
        monitor.counted(monitor.storedChanges(), 0, 0, null);
        assertState(LinkState.RUNNING);
    }

    @Test
    @DisplayName("messages that an earlier run has stored count, too")
    void ofAnEarlierRun() {
        monitor.counted(monitor.storedChanges(), 3, 2, stored(Reason.RETENTION));
        assertState(LinkState.DEGRADED, "5 messages are undelivered", "RETENTION");
        monitor.paused(true);
        assertState(LinkState.PAUSED);
    }

    private UndeliveredMessage stored(Reason reason) {
        return stored(reason, clock.instant());
    }

    static UndeliveredMessage stored(Reason reason, Instant at) {
        return new UndeliveredMessage(
                new MessageOrigin("decisions-from-sn", "A", 0),
                Stage.DESTINATION,
                "",
                0,
                1,
                0,
                new TopicPair("snc.acme.decisions", "decisions"),
                null,
                null,
                new byte[1],
                List.of(),
                0,
                reason,
                "",
                "too large",
                0,
                at,
                at);
    }

    @Test
    @DisplayName("brokers that ask to wait are THROTTLED while messages wait, and no stall")
    void throttled() {
        monitor.throttled("plant (localhost:1)", 200_000);
        clock.move(Duration.ofSeconds(130));
        assertState(LinkState.RUNNING);
        monitor.lag("A orders-0", 10);
        clock.move(Duration.ofSeconds(1));
        assertState(LinkState.THROTTLED, "plant (localhost:1)", "100 %");
        assertThat(monitor.counters().totals().throttleMillis()).isEqualTo(200_000);
        monitor.lag("A orders-0", 0);
        assertState(LinkState.RUNNING);
    }

    @Test
    @DisplayName("messages that wait are STALLED after two minutes once no broker asks to wait")
    void stalledAfterTheQuota() {
        monitor.throttled("plant (localhost:1)", 60_000);
        monitor.lag("A orders-0", 10);
        clock.move(Duration.ofSeconds(60));
        assertState(LinkState.THROTTLED);
        clock.move(Duration.ofSeconds(60));
        assertState(LinkState.STALLED);
    }

    @Test
    @DisplayName("numbers that change in a reason are no news for the log")
    void quietLog() {
        try (LogLines log = new LogLines(StateLog.NAME)) {
            for (int i = 0; i < 60; i++) {
                monitor.stored(List.of(stored(Reason.SIZE)));
                clock.move(Duration.ofSeconds(10));
                monitor.tick();
            }
            assertThat(log.lines()).filteredOn(line -> line.contains("DEGRADED")).hasSize(1);
        }
    }

    @Test
    @DisplayName("the worst is shown, in the order of the table in docs/operations.md")
    void documentedOrder() throws IOException {
        String page = Files.readString(Path.of("../docs/operations.md"));
        String table = page.substring(page.indexOf("### Severity"), page.indexOf("### A message"));
        List<String> order =
                Pattern.compile("^\\| \\d \\| `([A-Z_]+)`", Pattern.MULTILINE)
                        .matcher(table)
                        .results()
                        .map((MatchResult row) -> row.group(1))
                        .toList();
        assertThat(order)
                .containsExactlyElementsOf(
                        StateRules.BY_SEVERITY.stream().map(LinkState::name).toList());
    }
}
