package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.ContextEngine;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the component does by itself while the context runs: it looks at the records, counts
 * undelivered messages of what is gone, and tries again what failed. Thread-safe.
 */
final class BackgroundTasks {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundTasks.class);

    /** What can't be built or started is tried again after this. */
    static final long RETRY_SECONDS = 15;

    private static final long COUNT_SECONDS = 60;

    /** Two, so that a store that is away holds up no change of the records. */
    private static final int THREADS = 2;

    private final ReplicationComponent component;
    private ScheduledExecutorService scheduler;
    private ScheduledFuture<?> watch;
    private ScheduledFuture<?> counting;
    private boolean retries;

    BackgroundTasks(ReplicationComponent component) {
        this.component = component;
    }

    /** Begins with what is wanted. Idempotent. */
    synchronized void start() {
        long interval = component.getRecordsInterval();
        if (watch == null && component.hasRecords() && interval > 0) {
            watch =
                    scheduler()
                            .scheduleWithFixedDelay(
                                    component.watch()::look,
                                    interval,
                                    interval,
                                    TimeUnit.MILLISECONDS);
        }
        if (counting == null && component.hasRecords() && hasStore()) {
            counting =
                    scheduler()
                            .scheduleWithFixedDelay(
                                    this::count, 0, COUNT_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Counts once more: the records have changed. */
    synchronized void countSoon() {
        if (hasStore()) {
            scheduler().execute(this::count);
        }
    }

    /** Runs the task in a moment. */
    synchronized void soon(Runnable task) {
        scheduler().schedule(task, RouteReload.LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Runs the task later, unless that is planned already. */
    synchronized void retry(Runnable task) {
        if (!retries) {
            retries = true;
            scheduler().schedule(() -> runRetry(task), RETRY_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void runRetry(Runnable task) {
        synchronized (this) {
            retries = false;
        }
        task.run();
    }

    private void count() {
        try {
            component.absentRows().count();
        } catch (RuntimeException e) {
            // An exception would end the schedule without a word.
            LOG.warn(
                    "undelivered messages of topic replications that are gone are not counted: {}",
                    BuiltRoutes.reason(e));
        }
    }

    private boolean hasStore() {
        return ContextEngine.of(component.getCamelContext()).hasStore();
    }

    private ScheduledExecutorService scheduler() {
        if (scheduler == null) {
            scheduler =
                    component
                            .getCamelContext()
                            .getExecutorServiceManager()
                            .newScheduledThreadPool(this, "StreamConnectBuiltRoutes", THREADS);
        }
        return scheduler;
    }

    /** Ends all of it. */
    void stop() {
        ScheduledExecutorService ending;
        synchronized (this) {
            ending = scheduler;
            scheduler = null;
            watch = null;
            counting = null;
            retries = false;
        }
        if (ending != null) {
            component.getCamelContext().getExecutorServiceManager().shutdownNow(ending);
        }
    }
}
