package dev.streamconnect.spi;

/** Where a stored message goes on. */
public enum Stage {
    /** It is a source record; it enters the route again. */
    ROUTE,
    /** It is an outgoing record; it is sent to the destination. */
    DESTINATION
}
