package dev.streamconnect.engine;

/** What a route does with a delivery. */
@FunctionalInterface
public interface DeliveryHandler {

    /**
     * Takes a delivery and settles it, in this call or later from another thread. Called by a
     * worker thread, for one partition by one thread at a time in offset order. An exception counts
     * as {@link Delivery#fail}.
     */
    void handle(Delivery delivery);
}
