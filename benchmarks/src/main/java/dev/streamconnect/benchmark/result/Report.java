package dev.streamconnect.benchmark.result;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The outcome of a benchmark.
 *
 * @param date when it began, {@code yyyy-MM-dd HH:mm} UTC
 * @param machine processor, memory, operating system, load
 * @param versions of Java, Kafka, Camel and this project
 * @param settings of clients, brokers and JVMs, by what they are for
 * @param workloads in the order in which they ran
 * @param bars what is to be reached, and whether it was
 */
public record Report(
        String date,
        Map<String, String> machine,
        Map<String, String> versions,
        Map<String, String> settings,
        List<WorkloadResult> workloads,
        List<Bar.Verdict> bars) {

    public Report {
        workloads = List.copyOf(workloads);
        bars = List.copyOf(bars);
    }

    /** A workload by its name. */
    public Optional<WorkloadResult> workload(String name) {
        return workloads.stream().filter(workload -> workload.name().equals(name)).findFirst();
    }
}
