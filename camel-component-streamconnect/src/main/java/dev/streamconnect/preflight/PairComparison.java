package dev.streamconnect.preflight;

import dev.streamconnect.cluster.ClientRole;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compares the sides of Hermes with each other, once all were looked at. */
final class PairComparison {

    private final List<TargetCheck> checks;

    PairComparison(List<TargetCheck> checks) {
        this.checks = checks;
    }

    /** Adds a line for each thing that does not fit together. */
    void look() {
        Optional<TargetCheck> a = of(ClientRole.HERMES_A);
        Optional<TargetCheck> b = of(ClientRole.HERMES_B);
        if (a.isPresent() && b.isPresent()) {
            sameCluster(a.get(), b.get());
            partitions(a.get(), b.get());
            of(ClientRole.HERMES_PRODUCER).ifPresent(producer -> near(producer, a.get(), b.get()));
        }
    }

    private static void sameCluster(TargetCheck a, TargetCheck b) {
        String id = a.facts().clusterId();
        if (id != null && id.equals(b.facts().clusterId())) {
            add(
                    b,
                    Verdict.fail(
                            "the same cluster as side A: it would be read twice and the other never",
                            "correct the consumer ports of one side"));
        }
    }

    private static void near(TargetCheck producer, TargetCheck a, TargetCheck b) {
        String id = producer.facts().clusterId();
        String ofA = a.facts().clusterId();
        String ofB = b.facts().clusterId();
        if (id == null || ofA == null || ofB == null) {
            return;
        }
        if (id.equals(ofA) || id.equals(ofB)) {
            add(producer, Verdict.ok("side " + (id.equals(ofA) ? "A" : "B") + " is near"));
        } else {
            add(
                    producer,
                    Verdict.fail(
                            "neither side A nor side B: what is sent would never be read",
                            "correct the producer ports or the consumer ports"));
        }
    }

    private static void partitions(TargetCheck a, TargetCheck b) {
        Map<String, Integer> ofB = b.facts().partitions();
        a.facts()
                .partitions()
                .forEach(
                        (topic, count) -> {
                            Integer other = ofB.get(topic);
                            if (other != null && !other.equals(count)) {
                                b.findings()
                                        .add(
                                                topic,
                                                Stage.TOPIC,
                                                Verdict.warn(
                                                        "partitions of side A: "
                                                                + count
                                                                + ", of side B: "
                                                                + other
                                                                + "; keys change their partition at a fail-over",
                                                        "give both sides the same number"));
                            }
                        });
    }

    private static void add(TargetCheck check, Verdict verdict) {
        check.findings().add(TargetCheck.CLUSTER, Stage.CLUSTER, verdict);
    }

    private Optional<TargetCheck> of(ClientRole role) {
        return checks.stream()
                .filter(check -> check.target().settings().role() == role)
                .findFirst();
    }
}
