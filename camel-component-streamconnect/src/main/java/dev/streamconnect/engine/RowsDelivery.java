package dev.streamconnect.engine;

import dev.streamconnect.spi.FailedAttempt;
import dev.streamconnect.spi.StoredMessage;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Sends stored rows again, in their order. A row that is refused is noted, those of its key behind
 * it are left for another time, and the others go on.
 */
final class RowsDelivery implements Shipment.Listener {

    private final StoredRows shipment;
    private final Undelivered undelivered;
    private final Clock clock;
    private final LinkMonitor monitor;
    private final Consumer<Shipment> shipper;
    private final BiConsumer<RowsResult, Boolean> done;
    private final List<FailedAttempt> failures = new ArrayList<>();

    /** Without a source: the rows wait for the destination until the deadline. */
    RowsDelivery(
            List<StoredMessage> rows,
            Instant deadline,
            Undelivered undelivered,
            Clock clock,
            Consumer<Shipment> shipper,
            BiConsumer<RowsResult, Boolean> done) {
        this.shipment = new StoredRows(rows, 0, deadline, this);
        this.undelivered = undelivered;
        this.clock = clock;
        this.monitor = null;
        this.shipper = shipper;
        this.done = done;
    }

    /**
     * @param monitor counts what arrives
     * @param shipper takes the shipment, as often as it has to go
     * @param done called once, on a client's thread: the result, and false where the destination is
     *     away, so that more rows are of no use now
     */
    RowsDelivery(
            List<StoredMessage> rows,
            int sourcePartitions,
            Undelivered undelivered,
            Clock clock,
            LinkMonitor monitor,
            Consumer<Shipment> shipper,
            BiConsumer<RowsResult, Boolean> done) {
        this.shipment = new StoredRows(rows, sourcePartitions, null, this);
        this.undelivered = undelivered;
        this.clock = clock;
        this.monitor = monitor;
        this.shipper = shipper;
        this.done = done;
    }

    void ship() {
        shipper.accept(shipment);
    }

    @Override
    public void progressed(Shipment sent, int records, long bytes) {
        if (monitor != null) {
            monitor.moved(records, bytes);
        }
    }

    @Override
    public void delivered(Shipment sent) {
        end(true);
    }

    @Override
    public void failed(Shipment sent, FailureVerdict verdict) {
        if (!(verdict instanceof FailureVerdict.MessageRefused refused)) {
            end(false);
            return;
        }
        int at = shipment.acked();
        failures.add(
                RowsResult.attempt(
                        shipment.row(at),
                        refused.wasAsked(),
                        refused.kind(),
                        refused.errorClass(),
                        refused.reason(),
                        undelivered.policy(),
                        clock.instant()));
        byte[] key = shipment.key(at);
        if (undelivered.holdsKeys() && key != null) {
            for (int i = at + 1; i < shipment.size(); i++) {
                if (!shipment.isAcked(i) && Arrays.equals(key, shipment.key(i))) {
                    shipment.keep(i);
                }
            }
        }
        shipment.keep(at);
        if (shipment.acked() >= shipment.size()) {
            end(true);
        } else {
            ship();
        }
    }

    private void end(boolean goOn) {
        List<Long> arrived = new ArrayList<>();
        for (int i = 0; i < shipment.size(); i++) {
            if (shipment.isAcked(i) && !shipment.isKept(i)) {
                arrived.add(shipment.row(i).id());
            }
        }
        done.accept(new RowsResult(arrived, failures), goOn);
    }
}
