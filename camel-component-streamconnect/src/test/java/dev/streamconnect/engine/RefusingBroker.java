package dev.streamconnect.engine;

import dev.streamconnect.spi.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Stands for a destination that refuses some messages by their value, as a broker does: late. */
final class RefusingBroker {

    final List<String> arrived = new ArrayList<>();
    Predicate<String> refuses = value -> false;
    Function<String, FailureVerdict> answer =
            value ->
                    new FailureVerdict.MessageRefused(
                            value + " is refused", Reason.SIZE, "TooLarge");
    private final HandDrivenLink link;
    private int served;

    RefusingBroker(HandDrivenLink link) {
        this.link = link;
    }

    /** True if a shipment waits for an answer. */
    boolean hasWork() {
        return served < link.shipped.size();
    }

    /** Answers whatever was shipped, and what is shipped because of it. */
    void serve() {
        link.work();
        while (hasWork()) {
            serveOne();
            link.work();
        }
    }

    void serveOne() {
        Shipment shipment = link.shipped.get(served++);
        int from = shipment.acked();
        int sent = 0;
        for (int i = from; i < shipment.size(); i++) {
            if (shipment.isAcked(i)) {
                continue;
            }
            String value = Fixtures.text(shipment.value(i));
            if (refuses.test(value)) {
                tell(shipment, sent);
                shipment.listener().failed(shipment, answer.apply(value));
                return;
            }
            arrived.add(value);
            shipment.ack(i);
            sent++;
        }
        tell(shipment, sent);
        shipment.listener().delivered(shipment);
    }

    /** The destination is away for the next shipment. */
    void dropOne() {
        Shipment shipment = link.shipped.get(served++);
        shipment.listener().failed(shipment, new FailureVerdict.Transient("away"));
    }

    private static void tell(Shipment shipment, int sent) {
        if (sent > 0) {
            shipment.listener().progressed(shipment, sent, sent);
        }
    }
}
