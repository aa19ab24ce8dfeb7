package dev.streamconnect.quickstart;

import dev.streamconnect.quickstart.Ledger.Missing;

/**
 * How it went.
 *
 * @param sent messages that should arrive at Hermes
 * @param delivered of them and unchanged, each counted once
 * @param missing those that did not arrive
 * @param duplicates arrivals beyond the first
 * @param wrong arrivals that are changed, filtered out or never sent
 */
record Result(long sent, long delivered, Missing missing, long duplicates, long wrong) {

    boolean good() {
        return missing.lost() == 0 && missing.waiting() == 0 && wrong == 0 && delivered == sent;
    }

    /** The last line of the program. */
    String line() {
        return "quickstart: sent=%d delivered=%d undelivered=%d lost=%d duplicates=%d"
                .formatted(sent, delivered, missing.waiting(), missing.lost(), duplicates);
    }
}
