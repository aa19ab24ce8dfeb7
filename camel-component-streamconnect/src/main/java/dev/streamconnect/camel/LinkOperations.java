package dev.streamconnect.camel;

/**
 * Runs what {@code replication:<id>?operation=…} does, for those who have no route: the same code,
 * refusals and words.
 */
public interface LinkOperations {

    /**
     * Runs an operation; may block as that does, on the store and until a retry run ends.
     *
     * @param id of a topic replication or a consumer, or a pattern
     * @param operation as it is written in a URI
     * @param selectors as in a URI, {@code reason=SIZE&state=PARKED}; null for none
     * @return the answer as JSON, without payload
     * @throws SecurityException if this thread runs for a user who has not the role; one line
     * @throws IllegalArgumentException for a wrong id or selector; one line
     * @throws IllegalStateException for everything else that fails; one line
     */
    String operate(String id, String operation, String selectors);
}
