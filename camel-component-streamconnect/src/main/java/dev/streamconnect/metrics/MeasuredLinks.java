package dev.streamconnect.metrics;

import java.util.Map;

/** Told which links there are. Calls come from the threads that open and close links. */
public interface MeasuredLinks {

    /** A link is there. */
    void opened(MeasuredLink link);

    /** It is gone; one of the same id may have been opened before. */
    void ended(MeasuredLink link);

    /**
     * Undelivered messages of topic replications that are not active or not in the records were
     * counted.
     *
     * @param rows how many, by id; those that are not in it have none any more
     */
    void absent(Map<String, Long> rows);
}
