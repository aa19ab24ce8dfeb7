package dev.streamconnect.benchmark;

import dev.streamconnect.benchmark.contender.ContenderKind;
import dev.streamconnect.benchmark.result.Figure;
import dev.streamconnect.benchmark.result.MarkdownTables;
import dev.streamconnect.benchmark.result.Run;
import dev.streamconnect.benchmark.result.WorkloadResult;
import java.util.ArrayList;
import java.util.List;

/** Runs workloads one after another, each contender in its turn. */
final class Campaign {

    private final Bench bench;
    private final Pace pace;
    private final long sourceBytes;
    private final int repetitions;
    private final List<ContenderKind> contenders;
    private boolean warm;

    /**
     * @param sourceBytes size of a source whose traffic needs the usual share
     * @param repetitions of workloads that are repeated
     * @param contenders who takes part, of those that a workload names
     */
    Campaign(
            Bench bench,
            Pace pace,
            long sourceBytes,
            int repetitions,
            List<ContenderKind> contenders) {
        this.bench = bench;
        this.pace = pace;
        this.sourceBytes = sourceBytes;
        this.repetitions = repetitions;
        this.contenders = List.copyOf(contenders);
    }

    /** A run that fails is told and left out; the others go on. */
    WorkloadResult run(Workload workload) throws Exception {
        Console.line("workload %s: %s", workload.name(), workload.description());
        if (!workload.latency()) {
            bench.source().fill(workload.traffic(), sourceBytes);
        }
        warmBrokers(workload);
        List<ContenderKind> here =
                workload.contenders().stream().filter(contenders::contains).toList();
        List<Run> runs = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        int times = workload.repeated() ? repetitions : 1;
        for (Schedule.Turn turn : Schedule.of(here, times, workload.name().hashCode())) {
            try {
                Run run = measure(workload, turn.contender(), turn.repetition());
                runs.add(run);
                Console.line("%s", line(run));
            } catch (RuntimeException e) {
                String failure =
                        turn.contender().label()
                                + ", run "
                                + (turn.repetition() + 1)
                                + ": "
                                + e.getMessage();
                failures.add(failure);
                Console.line("  %s", failure);
                bench.destinationTopics().deleteAll();
            }
        }
        WorkloadResult result =
                new WorkloadResult(workload.name(), workload.description(), runs, failures);
        if (!runs.isEmpty()) {
            Console.text("\n" + MarkdownTables.table(result, ContenderKind.BARE.label()));
        }
        return result;
    }

    /** The first run after the brokers' start is half as fast, whoever makes it. */
    private void warmBrokers(Workload workload) throws Exception {
        if (!warm && !workload.latency()) {
            Console.line("  a run to warm the brokers");
            measure(workload, ContenderKind.BARE, -1);
            warm = true;
        }
    }

    private Run measure(Workload workload, ContenderKind kind, int repetition) throws Exception {
        return workload.latency()
                ? new LatencyRun(bench, pace).measure(workload, kind, repetition)
                : new ThroughputRun(bench, pace).measure(workload, kind, repetition);
    }

    private static String line(Run run) {
        StringBuilder text = new StringBuilder();
        text.append("  ").append(run.contender()).append(", run ").append(run.repetition() + 1);
        for (Figure figure : Figure.values()) {
            if (run.figures().containsKey(figure)) {
                text.append(", ")
                        .append(figure.label())
                        .append(' ')
                        .append(figure.format(run.figure(figure)));
            }
        }
        return text.append(run.kept().isEmpty() ? "" : ", kept " + run.kept()).toString();
    }
}
