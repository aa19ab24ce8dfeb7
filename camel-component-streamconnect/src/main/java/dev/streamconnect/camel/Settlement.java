package dev.streamconnect.camel;

import dev.streamconnect.engine.Delivery;
import org.apache.camel.Exchange;
import org.apache.camel.RollbackExchangeException;
import org.apache.camel.spi.Synchronization;

/**
 * Settles a delivery when its exchange is done. It is handed over with the exchange where Camel
 * hands over completions (such as to {@code seda:}), so the delivery is open until the last step
 * that works for it.
 */
final class Settlement implements Synchronization {

    private final Delivery delivery;
    private final LinkConsumer consumer;

    Settlement(Delivery delivery, LinkConsumer consumer) {
        this.delivery = delivery;
        this.consumer = consumer;
    }

    @Override
    public void onComplete(Exchange exchange) {
        if (exchange.isRollbackOnly() || exchange.isRollbackOnlyLast()) {
            fail(exchange, new RollbackExchangeException(exchange));
        } else {
            consumer.succeeded(delivery);
            delivery.complete();
        }
    }

    @Override
    public void onFailure(Exchange exchange) {
        Throwable cause = exchange.getException();
        fail(exchange, cause == null ? new RollbackExchangeException(exchange) : cause);
    }

    private void fail(Exchange exchange, Throwable cause) {
        consumer.failed(delivery, exchange, cause);
        delivery.fail(cause);
    }
}
