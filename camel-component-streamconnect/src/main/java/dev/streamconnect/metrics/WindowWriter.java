package dev.streamconnect.metrics;

import dev.streamconnect.spi.MetricsRecord;
import dev.streamconnect.spi.MetricsStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts closed windows into the store on a thread of its own. While the store is down they wait
 * here, the oldest leave when there are too many, and an outage is one line when it begins and one
 * when it ends. A write that may have come through is repeated: the store keeps each window once.
 */
final class WindowWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WindowWriter.class);

    /** Windows that may wait: 500 topic replications for half an hour. */
    static final int MOST_WAITING = 15_000;

    /** Windows written by one call. */
    static final int AT_ONCE = 500;

    private static final Duration RETRY_MAX = Duration.ofSeconds(30);
    private static final Duration PURGE_EACH = Duration.ofHours(1);

    private final MetricsStore store;
    private final Duration retention;
    private final Clock clock;
    private final Duration retryFirst;
    private final ScheduledThreadPoolExecutor thread;
    private final ArrayDeque<MetricsRecord> waiting = new ArrayDeque<>();
    private boolean busy;
    private long left;
    private int failures;

    /**
     * @param retention how long the store keeps a window
     * @param retryFirst pause after the first failed write; doubles up to half a minute
     */
    WindowWriter(MetricsStore store, Duration retention, Clock clock, Duration retryFirst) {
        this.store = store;
        this.retention = retention;
        this.clock = clock;
        this.retryFirst = retryFirst;
        this.thread =
                new ScheduledThreadPoolExecutor(
                        1,
                        task -> {
                            Thread made = new Thread(task, "streamconnect-metrics-store");
                            made.setDaemon(true);
                            return made;
                        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        thread.scheduleWithFixedDelay(
                this::purge, 1, PURGE_EACH.toMillis() / 1_000, TimeUnit.SECONDS);
    }

    /** Takes windows to write; never blocks on the store. */
    void add(Collection<MetricsRecord> closed) {
        synchronized (waiting) {
            waiting.addAll(closed);
            while (waiting.size() > MOST_WAITING) {
                waiting.poll();
                left++;
            }
        }
        begin(Duration.ZERO);
    }

    private void begin(Duration delay) {
        synchronized (waiting) {
            if (busy || waiting.isEmpty()) {
                return;
            }
            busy = true;
        }
        try {
            thread.schedule(this::write, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("closed");
        }
    }

    private void write() {
        List<MetricsRecord> batch;
        synchronized (waiting) {
            batch = waiting.stream().limit(AT_ONCE).toList();
        }
        if (batch.isEmpty()) {
            return;
        }
        Duration delay = Duration.ZERO;
        try {
            store.add(batch);
            written(batch);
        } catch (RuntimeException e) {
            delay = failed(e);
        }
        synchronized (waiting) {
            busy = false;
            waiting.notifyAll();
        }
        begin(delay);
    }

    private void written(List<MetricsRecord> batch) {
        long lost;
        synchronized (waiting) {
            // Some of them may have left meanwhile, as the oldest of too many.
            for (MetricsRecord window : batch) {
                if (waiting.peek() == window) {
                    waiting.poll();
                }
            }
            lost = left;
            left = 0;
        }
        if (failures > 0) {
            LOG.info("metrics windows are stored again");
        }
        failures = 0;
        if (lost > 0) {
            LOG.warn("{} metrics windows are not stored: too many waited for the store", lost);
        }
    }

    private Duration failed(RuntimeException cause) {
        failures++;
        if (failures == 1) {
            LOG.warn("metrics windows can't be stored, tried again: {}", cause.toString());
        }
        LOG.debug("metrics windows can't be stored", cause);
        Duration delay = retryFirst.multipliedBy(1L << Math.min(failures - 1, 10));
        return delay.compareTo(RETRY_MAX) > 0 ? RETRY_MAX : delay;
    }

    private void purge() {
        try {
            store.purge(clock.instant().minus(retention));
        } catch (RuntimeException e) {
            LOG.debug("old metrics windows are deleted at the next hour", e);
        }
    }

    /** Ends, after what waits is written or the limit has passed. The store stays open. */
    void close(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        synchronized (waiting) {
            if (!waiting.isEmpty()) {
                // Not only after the pause of a retry.
                thread.execute(this::write);
            }
            try {
                while (!waiting.isEmpty() && System.nanoTime() < deadline) {
                    long millis = (deadline - System.nanoTime()) / 1_000_000;
                    waiting.wait(Math.max(1, millis));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (!waiting.isEmpty()) {
                LOG.warn(
                        "{} metrics windows are not stored: the store did not take them in time",
                        waiting.size());
            }
        }
        thread.shutdownNow();
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
