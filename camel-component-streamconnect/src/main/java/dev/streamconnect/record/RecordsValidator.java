package dev.streamconnect.record;

import dev.streamconnect.cluster.HermesInstance;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Checks records against all rules of {@link RecordRule} that go beyond the shape of a file.
 * Immutable; safe for several threads.
 *
 * <p>Names and ids must be right for inactive records too. Conflicts between records (a source or
 * destination used twice, loops) count among active ones only. Two connections that share a
 * bootstrap entry are one cluster, whatever their ids.
 */
public final class RecordsValidator {

    private final Optional<HermesInstance> instance;

    /**
     * @param instance the instance that the records are for; empty leaves out the check that full
     *     topic names are of it, and the length of short names is checked as far as it can be
     */
    public RecordsValidator(Optional<HermesInstance> instance) {
        this.instance = Objects.requireNonNull(instance, "instance");
    }

    /**
     * Checks records that did not come from a file.
     *
     * @param source what faults call it
     * @return all faults, without places, unmodifiable; empty if the records are valid
     */
    public List<RecordFault> validate(ReplicationRecords records, String source) {
        Faults faults = new Faults(source, new Places());
        check(Draft.of(records), faults);
        return faults.list();
    }

    void check(Draft draft, Faults faults) {
        new ConnectionRules(draft, instance, faults).check();
        new ReplicationRules(draft, faults).check();
        new TopicRules(draft, instance, faults).check();
        List<Link> links = Link.of(draft, instance, faults);
        new PairRules(links, faults).check();
        new LoopRule(links, faults).check();
    }
}
