package dev.streamconnect.metrics;

import dev.streamconnect.spi.MetricsRecord;
import java.time.Duration;
import java.time.Instant;

/** The window of a link that is not closed yet. Guarded by {@link MetricsWindows}. */
final class OpenWindow {

    private static final long HALF_SECOND_MILLIS = 500;

    private final MeasuredLink link;
    private final String node;
    private Instant from;
    private LinkTotals before = LinkTotals.NONE;

    OpenWindow(MeasuredLink link, String node, Instant from) {
        this.link = link;
        this.node = node;
        this.from = from;
    }

    MeasuredLink link() {
        return link;
    }

    /**
     * Closes the window and begins the next one.
     *
     * @return null if no time has passed and nothing was counted
     */
    MetricsRecord close(Instant now) {
        LinkTotals after = link.counters().totals();
        if (now.equals(from) && after.equals(before)) {
            return null;
        }
        // The end identifies a window: two of a link must not have the same.
        Instant end = now.equals(from) ? now.plusMillis(1) : now;
        Backlog backlog = link.backlog();
        long millis = Math.max(0, Duration.between(from, end).toMillis());
        MetricsRecord window =
                new MetricsRecord(
                        end,
                        (millis + HALF_SECOND_MILLIS) / 1_000,
                        link.id(),
                        after.messages() - before.messages(),
                        after.bytes() - before.bytes(),
                        backlog.messages(),
                        link.sourceTopic(),
                        link.destinationTopic(),
                        link.direction(),
                        node,
                        after.stored() - before.stored(),
                        after.retried() - before.retried(),
                        after.parked() - before.parked(),
                        after.heldBehindKey(),
                        after.throttleMillis() - before.throttleMillis(),
                        after.gapMessages() - before.gapMessages(),
                        after.positionEvents() - before.positionEvents(),
                        link.assignedPartitions(),
                        link.totalPartitions(),
                        backlog.oldestAgeMillis(),
                        backlog.hoursToLoss(),
                        after.lastRetryRun(),
                        after.reordered() - before.reordered(),
                        after.repeated() - before.repeated(),
                        after.drainLimitsHit() - before.drainLimitsHit(),
                        after.returned() - before.returned());
        before = after;
        from = end;
        return window;
    }
}
