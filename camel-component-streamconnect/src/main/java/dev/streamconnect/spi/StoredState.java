package dev.streamconnect.spi;

/** What a stored message waits for. */
public enum StoredState {
    /** Its next attempt, or the one before it of its key. */
    WAITING,
    /** An operator: its attempts or its age are over the limit. It no longer holds its key. */
    PARKED
}
