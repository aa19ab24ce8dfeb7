package dev.streamconnect.spi;

/** The database can't be reached or does not answer in time; the call may be repeated later. */
public class StoreUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message one line for people: which database, and what is wrong
     */
    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
