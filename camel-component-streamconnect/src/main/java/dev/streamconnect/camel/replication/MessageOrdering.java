package dev.streamconnect.camel.replication;

/** What later messages do while one of their key is undelivered. */
public enum MessageOrdering {
    /** They wait behind it. */
    KEY,
    /** They go on. */
    NONE
}
