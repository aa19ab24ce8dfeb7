package dev.streamconnect.preflight;

/**
 * What was found of one thing.
 *
 * @param found one line, never null
 * @param mend one sentence; null unless something is to do
 */
record Verdict(Outcome outcome, String found, String mend) {

    static Verdict ok(String found) {
        return new Verdict(Outcome.OK, found, null);
    }

    static Verdict warn(String found, String mend) {
        return new Verdict(Outcome.WARN, found, mend);
    }

    static Verdict fail(String found, String mend) {
        return new Verdict(Outcome.FAIL, found, mend);
    }

    static Verdict skipped(String cause) {
        return new Verdict(Outcome.SKIPPED, cause, null);
    }

    boolean failed() {
        return outcome == Outcome.FAIL;
    }
}
