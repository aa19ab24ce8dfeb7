package dev.streamconnect.cluster;

/**
 * A connection without TLS leads to a port that speaks TLS. A Kafka client takes the port's answer
 * for the length of a message, asks for that much memory, and its thread ends.
 */
public final class TlsPortException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TlsPortException(ConnectionSettings settings, HostPort port) {
        super(
                settings.displayName()
                        + ": "
                        + port
                        + " speaks TLS, and the connection does not; configure ssl in the connection, or correct the port");
    }

    /** Its own message says all. */
    @Override
    public String toString() {
        return getMessage();
    }
}
