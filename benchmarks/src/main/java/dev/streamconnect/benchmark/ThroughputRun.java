package dev.streamconnect.benchmark;

import dev.streamconnect.benchmark.contender.ContenderKind;
import dev.streamconnect.benchmark.contender.ContenderSettings;
import dev.streamconnect.benchmark.result.Figure;
import dev.streamconnect.benchmark.result.Run;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.OffsetSpec;

/**
 * How much a contender moves in steady state: from the end of its warm-up for the time asked for,
 * or until the source is nearly empty. Records are counted at the destination's end offsets, the
 * same for all.
 */
final class ThroughputRun {

    private static final Duration LOOK = Duration.ofMillis(200);
    private static final long FIRST_RECORD_SECONDS = 90;

    /** Ends before the source does: the last polls are smaller. */
    private static final double MOST_OF_SOURCE = 0.95;

    private final Bench bench;
    private final Pace pace;

    /** What could be read at one moment. */
    private record Sample(
            long records,
            long nanos,
            long cpuNanos,
            long brokerCpuNanos,
            ContenderProcess.Memory memory) {}

    ThroughputRun(Bench bench, Pace pace) {
        this.bench = bench;
        this.pace = pace;
    }

    /**
     * @throws IllegalStateException if the contender failed or stood still
     */
    Run measure(Workload workload, ContenderKind kind, int repetition) throws Exception {
        Traffic traffic = workload.traffic();
        ContenderSettings settings = bench.prepare(workload, kind, bench.source().names(traffic));
        if (kind.isOurs() && workload.stored().rows() > 0) {
            StoredRows.write(
                    workload.stored(), traffic.partitions(), settings, bench.brokers().source());
        }
        long most = (long) (bench.source().records(traffic) * MOST_OF_SOURCE);
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        try (ContenderProcess contender = bench.start(kind, settings)) {
            contender.awaitStarted();
            awaitFirst(workload, contender, settings);
            figures.put(Figure.START_SECONDS, contender.secondsSinceStart());
            Sample begin = sampleAfter(pace.warmUp(), workload, contender, settings, most);
            Sample end = sampleAfter(pace.measured(), workload, contender, settings, most);
            put(figures, begin, end, traffic);
            figures.put(Figure.PEAK_RSS_MEGABYTES, contender.peakRssMegabytes());
        }
        String kept = traffic.refusedPercent() > 0 ? "" : new Kept(bench.brokers()).look(settings);
        bench.destinationTopics().deleteAll();
        return new Run(kind.label(), repetition, figures, kept);
    }

    private void awaitFirst(
            Workload workload, ContenderProcess contender, ContenderSettings settings)
            throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(FIRST_RECORD_SECONDS);
        while (count(workload, settings) == 0) {
            if (System.nanoTime() > end || !contender.isAlive()) {
                throw new IllegalStateException("no record arrived; see " + settings.folder());
            }
            Thread.sleep(20);
        }
    }

    /** The last look within the time, and before the source ends. */
    private Sample sampleAfter(
            Duration time,
            Workload workload,
            ContenderProcess contender,
            ContenderSettings settings,
            long most)
            throws Exception {
        long end = System.nanoTime() + time.toNanos();
        Sample last = sample(workload, contender, settings);
        while (System.nanoTime() < end) {
            Thread.sleep(LOOK.toMillis());
            Sample next = sample(workload, contender, settings);
            if (next.records > most) {
                break;
            }
            last = next;
        }
        return last;
    }

    private Sample sample(Workload workload, ContenderProcess contender, ContenderSettings settings)
            throws Exception {
        if (!contender.isAlive()) {
            throw new IllegalStateException("it ended; see " + settings.folder());
        }
        ContenderProcess.Memory memory = contender.memory();
        long before = System.nanoTime();
        long records = count(workload, settings);
        long nanos = before + (System.nanoTime() - before) / 2;
        return new Sample(records, nanos, contender.cpuNanos(), bench.brokers().cpuNanos(), memory);
    }

    private long count(Workload workload, ContenderSettings settings) throws Exception {
        try {
            return bench.destinationTopics()
                    .sum(
                            settings.destinationTopics(),
                            workload.traffic().partitions(),
                            OffsetSpec.latest());
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException("the destination did not answer", e);
        }
    }

    private static void put(
            Map<Figure, Double> figures, Sample begin, Sample end, Traffic traffic) {
        double seconds = (end.nanos - begin.nanos) / 1e9;
        long records = end.records - begin.records;
        if (records <= 0) {
            throw new IllegalStateException(
                    "nothing arrived in the measured time; the source may be too small");
        }
        figures.put(Figure.WINDOW_SECONDS, seconds);
        figures.put(Figure.RECORDS_PER_SECOND, records / seconds);
        figures.put(Figure.MEGABYTES_PER_SECOND, records / seconds * traffic.payloadBytes() / 1e6);
        figures.put(
                Figure.CPU_SECONDS_PER_MILLION, (end.cpuNanos - begin.cpuNanos) / 1e3 / records);
        figures.put(
                Figure.BROKER_CPU_SECONDS_PER_MILLION,
                (end.brokerCpuNanos - begin.brokerCpuNanos) / 1e3 / records);
        figures.put(
                Figure.ALLOCATED_BYTES_PER_RECORD,
                (double) (end.memory.allocatedBytes() - begin.memory.allocatedBytes()) / records);
        figures.put(
                Figure.GC_MILLIS_PER_MILLION,
                (end.memory.pausedMillis() - begin.memory.pausedMillis()) * 1e6 / records);
    }
}
