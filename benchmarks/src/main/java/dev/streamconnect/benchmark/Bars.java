package dev.streamconnect.benchmark;

import dev.streamconnect.benchmark.contender.ContenderKind;
import dev.streamconnect.benchmark.result.Bar;
import dev.streamconnect.benchmark.result.Figure;
import java.util.ArrayList;
import java.util.List;

/** What this project means to reach. A bar that is missed is said to be missed. */
final class Bars {

    private static final String BARE = ContenderKind.BARE.label();
    private static final String BATCH = ContenderKind.BATCH.label();
    private static final String MIRROR = ContenderKind.MIRROR.label();
    private static final String KAFKA = ContenderKind.KAFKA_BATCHING.label();

    private Bars() {}

    static List<Bar> all() {
        List<Bar> bars = new ArrayList<>();
        for (String workload : List.of("512B", "512B-mtls")) {
            Figure rate = Figure.RECORDS_PER_SECOND;
            Figure cpu = Figure.CPU_SECONDS_PER_MILLION;
            bars.add(least(workload, BATCH, BARE, rate, 0.95));
            bars.add(
                    new Bar(
                            workload,
                            "lower end of the interval of that ratio",
                            measured -> measured.of(workload).pairedRatio(BATCH, BARE, rate).low(),
                            false,
                            0.85));
            bars.add(most(workload, BATCH, BARE, cpu, 1.15));
            bars.add(least(workload, BATCH, MIRROR, rate, 1.5));
            bars.add(most(workload, BATCH, MIRROR, cpu, 0.45));
            bars.add(least(workload, BATCH, KAFKA, rate, 1));
            bars.add(most(workload, BATCH, KAFKA, cpu, 1));
            bars.add(least(workload, ContenderKind.SINGLE.label(), BARE, rate, 0.40));
            bars.add(least(workload, ContenderKind.FILTER.label(), BARE, rate, 0.25));
        }
        bars.add(
                new Bar(
                        "latency",
                        BATCH + " less " + BARE + ", p50 ms",
                        measured ->
                                measured.of("latency").median(BATCH, Figure.P50_MILLIS)
                                        - measured.of("latency").median(BARE, Figure.P50_MILLIS),
                        true,
                        1));
        bars.add(most("latency", BATCH, BARE, Figure.P99_MILLIS, 2));
        bars.add(least("round-trip-100ms", BATCH, BARE, Figure.RECORDS_PER_SECOND, 0.9));
        bars.add(
                new Bar(
                        "round-trip-100ms",
                        BATCH + ", MB/s",
                        measured ->
                                measured.of("round-trip-100ms")
                                        .median(BATCH, Figure.MEGABYTES_PER_SECOND),
                        false,
                        2));
        bars.addAll(growth());
        return bars;
    }

    /** What grows, compared with the same workload while it is small. */
    private static List<Bar> growth() {
        List<Bar> bars = new ArrayList<>();
        bars.add(grown("replications-1", "replications-500", 0.9));
        for (String name : List.of("held-keys-", "undelivered-rows-")) {
            String large = name + "1000000";
            bars.add(grown(name + "0", large, 0.8));
            bars.add(
                    new Bar(
                            large,
                            BATCH + ", start s",
                            measured -> measured.of(large).median(BATCH, Figure.START_SECONDS),
                            true,
                            30));
        }
        return bars;
    }

    private static Bar grown(String small, String large, double limit) {
        Figure rate = Figure.RECORDS_PER_SECOND;
        return new Bar(
                large,
                BATCH + ", " + rate.label() + " to that of " + small,
                measured ->
                        measured.of(large).median(BATCH, rate)
                                / measured.of(small).median(BATCH, rate),
                false,
                limit);
    }

    private static Bar least(
            String workload, String contender, String other, Figure figure, double limit) {
        return ratio(workload, contender, other, figure, false, limit);
    }

    private static Bar most(
            String workload, String contender, String other, Figure figure, double limit) {
        return ratio(workload, contender, other, figure, true, limit);
    }

    private static Bar ratio(
            String workload,
            String contender,
            String other,
            Figure figure,
            boolean most,
            double limit) {
        return new Bar(
                workload,
                contender + " to " + other + ", " + figure.label(),
                measured -> measured.of(workload).pairedRatio(contender, other, figure).median(),
                most,
                limit);
    }
}
