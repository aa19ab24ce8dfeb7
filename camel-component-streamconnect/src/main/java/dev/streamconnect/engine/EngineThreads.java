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
 * a few threads each for housekeeping and for the undelivered store, whose calls block for seconds
 * at most.
 */
final class EngineThreads implements AutoCloseable {

    private static final int WORKERS = 24;
    private static final int HOUSEKEEPERS = 4;
    private static final int STORE_THREADS = 4;
    private static final int STORE_END_SECONDS = 10;

    private final ThreadPoolExecutor workers;
    private final ThreadPoolExecutor store;
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
        store =
                new ThreadPoolExecutor(
                        STORE_THREADS,
                        STORE_THREADS,
                        30,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        named("store"));
        store.allowCoreThreadTimeOut(true);
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

    /** Where calls of the undelivered store block. */
    ThreadPoolExecutor store() {
        return store;
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
        store.shutdown();
        try {
            // What a sender without a source gave back may be on its way into the store.
            store.awaitTermination(STORE_END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
