package dev.streamconnect.engine;

import dev.streamconnect.record.StartFrom;
import dev.streamconnect.spi.UndeliveredStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    /** Questions for the end of a side that have no answer yet. */
    final Map<String, DrainFirst.Answer> questions = new HashMap<>();

    private HandDrivenLink(
            LinkDefinition definition,
            Clock clock,
            Deque<Delivery> inRoute,
            boolean hasDestination,
            Undelivered undelivered) {
        super(definition, inRoute::add, null, UNUSED, clock, undelivered, (link, limit) -> {});
        this.inRoute = inRoute;
        this.hasDestination = hasDestination;
    }

    private static LinkDefinition definition(LinkOptions options) {
        return Fixtures.link("orders-to-sn", options);
    }

    static HandDrivenLink with(LinkOptions options, Clock clock) {
        return with(definition(options), clock);
    }

    static HandDrivenLink with(LinkDefinition definition, Clock clock) {
        return new HandDrivenLink(definition, clock, new ArrayDeque<>(), true, null);
    }

    /** That reads both sides of Hermes. */
    static HandDrivenLink ofPair(PairOptions pair, Clock clock) {
        LinkDefinition definition =
                new LinkDefinition(
                        "orders-from-sn",
                        List.of(Fixtures.SIDE_A, Fixtures.SIDE_B),
                        "snc.acme.orders",
                        StartFrom.EARLIEST,
                        Fixtures.PLANT,
                        "orders",
                        LinkOptions.defaults(true, pair, PositionPolicy.DEFAULT));
        return new HandDrivenLink(definition, clock, new ArrayDeque<>(), true, null);
    }

    @Override
    void askEnds(String side, DrainFirst.Answer answer) {
        questions.put(side, answer);
    }

    /** The side's broker answers, if it was asked. */
    void tellEnds(String side, Map<Integer, Long> ends, Map<Integer, Long> committed) {
        DrainFirst.Answer answer = questions.remove(side);
        if (answer != null) {
            answer.ends(ends, committed);
            scheduleAll();
            work();
        }
    }

    /** With a store whose calls are made when the test takes them from the queue. */
    static HandDrivenLink with(
            LinkOptions options,
            Clock clock,
            UndeliveredStore store,
            boolean holdsKeys,
            int maxAttempts,
            Deque<Runnable> storeCalls) {
        return with(definition(options), clock, store, holdsKeys, maxAttempts, storeCalls::add);
    }

    /** With a store whose calls are made at once. */
    static HandDrivenLink with(
            LinkOptions options,
            Clock clock,
            UndeliveredStore store,
            boolean holdsKeys,
            int maxAttempts) {
        return with(definition(options), clock, store, holdsKeys, maxAttempts);
    }

    static HandDrivenLink with(
            LinkDefinition definition,
            Clock clock,
            UndeliveredStore store,
            boolean holdsKeys,
            int maxAttempts) {
        return with(definition, clock, store, holdsKeys, maxAttempts, Runnable::run);
    }

    private static HandDrivenLink with(
            LinkDefinition definition,
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
                definition,
                clock,
                new ArrayDeque<>(),
                true,
                new Undelivered(store, policy, holdsKeys, threads));
    }

    static HandDrivenLink withoutDestination(LinkOptions options, Clock clock) {
        return new HandDrivenLink(definition(options), clock, new ArrayDeque<>(), false, null);
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
