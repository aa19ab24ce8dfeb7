package dev.streamconnect.engine;

import dev.streamconnect.spi.FailedAttempt;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import java.time.Instant;
import java.util.List;

/**
 * What came of sending stored rows again.
 *
 * @param delivered ids of rows that arrived
 * @param failed what is to be noted of others
 */
record RowsResult(List<Long> delivered, List<FailedAttempt> failed) {

    static RowsResult delivered(List<StoredMessage> rows) {
        return new RowsResult(rows.stream().map(StoredMessage::id).toList(), List.of());
    }

    static RowsResult failed(
            StoredMessage row,
            boolean sent,
            Reason reason,
            String errorClass,
            String text,
            RetryPolicy policy,
            Instant now) {
        return new RowsResult(
                List.of(), List.of(attempt(row, sent, reason, errorClass, text, policy, now)));
    }

    /** One that the destination was not asked for does not count against the limit of attempts. */
    static FailedAttempt attempt(
            StoredMessage row,
            boolean sent,
            Reason reason,
            String errorClass,
            String text,
            RetryPolicy policy,
            Instant now) {
        int attempts = row.message().attempts() + (sent ? 1 : 0);
        return new FailedAttempt(
                row.id(),
                sent,
                reason,
                errorClass,
                text,
                now,
                policy.nextOrPark(row.message(), attempts, now));
    }

    /** Writes it down; failures first, since a delivered row only costs a repeat. */
    void note(UndeliveredStore store) {
        if (!failed.isEmpty()) {
            store.failed(failed);
        }
        if (!delivered.isEmpty()) {
            store.delivered(delivered);
        }
    }

    SweepCounts counts() {
        int parked = (int) failed.stream().filter(each -> each.nextAttempt() == null).count();
        return new SweepCounts(delivered.size(), failed.size(), parked);
    }
}
