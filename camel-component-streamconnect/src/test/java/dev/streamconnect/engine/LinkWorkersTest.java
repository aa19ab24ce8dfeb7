package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LinkWorkersTest {

    /** The shared pool's queue; the test is its only thread. */
    private final Deque<Runnable> pool = new ArrayDeque<>();

    private final List<String> done = new ArrayList<>();

    private Runnable task(String name) {
        return () -> done.add(name);
    }

    private void runAll() {
        while (!pool.isEmpty()) {
            pool.remove().run();
        }
    }

    @Test
    @DisplayName("a link has no more than its share in the pool, and all is done in the end")
    void share() {
        LinkWorkers workers = new LinkWorkers(pool::add, 2);
        for (int i = 0; i < 10; i++) {
            workers.execute(task("a" + i));
            assertThat(pool.size()).isLessThanOrEqualTo(2);
        }
        while (!pool.isEmpty()) {
            pool.remove().run();
            assertThat(pool.size()).isLessThanOrEqualTo(2);
        }
        assertThat(done).hasSize(10).startsWith("a0", "a1", "a2");
    }

    @Test
    @DisplayName("links take turns: one with much to do does not keep a thread")
    void fairness() {
        LinkWorkers busy = new LinkWorkers(pool::add, 2);
        LinkWorkers other = new LinkWorkers(pool::add, 2);
        for (int i = 0; i < 100; i++) {
            busy.execute(task("busy"));
        }
        other.execute(task("other"));
        for (int i = 0; i < 3; i++) {
            pool.remove().run();
        }
        assertThat(done).containsExactly("busy", "busy", "other");
    }

    @Test
    @DisplayName("a task that throws costs neither its slot nor the task after it")
    void throwing() {
        LinkWorkers workers = new LinkWorkers(pool::add, 1);
        try (LogLines log = new LogLines(LinkWorkers.class.getName())) {
            workers.execute(
                    () -> {
                        throw new IllegalStateException("boom");
                    });
            workers.execute(
                    () -> {
                        throw new StackOverflowError("boom");
                    });
            workers.execute(task("after"));
            runAll();
            workers.execute(task("later"));
            runAll();
            assertThat(log.lines()).hasSize(2);
        }
        assertThat(done).containsExactly("after", "later");
    }

    @Test
    @DisplayName("a closed pool is told to the caller and takes no slot")
    void closedPool() {
        boolean[] isClosed = {true};
        LinkWorkers workers =
                new LinkWorkers(
                        task -> {
                            if (isClosed[0]) {
                                throw new RejectedExecutionException("closed");
                            }
                            pool.add(task);
                        },
                        1);
        assertThatThrownBy(() -> workers.execute(task("a")))
                .isInstanceOf(RejectedExecutionException.class);
        isClosed[0] = false;
        workers.execute(task("b"));
        workers.execute(task("c"));
        isClosed[0] = true;
        runAll();
        assertThat(done).containsExactly("b");
    }
}
