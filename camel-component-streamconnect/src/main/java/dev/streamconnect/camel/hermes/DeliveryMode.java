package dev.streamconnect.camel.hermes;

/** When the exchange of a {@code hermes:} producer goes on. */
public enum DeliveryMode {
    /** At the acknowledgement; no thread waits for it. */
    ASYNC,
    /** As {@link #ASYNC}, and the message headers then tell where it was stored. */
    SYNC,
    /** At once; a failure is logged and counted only. */
    FIRE_AND_FORGET
}
