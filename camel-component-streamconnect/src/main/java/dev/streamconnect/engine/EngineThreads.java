package dev.streamconnect.engine;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The engine's own threads, all bounded: workers that run routes, one timer that never blocks, and
 * a few housekeeping threads for calls that block for seconds at most.
 */
final class EngineThreads implements AutoCloseable {

    private static final int WORKERS = 24;
    private static final int HOUSEKEEPERS = 4;

    private final ThreadPoolExecutor workers;
    private final ScheduledThreadPoolExecutor timer;
    private final ScheduledThreadPoolExecutor housekeeping;

    EngineThreads() {
        workers =
                new ThreadPoolExecutor(
                        WORKERS,
                        WORKERS,
                        30,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        named("worker"));
        workers.allowCoreThreadTimeOut(true);
        timer = new ScheduledThreadPoolExecutor(1, named("timer"));
        housekeeping = new ScheduledThreadPoolExecutor(HOUSEKEEPERS, named("housekeeping"));
        for (ScheduledThreadPoolExecutor scheduler : List.of(timer, housekeeping)) {
            scheduler.setRemoveOnCancelPolicy(true);
            scheduler.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        }
    }

    private static ThreadFactory named(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread =
                    new Thread(task, "streamconnect-" + name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    ExecutorService workers() {
        return workers;
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    ScheduledExecutorService housekeeping() {
        return housekeeping;
    }

    @Override
    public void close() {
        timer.shutdownNow();
        housekeeping.shutdownNow();
        workers.shutdown();
    }
}
