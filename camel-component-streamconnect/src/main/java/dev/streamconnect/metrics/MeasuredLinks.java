package dev.streamconnect.metrics;

/** Told which links there are. Calls come from the threads that open and close links. */
public interface MeasuredLinks {

    /** A link is there. */
    void opened(MeasuredLink link);

    /** It is gone; one of the same id may have been opened before. */
    void ended(MeasuredLink link);
}
