package dev.streamconnect.benchmark.result;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * All runs of a workload.
 *
 * @param name the workload's name
 * @param description what it is, one line
 * @param runs in the order in which they were made
 * @param failures runs that gave no figures, one line each
 */
public record WorkloadResult(
        String name, String description, List<Run> runs, List<String> failures) {

    public WorkloadResult {
        runs = List.copyOf(runs);
        failures = List.copyOf(failures);
    }

    /** Contenders that were measured, in the order of their first run. */
    public Set<String> contenders() {
        Set<String> names = new LinkedHashSet<>();
        runs.forEach(run -> names.add(run.contender()));
        return names;
    }

    /** A contender's runs. */
    public List<Run> runsOf(String contender) {
        return runs.stream().filter(run -> run.contender().equals(contender)).toList();
    }

    /** A contender's median of a figure; NaN if it was not measured. */
    public double median(String contender, Figure figure) {
        return Statistics.median(
                runsOf(contender).stream().mapToDouble(run -> run.figure(figure)).toArray());
    }

    /**
     * Ratios of two contenders in the same repetition: what the machine did to both of them in that
     * minute falls out.
     */
    public Interval pairedRatio(String contender, String baseline, Figure figure) {
        double[] ratios =
                runsOf(contender).stream()
                        .mapToDouble(run -> ratio(run, baseline, figure))
                        .toArray();
        return Statistics.medianWithInterval(ratios);
    }

    private double ratio(Run run, String baseline, Figure figure) {
        return runsOf(baseline).stream()
                .filter(other -> other.repetition() == run.repetition())
                .mapToDouble(other -> run.figure(figure) / other.figure(figure))
                .findFirst()
                .orElse(Double.NaN);
    }
}
