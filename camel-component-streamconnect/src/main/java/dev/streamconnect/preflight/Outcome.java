package dev.streamconnect.preflight;

/** How a look at one thing ended. */
public enum Outcome {
    /** As it should be. */
    OK,
    /** It works, and somebody should look at it. */
    WARN,
    /** It does not work. */
    FAIL,
    /** Not looked at: an earlier stage failed, or it cannot be told. */
    SKIPPED
}
