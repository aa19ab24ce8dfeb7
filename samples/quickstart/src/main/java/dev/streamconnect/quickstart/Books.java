package dev.streamconnect.quickstart;

import dev.streamconnect.quickstart.Ledger.Missing;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** The ledgers of all flows. Thread-safe. */
final class Books {

    private final Ledger[] ledgers =
            Flow.ALL.stream().map(flow -> new Ledger()).toArray(Ledger[]::new);
    private final LongAdder strangers = new LongAdder();

    Ledger of(int flow) {
        return ledgers[flow];
    }

    /**
     * Takes note of a message at a topic of Hermes.
     *
     * @param flow whose topic it is
     * @param id what its header says; null for none
     */
    Ledger.Arrival arrived(int flow, MessageId id, long fingerprint) {
        if (id == null || id.flow() != flow) {
            strangers.increment();
            return Ledger.Arrival.UNKNOWN;
        }
        return ledgers[flow].arrived(id.sequence(), fingerprint);
    }

    /** Whether a message of the traffic has arrived unchanged. */
    boolean hasArrived(MessageId id) {
        return ledgers[id.flow()].hasArrived(id.sequence());
    }

    long sent() {
        return sum(Ledger::sent);
    }

    long delivered() {
        return sum(Ledger::delivered);
    }

    long duplicates() {
        return sum(Ledger::duplicates);
    }

    /** Arrivals that should not be, or not so. */
    long wrong() {
        return sum(Ledger::wrong) + strangers.sum();
    }

    boolean complete() {
        return IntStream.range(0, ledgers.length).allMatch(flow -> ledgers[flow].complete());
    }

    /**
     * What did not arrive.
     *
     * @param committed by flow and partition
     * @param stored by flow and partition
     */
    Missing missing(
            Map<Integer, Map<Integer, Long>> committed,
            Map<Integer, Map<Integer, Set<Long>>> stored) {
        long lost = 0;
        long waiting = 0;
        for (int flow = 0; flow < ledgers.length; flow++) {
            Missing missing =
                    ledgers[flow].missing(
                            committed.getOrDefault(flow, Map.of()),
                            stored.getOrDefault(flow, Map.of()));
            lost += missing.lost();
            waiting += missing.waiting();
        }
        return new Missing(lost, waiting);
    }

    private long sum(ToLongFunction<Ledger> count) {
        long sum = 0;
        for (Ledger ledger : ledgers) {
            sum += count.applyAsLong(ledger);
        }
        return sum;
    }
}
