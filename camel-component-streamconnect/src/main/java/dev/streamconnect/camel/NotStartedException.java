package dev.streamconnect.camel;

/** A producer was asked to send before it was started or after it was stopped. */
public final class NotStartedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /**
     * @param uri the endpoint, without secrets
     */
    public NotStartedException(String uri) {
        super(uri + " is not started; start its route or context first");
    }
}
