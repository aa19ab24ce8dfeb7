package dev.streamconnect.camel.hermes;

/** What becomes of a message that Hermes does not take. */
public enum UndeliveredMode {
    /** It goes to the undelivered store; without one as {@link #FAIL}. */
    STORE,
    /** The exchange fails, and the route decides. */
    FAIL
}
