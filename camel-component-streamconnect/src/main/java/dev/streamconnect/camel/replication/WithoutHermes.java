package dev.streamconnect.camel.replication;

import org.apache.camel.Consumer;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.support.DefaultConsumer;
import org.apache.camel.support.DefaultProducer;

/**
 * The ends of a topic replication where the component {@code hermes} is a stub, as with {@code
 * camel run --stub=hermes}: nothing comes, and what is sent goes nowhere.
 */
final class WithoutHermes {

    private WithoutHermes() {}

    static Consumer consumer(ReplicationEndpoint endpoint, Processor processor) {
        return new DefaultConsumer(endpoint, processor);
    }

    static Producer producer(ReplicationEndpoint endpoint) {
        return new DefaultProducer(endpoint) {
            @Override
            public void process(Exchange exchange) {
                // As a stub does.
            }
        };
    }
}
