package dev.streamconnect.benchmark.result;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Something that a contender must reach.
 *
 * @param workload the workload's name
 * @param text what is compared, for people
 * @param value takes it from the workload's runs; NaN if it was not measured
 * @param most true: the value may be the limit at most; false: at least
 * @param limit the bar
 */
public record Bar(
        String workload,
        String text,
        Function<WorkloadResult, Double> value,
        boolean most,
        double limit) {

    /**
     * @param workload the workload's name
     * @param text what was compared
     * @param bar the limit, for example {@code ≥ 0.95}
     * @param value what was measured; null if it was not
     * @param met null if it was not measured
     */
    public record Verdict(String workload, String text, String bar, Double value, Boolean met) {}

    /** Looks at each bar. */
    public static List<Verdict> look(List<Bar> bars, List<WorkloadResult> workloads) {
        return bars.stream().map(bar -> bar.verdict(workloads)).toList();
    }

    private Verdict verdict(List<WorkloadResult> workloads) {
        Optional<Double> measured =
                workloads.stream()
                        .filter(result -> result.name().equals(workload))
                        .map(value)
                        .filter(number -> !number.isNaN())
                        .findFirst();
        return new Verdict(
                workload,
                text,
                (most ? "≤ " : "≥ ") + Numbers.format(limit, 2),
                measured.orElse(null),
                measured.map(number -> most ? number <= limit : number >= limit).orElse(null));
    }
}
