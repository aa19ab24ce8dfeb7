package dev.streamconnect.benchmark.result;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Something that a contender must reach.
 *
 * @param workload the workload's name
 * @param text what is compared, for people
 * @param value takes it from the runs; NaN if it was not measured
 * @param most true: the value may be the limit at most; false: at least
 * @param limit the bar
 */
public record Bar(
        String workload,
        String text,
        ToDoubleFunction<Measured> value,
        boolean most,
        double limit) {

    /** All that was measured. */
    @FunctionalInterface
    public interface Measured {

        /** A workload by its name; without runs if it was not measured. */
        WorkloadResult of(String workload);
    }

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
        Measured measured =
                name ->
                        workloads.stream()
                                .filter(result -> result.name().equals(name))
                                .findFirst()
                                .orElse(new WorkloadResult(name, "", List.of(), List.of()));
        return bars.stream().map(bar -> bar.verdict(measured)).toList();
    }

    private Verdict verdict(Measured measured) {
        double number = value.applyAsDouble(measured);
        String bar = (most ? "≤ " : "≥ ") + Numbers.format(limit, 2);
        return Double.isNaN(number)
                ? new Verdict(workload, text, bar, null, null)
                : new Verdict(
                        workload, text, bar, number, most ? number <= limit : number >= limit);
    }
}
