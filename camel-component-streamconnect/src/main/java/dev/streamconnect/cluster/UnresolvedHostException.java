package dev.streamconnect.cluster;

/**
 * No host of a bootstrap list has an address now. Unlike a wrong setting this passes by itself: a
 * name server may be away, or the name be entered later.
 */
public final class UnresolvedHostException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnresolvedHostException(ConnectionSettings settings, Throwable cause) {
        super(
                settings.displayName()
                        + ": the host name is unknown; correct it, or look at the name server",
                cause);
    }

    /** Its own message says all; the client's only repeats the list. */
    @Override
    public String toString() {
        return getMessage();
    }
}
