package dev.streamconnect.camel.replication;

/** What is written to the instance that the records come from. */
public enum ServiceNowWriteBack {
    /** Nothing. */
    NONE,
    /** Status records. */
    STATUS,
    /** Metrics records. */
    METRICS,
    /** Both. */
    ALL;

    boolean hasStatus() {
        return this == STATUS || this == ALL;
    }

    boolean hasMetrics() {
        return this == METRICS || this == ALL;
    }
}
