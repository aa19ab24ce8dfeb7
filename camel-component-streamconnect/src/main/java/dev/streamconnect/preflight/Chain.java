package dev.streamconnect.preflight;

import java.util.function.Supplier;

/** Looks at one thing stage by stage; after a failure the later ones are skipped with its cause. */
final class Chain {

    private final Findings findings;
    private final String subject;
    private String cause;

    /**
     * @param cause why nothing is looked at from the beginning; null to look
     */
    Chain(Findings findings, String subject, String cause) {
        this.findings = findings;
        this.subject = subject;
        this.cause = cause;
    }

    /** Looks, unless an earlier stage failed. */
    Chain then(Stage stage, Supplier<Verdict> look) {
        Verdict verdict = cause == null ? look.get() : Verdict.skipped(cause);
        findings.add(subject, stage, verdict);
        if (verdict.failed()) {
            cause = stage.label() + " failed";
        }
        return this;
    }

    /**
     * Later stages are skipped for this cause; an earlier cause stays, and null changes nothing.
     */
    Chain skip(String reason) {
        if (cause == null) {
            cause = reason;
        }
        return this;
    }

    boolean passed() {
        return cause == null;
    }
}
