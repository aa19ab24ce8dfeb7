package dev.streamconnect.preflight;

import dev.streamconnect.cluster.Causes;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Looks at all sides of all connections at the same time, and ends within a minute whatever they
 * do. Changes nothing anywhere, unless a test message is asked for.
 */
public final class Preflight {

    private static final int SIDES_AT_A_TIME = 8;
    private static final int ADDRESSES_AT_A_TIME = 8;
    private static final int NAMES_AT_A_TIME = 32;

    private final Limits limits;
    private final Clock clock;

    private Preflight(Limits limits, Clock clock) {
        this.limits = limits;
        this.clock = clock;
    }

    /**
     * Looks.
     *
     * @param targets the sides, in the order of the answer
     * @param sendsTestMessage true sends a message to each topic that is written to; it stays there
     * @return what was found; a fault of an address, a broker or a right is never thrown
     */
    public static PreflightReport run(List<PreflightTarget> targets, boolean sendsTestMessage) {
        return new Preflight(Limits.DEFAULT, Clock.systemUTC()).look(targets, sendsTestMessage);
    }

    static Preflight within(Limits limits, Clock clock) {
        return new Preflight(limits, clock);
    }

    PreflightReport look(List<PreflightTarget> targets, boolean sendsTestMessage) {
        long began = System.nanoTime();
        ExecutorService sides = pool(SIDES_AT_A_TIME);
        ExecutorService addresses = pool(ADDRESSES_AT_A_TIME);
        ExecutorService names = pool(NAMES_AT_A_TIME);
        try {
            List<TargetCheck> checks =
                    targets.stream()
                            .map(
                                    target ->
                                            new TargetCheck(
                                                    target,
                                                    sendsTestMessage,
                                                    limits,
                                                    clock,
                                                    addresses,
                                                    names))
                            .toList();
            List<Future<?>> running = new ArrayList<>();
            checks.forEach(check -> running.add(sides.submit(check::look)));
            for (int i = 0; i < checks.size(); i++) {
                await(checks.get(i), running.get(i), began);
            }
            new PairComparison(checks).look();
            return new PreflightReport(
                    checks.stream().flatMap(check -> check.findings().all().stream()).toList(),
                    Duration.ofNanos(System.nanoTime() - began));
        } finally {
            sides.shutdownNow();
            addresses.shutdownNow();
            names.shutdownNow();
        }
    }

    private void await(TargetCheck check, Future<?> running, long began) {
        long left = limits.total().toNanos() - (System.nanoTime() - began);
        try {
            running.get(Math.max(0, left), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            running.cancel(true);
            broken(
                    check,
                    "not done within " + limits.total().toSeconds() + " s",
                    "look at fewer topic replications at a time, and at the lines above");
        } catch (ExecutionException e) {
            broken(check, Causes.shortest(e), "report this as a fault of the preflight");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            broken(check, "interrupted", "start it again");
        }
    }

    private static void broken(TargetCheck check, String found, String mend) {
        check.findings().add(TargetCheck.CLUSTER, Stage.CLUSTER, Verdict.fail(found, mend));
    }

    private static ExecutorService pool(int size) {
        AtomicInteger count = new AtomicInteger();
        ThreadFactory daemons =
                task -> {
                    Thread thread =
                            new Thread(task, "streamconnect-preflight-" + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                };
        return Executors.newFixedThreadPool(size, daemons);
    }
}
