package dev.streamconnect.engine;

import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.UndeliveredMessage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * How many messages of a link are in the undelivered store: counted along, so that a status asks no
 * database, and set right when somebody has asked it. Guarded by {@link LinkMonitor}.
 */
final class StoredCount {

    private long waiting;
    private long parked;
    private Reason oldestReason;
    private Instant oldestAt;
    private long changes;

    void stored(List<UndeliveredMessage> added) {
        if (waiting + parked == 0) {
            oldestReason = added.get(0).reason();
            oldestAt = added.get(0).at();
        }
        waiting += added.size();
        changes++;
    }

    void retried(SweepCounts counts) {
        waiting = Math.max(0, waiting - counts.delivered() - counts.parked());
        parked += counts.parked();
        if (counts.delivered() + counts.parked() > 0) {
            changes++;
        }
    }

    /** How often it has changed; to be given to {@link #counted}. */
    long changes() {
        return changes;
    }

    /**
     * What the store says; ignored if something has changed since it was asked.
     *
     * @param changesBefore {@link #changes} before it was asked
     * @param oldest the first row; null if there is none
     */
    void counted(long changesBefore, long waitingNow, long parkedNow, UndeliveredMessage oldest) {
        if (changesBefore != changes) {
            return;
        }
        waiting = waitingNow;
        parked = parkedNow;
        if (oldest != null) {
            oldestReason = oldest.reason();
            oldestAt = oldest.at();
        }
    }

    /** Null if nothing is stored. */
    Problem problem() {
        long all = waiting + parked;
        if (all == 0) {
            return null;
        }
        String reason =
                all
                        + (all == 1 ? " message is" : " messages are")
                        + " undelivered, "
                        + parked
                        + " of them parked; the oldest since "
                        + oldestAt.truncatedTo(ChronoUnit.SECONDS)
                        + ", reason "
                        + oldestReason;
        return new Problem(LinkState.DEGRADED, reason, oldestAt, false, true);
    }
}
