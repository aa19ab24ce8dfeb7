package dev.streamconnect.quickstart;

import dev.streamconnect.quickstart.Ledger.Missing;

/**
 * How it went.
 *
 * @param sent messages that should arrive
 * @param delivered of them and unchanged, each counted once
 * @param missing those that did not arrive
 * @param duplicates arrivals beyond the first
 * @param wrong arrivals that are changed, filtered out or never sent
 */
record Result(long sent, long delivered, Missing missing, long duplicates, long wrong) {

    boolean good() {
        return missing.lost() == 0 && missing.waiting() == 0 && wrong == 0 && delivered == sent;
    }

    Result plus(Result other) {
        return new Result(
                sent + other.sent,
                delivered + other.delivered,
                missing.plus(other.missing),
                duplicates + other.duplicates,
                wrong + other.wrong);
    }

    /** All counts, for a line. */
    String counts() {
        return "sent=%d delivered=%d undelivered=%d lost=%d duplicates=%d"
                .formatted(sent, delivered, missing.waiting(), missing.lost(), duplicates);
    }
}
