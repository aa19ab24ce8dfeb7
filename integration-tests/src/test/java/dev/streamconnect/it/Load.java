package dev.streamconnect.it;

import java.util.List;

/** Traffic that goes on, in turn through several topics, until it is ended. */
final class Load implements AutoCloseable {

    private static final int PART = 100;

    private final List<Traffic> all;
    private final Thread thread;
    private volatile boolean ending;
    private volatile RuntimeException failure;

    /**
     * @param perSecond messages, of all topics together
     */
    Load(int perSecond, Traffic... all) {
        this.all = List.of(all);
        this.thread = new Thread(() -> run(perSecond), "load");
        thread.start();
    }

    private void run(int perSecond) {
        try {
            while (!ending) {
                all.forEach(traffic -> traffic.send(PART, perSecond));
            }
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    /**
     * Sends nothing more.
     *
     * @throws RuntimeException that of a message that was refused
     */
    void end() throws InterruptedException {
        ending = true;
        thread.join();
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void close() throws InterruptedException {
        ending = true;
        thread.join();
        all.forEach(Traffic::close);
    }
}
