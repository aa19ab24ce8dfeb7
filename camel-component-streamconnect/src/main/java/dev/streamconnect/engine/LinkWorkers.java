package dev.streamconnect.engine;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/**
 * A link's share of the engine's workers: so many at once, the rest in turn, so that a slow route
 * cannot take all.
 */
final class LinkWorkers {

    private final Executor shared;
    private final int share;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int running;

    LinkWorkers(Executor shared, int share) {
        this.shared = shared;
        this.share = share;
    }

    void execute(Runnable task) {
        synchronized (this) {
            if (running >= share) {
                waiting.add(task);
                return;
            }
            running++;
        }
        shared.execute(() -> runAndGoOn(task));
    }

    private void runAndGoOn(Runnable first) {
        Runnable task = first;
        while (task != null) {
            try {
                task.run();
            } finally {
                synchronized (this) {
                    task = waiting.poll();
                    if (task == null) {
                        running--;
                    }
                }
            }
        }
    }
}
