package dev.streamconnect.sandbox.gateway;

/** How connections are ended. */
public enum Cut {
    /** By a reset, as a crashed or restarted gateway does. */
    RST,
    /** By an orderly end of stream. */
    FIN,
    /** Not at all. */
    NONE
}
