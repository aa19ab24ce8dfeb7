package dev.streamconnect.quickstart;

import dev.streamconnect.quickstart.Flow.Kind;
import dev.streamconnect.quickstart.ReplicatorProcess.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * What goes wrong in the course of a run, and how it is mended: messages that Hermes refuses, a
 * topic that comes late, fail-overs. Each step and what becomes of it is one line. Not thread-safe.
 */
final class Incidents {

    private static final int REFUSED = 3;

    private final LocalHermes hermes;
    private final Traffic traffic;
    private final Books books;
    private final List<ClusterReader> readers;
    private final Output output;
    private final List<Step> steps = new ArrayList<>();
    private final List<Refusal> refusals = new ArrayList<>();

    /**
     * Something that happens in the run.
     *
     * @param due from the start of the traffic
     * @param ready whether what it needs is there
     * @param mends whether it has to happen before the end, however early that is
     */
    private record Step(Duration due, BooleanSupplier ready, boolean mends, Runnable action) {}

    /** Messages that Hermes refuses for now. */
    private static final class Refusal {
        private final Flow flow;
        private final String mend;
        private final List<MessageId> ids = new ArrayList<>();
        private boolean stored;
        private boolean delivered;

        private Refusal(Flow flow, String mend) {
            this.flow = flow;
            this.mend = mend;
        }
    }

    /**
     * @param length of the traffic; the steps are spread over it
     */
    Incidents(
            Duration length,
            LocalHermes hermes,
            Traffic traffic,
            Books books,
            List<ClusterReader> readers,
            Output output) {
        this.hermes = hermes;
        this.traffic = traffic;
        this.books = books;
        this.readers = readers;
        this.output = output;
        Duration tenth = length.dividedBy(10);
        BooleanSupplier always = () -> true;
        steps.add(new Step(tenth, always, false, this::sendRefused));
        steps.add(new Step(tenth.multipliedBy(3), always, true, this::createLateTopic));
        steps.add(new Step(tenth.multipliedBy(4), this::allStored, true, this::mend));
        steps.add(new Step(tenth.multipliedBy(5), always, false, this::failOver));
        steps.add(new Step(tenth.multipliedBy(8), always, false, this::failOver));
    }

    /** Takes the steps that are due, and tells what has become of the ones before. */
    void look(Duration elapsed, List<StoredMessage> stored) {
        for (Step step : List.copyOf(steps)) {
            if (step.due().compareTo(elapsed) <= 0 && step.ready().getAsBoolean()) {
                steps.remove(step);
                step.action().run();
            }
        }
        tell(stored);
    }

    /** Mends what is broken still. */
    void finish() {
        steps.stream().filter(Step::mends).forEach(step -> step.action().run());
        steps.clear();
    }

    /** Tells what has become of the refused messages. */
    void tell(List<StoredMessage> stored) {
        for (Refusal refusal : refusals) {
            List<StoredMessage> rows =
                    stored.stream()
                            .filter(row -> row.id().equals(refusal.flow.replication()))
                            .toList();
            List<StoredMessage> refused = rows.stream().filter(row -> !row.isBehindKey()).toList();
            if (!refusal.stored && refused.size() >= refusal.ids.size()) {
                refusal.stored = true;
                line(
                        "stored %d of %s: %s; behind them so far %d later ones of their keys",
                        refused.size(),
                        refusal.flow.name(),
                        refused.get(0).errorText(),
                        rows.size() - refused.size());
            }
            if (!refusal.delivered && refusal.ids.stream().allMatch(books::hasArrived)) {
                refusal.delivered = true;
                line(
                        "%s %d of %s",
                        refusal.stored ? "retry delivered" : "delivered",
                        refusal.ids.size(),
                        refusal.flow.name());
            }
        }
    }

    private boolean allStored() {
        return refusals.stream().allMatch(refusal -> refusal.stored);
    }

    private void sendRefused() {
        refuse(Kind.LIMITED, "max.message.bytes=2097152");
        refuse(Kind.COMPACTED, "cleanup.policy=delete");
    }

    private void refuse(Kind kind, String mend) {
        int index = Flow.of(kind);
        Refusal refusal = new Refusal(Flow.ALL.get(index), mend);
        for (int i = 0; i < REFUSED; i++) {
            refusal.ids.add(traffic.sendRefused(index));
        }
        refusals.add(refusal);
        line(
                "sent %d to %s that Hermes refuses: its topic has %s, they have %s",
                REFUSED,
                refusal.flow.name(),
                refusal.flow.config(),
                kind == Kind.LIMITED ? "1500000 bytes each" : "no key");
    }

    private void createLateTopic() {
        Flow late = Flow.ALL.get(Flow.of(Kind.LATE));
        hermes.createHermesTopic(late);
        readers.forEach(reader -> reader.include(late));
        line("created the missing topic %s", late.hermesTopic());
    }

    private void mend() {
        for (Refusal refusal : refusals) {
            hermes.configureHermesTopic(refusal.flow, refusal.mend);
            line("the topic of %s has %s now", refusal.flow.name(), refusal.mend);
        }
    }

    private void failOver() {
        line("fail-over: side %s is near now", hermes.failOver());
    }

    private void line(String format, Object... values) {
        output.line("quickstart: " + format.formatted(values));
    }
}
