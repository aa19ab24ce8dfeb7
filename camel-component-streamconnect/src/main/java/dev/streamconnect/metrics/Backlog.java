package dev.streamconnect.metrics;

/**
 * What waits at the source of a link, as last seen.
 *
 * @param messages messages still to be processed, never negative; null while unknown
 * @param oldestAgeMillis age of the oldest of them by its timestamp, milliseconds; 0 if there is
 *     none, null while unknown
 * @param hoursToLoss hours until the retention time of the source deletes it; null if there is
 *     none, while unknown, and where the source keeps messages for ever
 */
public record Backlog(Long messages, Long oldestAgeMillis, Double hoursToLoss) {

    /** Nothing is known yet. */
    public static final Backlog UNKNOWN = new Backlog(null, null, null);
}
