package dev.streamconnect.sandbox.gateway;

/** What a public port does with connections. */
public enum PortMode {
    /** Passes bytes to its target. */
    FORWARD,
    /** Does not listen: connection refused. */
    DOWN,
    /** Accepts and resets at once. */
    RESET,
    /** Accepts and swallows all bytes, of old connections too. */
    BLACKHOLE
}
