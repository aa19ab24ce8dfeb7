package dev.streamconnect.preflight;

import java.util.ArrayList;
import java.util.List;

/** Collects the lines of one target; may be read while it is written. */
final class Findings {

    private final PreflightTarget target;
    private final List<Finding> lines = new ArrayList<>();

    Findings(PreflightTarget target) {
        this.target = target;
    }

    synchronized void add(String subject, Stage stage, Verdict verdict) {
        lines.add(
                new Finding(
                        target.settings().cluster(),
                        target.settings().role(),
                        subject,
                        stage,
                        verdict.outcome(),
                        verdict.found(),
                        verdict.mend()));
    }

    synchronized void addAll(Findings others) {
        lines.addAll(others.all());
    }

    synchronized List<Finding> all() {
        return List.copyOf(lines);
    }
}
