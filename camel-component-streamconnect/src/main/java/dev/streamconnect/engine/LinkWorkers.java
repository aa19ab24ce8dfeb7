package dev.streamconnect.engine;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A link's share of the engine's workers: so many at once, the rest in turn, so that a slow route
 * cannot take all. After each task the link queues up behind the others.
 */
final class LinkWorkers {

    private static final Logger LOG = LoggerFactory.getLogger(LinkWorkers.class);

    private final Executor shared;
    private final int share;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int running;

    LinkWorkers(Executor shared, int share) {
        this.shared = shared;
        this.share = share;
    }

    /**
     * @throws RejectedExecutionException if the shared workers are closed
     */
    void execute(Runnable task) {
        synchronized (this) {
            if (running >= share) {
                waiting.add(task);
                return;
            }
            running++;
        }
        submit(task);
    }

    private void submit(Runnable task) {
        try {
            shared.execute(() -> runOne(task));
        } catch (RejectedExecutionException e) {
            synchronized (this) {
                running--;
            }
            throw e;
        }
    }

    private void runOne(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("a worker's task failed, going on with the next", e);
        }
        Runnable next;
        synchronized (this) {
            next = waiting.poll();
            if (next == null) {
                running--;
            }
        }
        if (next != null) {
            submitUnlessClosed(next);
        }
    }

    private void submitUnlessClosed(Runnable task) {
        try {
            submit(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("the workers are closed");
        }
    }
}
