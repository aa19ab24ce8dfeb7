package dev.streamconnect.benchmark;

/**
 * What the undelivered store holds when a contender starts.
 *
 * @param rows messages that wait there
 * @param keys whether each has a key of its own, which is held then; else none has one
 */
record StoredAtStart(int rows, boolean keys) {

    /** And there is no store. */
    static final StoredAtStart NOTHING = new StoredAtStart(-1, false);

    /** Where the contender's store is, among the options of its components. */
    static final String FILE_OPTION = "replication.undeliveredUrl";

    boolean hasStore() {
        return rows >= 0;
    }
}
