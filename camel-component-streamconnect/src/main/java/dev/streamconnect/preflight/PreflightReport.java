package dev.streamconnect.preflight;

import java.time.Duration;
import java.util.List;

/**
 * All that a preflight found.
 *
 * @param findings by connection and side, in the order of the stages; unmodifiable
 * @param took how long it took
 */
public record PreflightReport(List<Finding> findings, Duration took) {

    public PreflightReport {
        findings = List.copyOf(findings);
    }

    /** True if nothing failed; warnings may be there. */
    public boolean green() {
        return count(Outcome.FAIL) == 0;
    }

    /** Number of findings with this outcome. */
    public long count(Outcome outcome) {
        return findings.stream().filter(finding -> finding.outcome() == outcome).count();
    }
}
