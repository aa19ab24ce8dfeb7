package dev.streamconnect.spi;

/** The store holds as much as it may; delivered, discarded or purged rows make room. */
public class StoreFullException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message one line for people: what is held, the limit, and the option that sets it
     */
    public StoreFullException(String message) {
        super(message);
    }
}
