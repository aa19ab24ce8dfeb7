package dev.streamconnect.cluster;

/** A token endpoint gives no token, so that no client can be built that shows one. */
public final class TokenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean refusal;

    private TokenException(String message, boolean refusal) {
        super(message);
        this.refusal = refusal;
    }

    /** It answers that it gives none, or can't be asked this way: somebody has to mend it. */
    static TokenException refused(String message) {
        return new TokenException(message, true);
    }

    /** It is not there now. */
    static TokenException away(String message) {
        return new TokenException(message, false);
    }

    /** The same with the connection's name. */
    TokenException of(ConnectionSettings settings) {
        return new TokenException(settings.displayName() + ": " + getMessage(), refusal);
    }

    /** True if somebody has to mend it, false if it may pass by itself. */
    public boolean isRefusal() {
        return refusal;
    }

    /** Its own message says all. */
    @Override
    public String toString() {
        return getMessage();
    }
}
