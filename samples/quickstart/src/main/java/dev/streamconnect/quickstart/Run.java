package dev.streamconnect.quickstart;

import dev.streamconnect.quickstart.ReplicatorProcess.State;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One run from the first process to the result. {@link #stop} may be called from any thread, at any
 * time; the run then goes to its end by the short way, with a result.
 */
final class Run {

    private static final Duration STEP = Duration.ofSeconds(5);
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    /** The replicator reads the settings of topics every minute, so a mend may be seen so late. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(120);

    /** Over which the incidents of an endless run are spread. */
    private static final Duration ENDLESS = Duration.ofSeconds(60);

    private final Options options;
    private final Output output;
    private final Books books = new Books();
    private final CountDownLatch stopped = new CountDownLatch(1);

    Run(Options options, Output output) {
        this.options = options;
        this.output = output;
    }

    /** Ends the traffic. */
    void stop() {
        stopped.countDown();
    }

    /**
     * Runs.
     *
     * @throws QuickstartException if it cannot
     */
    Result run() {
        output.line("quickstart: starting a local Hermes (two Kafka clusters) and a local Kafka");
        try (LocalHermes hermes = LocalHermes.start(options, options.home().resolve("hermes"))) {
            hermes.createTopics();
            output.line(
                    "quickstart: local Kafka at " + hermes.local() + "; starting the replicator");
            List<ClusterReader> readers =
                    Stream.of("A", "B", "LOCAL")
                            .map(name -> new ClusterReader(name, hermes.internal(name), books))
                            .toList();
            readers.forEach(ClusterReader::start);
            Path store;
            try (ReplicatorProcess replicator = ReplicatorProcess.start(options, hermes, output)) {
                store = replicator.store();
                awaitRunning(hermes, replicator);
                replicate(hermes, replicator, readers.get(0), readers.get(1));
            }
            output.line("quickstart: the replicator has stopped; comparing the rest");
            readers.forEach(ClusterReader::close);
            return result(CommittedPositions.read(hermes), StoredRows.read(store));
        }
    }

    /** Of both directions, after a line for each. */
    private Result result(
            Map<Integer, Map<Integer, Long>> committed,
            Map<Integer, Map<Integer, Set<Long>>> stored) {
        Result to = books.result(flow -> !flow.isFrom(), committed, stored);
        Result from = books.result(Flow::isFrom, committed, stored);
        output.line("quickstart: to ServiceNow:   " + to.counts());
        output.line("quickstart: from ServiceNow: " + from.counts());
        return to.plus(from);
    }

    private void awaitRunning(LocalHermes hermes, ReplicatorProcess replicator) {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        Map<String, State> states = replicator.states();
        while (!allRunning(states)) {
            check(hermes, replicator);
            if (System.nanoTime() > deadline) {
                throw new QuickstartException("the topic replications do not run: " + text(states));
            }
            if (sleep(LOOK)) {
                return;
            }
            states = replicator.states();
        }
    }

    private void replicate(
            LocalHermes hermes,
            ReplicatorProcess replicator,
            ClusterReader sideA,
            ClusterReader sideB) {
        Progress progress = new Progress(books, sideA, sideB);
        Incidents incidents;
        long start = System.nanoTime();
        Duration nextLine = STEP;
        output.line(
                "quickstart: sending %d messages/s in both directions; of alarms only those with severity=critical should arrive, and only they are counted"
                        .formatted(options.rate()));
        try (Traffic traffic = new Traffic(hermes, books, options.rate())) {
            incidents =
                    new Incidents(
                            options.endless() ? ENDLESS : options.traffic(),
                            hermes,
                            traffic,
                            books,
                            List.of(sideA, sideB),
                            output);
            traffic.start();
            Duration elapsed = Duration.ZERO;
            while (options.endless() || elapsed.compareTo(options.traffic()) < 0) {
                if (sleep(LOOK)) {
                    break;
                }
                elapsed = Duration.ofNanos(System.nanoTime() - start);
                check(hermes, replicator, traffic);
                incidents.look(elapsed, replicator.stored());
                if (elapsed.compareTo(nextLine) >= 0) {
                    output.line(line(progress, elapsed, replicator));
                    nextLine = nextLine.plus(STEP);
                }
            }
            incidents.finish();
        }
        output.line("quickstart: traffic has ended; waiting until all is delivered");
        long deadline = System.nanoTime() + DRAIN_LIMIT.toNanos();
        while (!books.complete() && System.nanoTime() < deadline) {
            check(hermes, replicator);
            incidents.tell(replicator.stored());
            pause(LOOK);
        }
        incidents.tell(replicator.stored());
        output.line(line(progress, Duration.ofNanos(System.nanoTime() - start), replicator));
    }

    private static String line(Progress progress, Duration elapsed, ReplicatorProcess replicator) {
        return progress.next(elapsed, replicator.states(), replicator.stored().size());
    }

    private void check(LocalHermes hermes, ReplicatorProcess replicator) {
        if (!hermes.isAlive()) {
            throw new QuickstartException(
                    "the local Hermes ended; %s says why"
                            .formatted(options.home().resolve("hermes/sandbox.log")));
        }
        if (!replicator.isAlive()) {
            throw new QuickstartException("the replicator ended; its last lines above say why");
        }
    }

    /** What fails is told at once: the end of the rest takes its time. */
    private void check(LocalHermes hermes, ReplicatorProcess replicator, Traffic traffic) {
        try {
            check(hermes, replicator);
            if (traffic.failure() != null) {
                throw new QuickstartException(traffic.failure());
            }
        } catch (QuickstartException e) {
            output.line("quickstart: " + e.getMessage() + "; ending the rest");
            traffic.abandon();
            throw e;
        }
    }

    private static boolean allRunning(Map<String, State> states) {
        return Flow.ALL.stream()
                .allMatch(
                        flow ->
                                states.containsKey(flow.replication())
                                        && (flow.kind() == Flow.Kind.LATE
                                                || states.get(flow.replication()).running()));
    }

    private static String text(Map<String, State> states) {
        return states.isEmpty()
                ? "none is there"
                : states.entrySet().stream()
                        .map(
                                state ->
                                        "%s %s %s"
                                                .formatted(
                                                        state.getKey(),
                                                        state.getValue().name(),
                                                        state.getValue().reason())
                                                .strip())
                        .collect(Collectors.joining(", "));
    }

    /** Waits; true if the run was stopped meanwhile or before. */
    private boolean sleep(Duration time) {
        try {
            return stopped.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static void pause(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
