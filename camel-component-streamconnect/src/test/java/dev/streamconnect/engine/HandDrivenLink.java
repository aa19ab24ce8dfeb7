package dev.streamconnect.engine;

import dev.streamconnect.spi.UndeliveredStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A link whose destination, workers and timer are moved by the test, on the test's own thread. */
final class HandDrivenLink extends KafkaLink {

    /** It starts no thread before something is submitted, and nothing is. */
    private static final EngineThreads UNUSED = new EngineThreads();

    final List<Shipment> shipped = new ArrayList<>();
    final Deque<Runnable> timers = new ArrayDeque<>();
    final Deque<Delivery> inRoute;
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final boolean hasDestination;

    private HandDrivenLink(
            LinkOptions options,
            Clock clock,
            Deque<Delivery> inRoute,
            boolean hasDestination,
            Undelivered undelivered) {
        super(
                Fixtures.link("orders-to-sn", options),
                inRoute::add,
                null,
                UNUSED,
                clock,
                undelivered,
                (link, limit) -> {});
        this.inRoute = inRoute;
        this.hasDestination = hasDestination;
    }

    static HandDrivenLink with(LinkOptions options, Clock clock) {
        return new HandDrivenLink(options, clock, new ArrayDeque<>(), true, null);
    }

    /** With a store whose calls are made when the test takes them from the queue. */
    static HandDrivenLink with(
            LinkOptions options,
            Clock clock,
            UndeliveredStore store,
            boolean holdsKeys,
            int maxAttempts,
            Deque<Runnable> storeCalls) {
        return with(options, clock, store, holdsKeys, maxAttempts, storeCalls::add);
    }

    /** With a store whose calls are made at once. */
    static HandDrivenLink with(
            LinkOptions options,
            Clock clock,
            UndeliveredStore store,
            boolean holdsKeys,
            int maxAttempts) {
        return with(options, clock, store, holdsKeys, maxAttempts, Runnable::run);
    }

    private static HandDrivenLink with(
            LinkOptions options,
            Clock clock,
            UndeliveredStore store,
            boolean holdsKeys,
            int maxAttempts,
            Executor calls) {
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>()) {
                    @Override
                    public void execute(Runnable task) {
                        calls.execute(task);
                    }
                };
        RetryPolicy policy =
                new RetryPolicy(
                        Duration.ofMinutes(1),
                        Duration.ofHours(1),
                        maxAttempts,
                        Duration.ofDays(7));
        return new HandDrivenLink(
                options,
                clock,
                new ArrayDeque<>(),
                true,
                new Undelivered(store, policy, holdsKeys, threads));
    }

    static HandDrivenLink withoutDestination(LinkOptions options, Clock clock) {
        return new HandDrivenLink(options, clock, new ArrayDeque<>(), false, null);
    }

    @Override
    boolean hasDestination() {
        return hasDestination;
    }

    @Override
    void ship(Shipment shipment) {
        shipped.add(shipment);
    }

    @Override
    void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    void later(Runnable task, Duration delay) {
        timers.add(task);
    }

    /** Runs what the workers have to do; the route then has the deliveries. */
    void work() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Lets every back-off that is running now pass. */
    void passBackoffs() {
        List<Runnable> due = new ArrayList<>(timers);
        timers.clear();
        due.forEach(Runnable::run);
        work();
    }

    Shipment lastShipped() {
        return shipped.get(shipped.size() - 1);
    }

    /** The destination acknowledges so many more records from the front of the last shipment. */
    void acknowledge(int records) {
        Shipment shipment = lastShipped();
        int from = shipment.acked();
        shipment.ackRange(from, from + records);
        shipment.listener()
                .progressed(shipment, records, shipment.bytesBetween(from, from + records));
        if (shipment.acked() == shipment.size()) {
            shipment.listener().delivered(shipment);
        }
        work();
    }

    void acknowledgeAll() {
        acknowledge(lastShipped().size() - lastShipped().acked());
    }

    /** Also what is shipped because of it. */
    void acknowledgeEverything() {
        while (lastShipped().acked() < lastShipped().size()) {
            acknowledgeAll();
        }
    }

    void refuse(FailureVerdict verdict) {
        lastShipped().listener().failed(lastShipped(), verdict);
    }

    /** Values of a shipment's records. */
    static List<String> values(Shipment shipment) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < shipment.size(); i++) {
            values.add(Fixtures.text(shipment.value(i)));
        }
        return values;
    }
}
