package dev.streamconnect.it;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/** A step of a route that lets a number of messages pass and holds the next ones. */
final class Gate implements Processor {

    private static final long LIMIT_SECONDS = 120;
    private final Semaphore open;
    private final AtomicInteger waiting = new AtomicInteger();

    Gate(int letsPass) {
        open = new Semaphore(letsPass);
    }

    @Override
    public void process(Exchange exchange) throws InterruptedException {
        waiting.incrementAndGet();
        if (!open.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the gate was never opened");
        }
        waiting.decrementAndGet();
    }

    /** True while a message is held. */
    boolean holds() {
        return waiting.get() > 0;
    }

    void openFor(int more) {
        open.release(more);
    }

    /** A route of one topic replication that goes through a gate of this name. */
    static String route(String id, String gate) {
        return """
                - route:
                    id: %1$s
                    from:
                      uri: replication:%1$s
                      steps:
                        - process:
                            ref: %2$s
                        - to: replication:%1$s
                """
                .formatted(id, gate);
    }
}
