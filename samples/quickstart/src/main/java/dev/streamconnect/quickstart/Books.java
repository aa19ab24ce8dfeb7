package dev.streamconnect.quickstart;

import dev.streamconnect.quickstart.Ledger.Missing;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** The ledgers of all flows. Thread-safe. */
final class Books {

    private final Ledger[] ledgers =
            Flow.ALL.stream().map(flow -> new Ledger()).toArray(Ledger[]::new);

    Ledger of(int flow) {
        return ledgers[flow];
    }

    /**
     * Takes note of a message at its destination.
     *
     * @param flow whose topic it is
     * @param id what its header says; null for none
     */
    Ledger.Arrival arrived(int flow, MessageId id, long fingerprint) {
        boolean ours = id != null && id.flow() == flow;
        return ledgers[flow].arrived(ours ? id.sequence() : -1, fingerprint);
    }

    /** Whether a message of the traffic has arrived unchanged. */
    boolean hasArrived(MessageId id) {
        return ledgers[id.flow()].hasArrived(id.sequence());
    }

    long sent(Predicate<Flow> chosen) {
        return sum(chosen, Ledger::sent);
    }

    long delivered(Predicate<Flow> chosen) {
        return sum(chosen, Ledger::delivered);
    }

    boolean complete() {
        return Stream.of(ledgers).allMatch(Ledger::complete);
    }

    /**
     * How it went with some flows.
     *
     * @param committed by flow and place
     * @param stored by flow and place
     */
    Result result(
            Predicate<Flow> chosen,
            Map<Integer, Map<Integer, Long>> committed,
            Map<Integer, Map<Integer, Set<Long>>> stored) {
        Missing missing = new Missing(0, 0);
        for (int flow = 0; flow < ledgers.length; flow++) {
            if (chosen.test(Flow.ALL.get(flow))) {
                missing =
                        missing.plus(
                                ledgers[flow].missing(
                                        committed.getOrDefault(flow, Map.of()),
                                        stored.getOrDefault(flow, Map.of())));
            }
        }
        return new Result(
                sent(chosen),
                delivered(chosen),
                missing,
                sum(chosen, Ledger::duplicates),
                sum(chosen, Ledger::wrong));
    }

    private long sum(Predicate<Flow> chosen, ToLongFunction<Ledger> count) {
        long sum = 0;
        for (int flow = 0; flow < ledgers.length; flow++) {
            if (chosen.test(Flow.ALL.get(flow))) {
                sum += count.applyAsLong(ledgers[flow]);
            }
        }
        return sum;
    }
}
