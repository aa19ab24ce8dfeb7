package dev.streamconnect.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * What a destination client has to send: shipments that wait at their topics, those in flight, and
 * what else its sender thread is asked to do.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A shipment is in exactly one place: waiting at its topic, in flight, at rest between two
 *       chunks while nothing new is sent, or given back to its listener.
 *   <li>What is put back goes before what waits, in the order in which it was shipped.
 *   <li>In flight is never more than the budget, and of one topic never more than half of it where
 *       there are others, by one chunk at most.
 * </ul>
 *
 * <p>Thread-safe: one lock guards it with its topics, is held for moments only, and is never held
 * while a listener or a monitor is told. {@link #take}, {@link #poll} and {@link #pause} are for
 * the sender thread alone.
 */
final class Outbox {

    /**
     * A shipment of which a chunk is with the producer.
     *
     * @param bytes what it takes of the budget, the same for all its chunks
     */
    private record Flight(ShipmentAttempt attempt, long bytes) {}

    private final String destination;
    private final long budget;
    private final Clock clock;
    private final Object lock = new Object();
    private final Map<String, DestinationTopic> topics = new LinkedHashMap<>();
    private final Map<Shipment, Flight> inFlight = new LinkedHashMap<>();
    private final ArrayDeque<Runnable> controls = new ArrayDeque<>();
    private final List<ShipmentAttempt> resting = new ArrayList<>();
    private boolean holding;
    private long inFlightBytes;
    private long acknowledgements;
    private int topicTurn;
    private volatile Pace pace = Pace.NONE;
    private final HeldBackTime heldBack = new HeldBackTime();

    /** How long nothing more may go, by the pace; 0 if it may. */
    private long paceNanos;

    private volatile boolean closed;

    /**
     * @param destination name for people
     * @param budget bytes that may be in flight
     */
    Outbox(String destination, long budget, Clock clock) {
        this.destination = destination;
        this.budget = budget;
        this.clock = clock;
    }

    /** What is taken from here goes no faster than that. */
    void pacedBy(Pace shared) {
        pace = shared;
    }

    Pace pace() {
        return pace;
    }

    // ---- any thread

    /** Has a topic looked at before anything is sent to it. */
    void register(String topicName, SizeLimit ownLimit, LinkMonitor monitor) {
        synchronized (lock) {
            DestinationTopic topic = topic(topicName, ownLimit);
            topic.monitors().add(monitor);
            if (topic.gate() == DestinationTopic.Gate.UNKNOWN && topic.doubtSince() == null) {
                topic.doubt(clock.instant());
            } else if (topic.gate() == DestinationTopic.Gate.CLOSED) {
                topic.nextProbe(clock.instant());
            }
        }
    }

    private DestinationTopic topic(String name, SizeLimit ownLimit) {
        return topics.computeIfAbsent(name, n -> new DestinationTopic(n, ownLimit));
    }

    void forget(String topicName, LinkMonitor monitor) {
        synchronized (lock) {
            DestinationTopic topic = topics.get(topicName);
            if (topic != null) {
                topic.monitors().remove(monitor);
            }
        }
    }

    /** Takes a shipment, or tells its listener why not. */
    void add(String topicName, SizeLimit ownLimit, Shipment shipment) {
        FailureVerdict refused = null;
        synchronized (lock) {
            DestinationTopic topic = topic(topicName, ownLimit);
            if (closed) {
                refused = closedVerdict();
            } else if (topic.gate() == DestinationTopic.Gate.CLOSED
                    && !topic.isProbeDue(clock.instant())) {
                refused = topic.closedBecause();
            } else {
                if (topic.gate() != DestinationTopic.Gate.OPEN && topic.doubtSince() == null) {
                    topic.doubt(clock.instant());
                }
                topic.waiting().add(shipment);
                lock.notifyAll();
            }
        }
        if (refused != null) {
            shipment.lastError(null);
            shipment.listener().failed(shipment, refused);
        }
    }

    /** Null while unknown. */
    String clusterId(String topicName) {
        synchronized (lock) {
            DestinationTopic topic = topics.get(topicName);
            return topic == null ? null : topic.clusterId();
        }
    }

    /** Has the sender thread do something before it sends more. */
    void control(Runnable control) {
        synchronized (lock) {
            controls.add(control);
            lock.notifyAll();
        }
    }

    /** Those who are told what concerns all topics. */
    Set<LinkMonitor> monitors() {
        Set<LinkMonitor> all = new HashSet<>();
        synchronized (lock) {
            topics.values().forEach(topic -> all.addAll(topic.monitors()));
        }
        return all;
    }

    boolean isClosed() {
        return closed;
    }

    /** Takes and sends nothing more; what is here waits for {@link #giveBackAll}. */
    void close() {
        closed = true;
        synchronized (lock) {
            lock.notifyAll();
        }
    }

    void giveBackAll() {
        List<Shipment> left = new ArrayList<>();
        synchronized (lock) {
            left.addAll(inFlight.keySet());
            inFlight.clear();
            resting.forEach(attempt -> left.add(attempt.shipment()));
            resting.clear();
            for (DestinationTopic topic : topics.values()) {
                left.addAll(topic.waiting());
                topic.waiting().clear();
            }
        }
        left.forEach(shipment -> shipment.listener().failed(shipment, closedVerdict()));
    }

    // ---- sender thread

    /**
     * Waits for the next thing to do; see {@link #poll}.
     *
     * @return null once it is closed
     */
    Runnable take(BiConsumer<DestinationTopic, Shipment> send) throws InterruptedException {
        synchronized (lock) {
            while (!closed) {
                Runnable next = poll(send);
                if (next != null) {
                    return next;
                }
                if (paceNanos > 0) {
                    TimeUnit.NANOSECONDS.timedWait(lock, paceNanos);
                } else {
                    lock.wait();
                }
            }
            return null;
        }
    }

    /**
     * The next thing to do: what it is asked to, or to send the next chunk of an open topic in
     * turn.
     *
     * @return null if there is nothing now
     */
    Runnable poll(BiConsumer<DestinationTopic, Shipment> send) {
        synchronized (lock) {
            Runnable control = controls.poll();
            DestinationTopic topic = control == null ? nextTopic() : null;
            if (topic == null) {
                return control;
            }
            Shipment next = topic.waiting().poll();
            return () -> send.accept(topic, next);
        }
    }

    /** The next open topic in turn that may have one more chunk in flight. */
    private DestinationTopic nextTopic() {
        paceNanos = 0;
        if (holding || inFlightBytes >= budget) {
            return null;
        }
        List<DestinationTopic> all = new ArrayList<>(topics.values());
        long share = all.size() == 1 ? budget : budget / 2;
        for (int i = 0; i < all.size(); i++) {
            DestinationTopic topic = all.get((topicTurn + i) % all.size());
            boolean hasRoom = topic.inFlightBytes() < share;
            if (topic.gate() == DestinationTopic.Gate.OPEN
                    && hasRoom
                    && !topic.waiting().isEmpty()) {
                paceNanos = pace.nanosToWait(this);
                if (paceNanos > 0) {
                    return null;
                }
                topicTurn = (topicTurn + i + 1) % all.size();
                return topic;
            }
        }
        return null;
    }

    /**
     * With a pace the next chunk of a shipment waits at its topic, so that the others have their
     * turn and the wait is no silence.
     *
     * @return false without a pace: it is to be sent now
     */
    boolean waitsForTurn(ShipmentAttempt done) {
        if (!pace.isOn()) {
            return false;
        }
        synchronized (lock) {
            leave(done);
            done.topic().waiting().addLast(done.shipment());
        }
        return true;
    }

    /**
     * Sends nothing new, so that what is in flight comes to its end.
     *
     * @param limit how long to wait for that; meanwhile what is asked for is done here
     * @param stop ends the waiting early
     */
    void holdUntilQuiet(Duration limit, BooleanSupplier stop) {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            Runnable control;
            synchronized (lock) {
                holding = true;
                long left = end - System.nanoTime();
                while (!closed && controls.isEmpty() && !inFlight.isEmpty() && left > 0) {
                    try {
                        TimeUnit.NANOSECONDS.timedWait(lock, left);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return;
                    }
                    left = end - System.nanoTime();
                }
                control = controls.poll();
            }
            if (control == null) {
                return;
            }
            control.run();
            if (stop.getAsBoolean()) {
                return;
            }
        }
    }

    /** True while nothing new is sent. */
    boolean isHolding() {
        synchronized (lock) {
            return holding;
        }
    }

    /** A chunk is acknowledged and the next one of its shipment has to wait. */
    void rest(ShipmentAttempt done) {
        synchronized (lock) {
            leave(done);
            resting.add(done);
        }
    }

    /** Sends again; what was at rest goes first. */
    void release() {
        synchronized (lock) {
            for (int i = resting.size() - 1; i >= 0; i--) {
                ShipmentAttempt attempt = resting.get(i);
                attempt.topic().waiting().addFirst(attempt.shipment());
            }
            resting.clear();
            holding = false;
            lock.notifyAll();
        }
    }

    /** Waits, but not for longer than until it is closed. */
    void pause(Duration delay) {
        long end = System.nanoTime() + delay.toNanos();
        synchronized (lock) {
            try {
                for (long left = delay.toNanos(); left > 0 && !closed; ) {
                    TimeUnit.NANOSECONDS.timedWait(lock, left);
                    left = end - System.nanoTime();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                closed = true;
            }
        }
    }

    /**
     * A chunk is about to be sent; the first of its shipment brings it into flight.
     *
     * @param bytes what it takes of the budget
     * @return why it may not be sent, and its shipment is in flight no more; null if it may
     */
    FailureVerdict enter(ShipmentAttempt attempt, long bytes) {
        Shipment shipment = attempt.shipment();
        synchronized (lock) {
            FailureVerdict refused =
                    closed
                            ? closedVerdict()
                            : isExpired(shipment, clock.instant())
                                    ? expiredVerdict()
                                    : shipment.heldBack();
            Flight before = inFlight.get(shipment);
            if (refused != null) {
                leave(attempt);
            } else if (before == null) {
                inFlight.put(shipment, new Flight(attempt, bytes));
                count(attempt.topic(), bytes);
            } else {
                inFlight.put(shipment, new Flight(attempt, before.bytes()));
            }
            return refused;
        }
    }

    private void leave(ShipmentAttempt attempt) {
        Flight flight = inFlight.remove(attempt.shipment());
        if (flight != null) {
            count(attempt.topic(), -flight.bytes());
        }
    }

    private void count(DestinationTopic topic, long bytes) {
        inFlightBytes += bytes;
        topic.addInFlightBytes(bytes);
    }

    /**
     * A chunk could not be sent, since the client does not know its topic: it waits again, and the
     * topic is in doubt.
     *
     * @param all whether every topic is
     */
    void notSent(ShipmentAttempt attempt, boolean all) {
        synchronized (lock) {
            leave(attempt);
            attempt.topic().waiting().addFirst(attempt.shipment());
            if (all) {
                topics.values().forEach(t -> t.doubt(clock.instant()));
            } else {
                attempt.topic().doubt(clock.instant());
            }
        }
    }

    /** A chunk got an error that leaves its shipment to its source. */
    void failed(ShipmentAttempt attempt, FailureVerdict verdict) {
        synchronized (lock) {
            leave(attempt);
            if (verdict instanceof FailureVerdict.TopicMissing
                    || verdict instanceof FailureVerdict.Unauthorized) {
                attempt.topic().close(verdict, clock.instant());
            } else if (verdict instanceof FailureVerdict.Transient) {
                attempt.topic().doubt(clock.instant());
            }
            lock.notifyAll();
        }
    }

    /** The chunks in flight, the oldest shipment first. */
    List<ShipmentAttempt> inFlight() {
        synchronized (lock) {
            return attempts();
        }
    }

    private List<ShipmentAttempt> attempts() {
        return inFlight.values().stream().map(Flight::attempt).toList();
    }

    /**
     * Their producer has ended: what is not acknowledged as a whole waits again, in order, before
     * what waits already.
     *
     * @param ended the oldest first
     * @return what is acknowledged as a whole, the oldest first
     */
    List<Shipment> putBack(List<ShipmentAttempt> ended) {
        List<Shipment> whole = new ArrayList<>();
        synchronized (lock) {
            // The newest first, each to the front, leaves the oldest in front.
            for (int i = ended.size() - 1; i >= 0; i--) {
                ShipmentAttempt attempt = ended.get(i);
                Shipment shipment = attempt.shipment();
                leave(attempt);
                if (shipment.acked() >= shipment.size()) {
                    whole.add(0, shipment);
                } else {
                    attempt.topic().waiting().addFirst(shipment);
                }
            }
        }
        return whole;
    }

    /** Nothing is known of any topic that is not closed before it is probed again. */
    void doubtAll() {
        synchronized (lock) {
            topics.values().stream()
                    .filter(topic -> topic.gate() != DestinationTopic.Gate.CLOSED)
                    .forEach(topic -> topic.doubt(clock.instant()));
        }
    }

    void probeAll() {
        synchronized (lock) {
            topics.values().forEach(topic -> topic.nextProbe(clock.instant()));
        }
    }

    // ---- acknowledgements: producer's I/O thread or sender thread

    void countAcknowledged(int records) {
        synchronized (lock) {
            acknowledgements += records;
        }
    }

    /** A chunk is acknowledged, and its shipment has more. */
    void goOn(ShipmentAttempt attempt, int records, Runnable sendNext) {
        synchronized (lock) {
            count(attempt, records);
            controls.add(sendNext);
            lock.notifyAll();
        }
    }

    /**
     * A chunk is acknowledged, and its shipment has come to its end.
     *
     * @param refused whether what comes next is refused by the topic's contract
     */
    void ended(ShipmentAttempt attempt, int records, boolean refused) {
        synchronized (lock) {
            count(attempt, records);
            leave(attempt);
            if (refused) {
                // Somebody may raise the limit: look at the contract again before the retry.
                attempt.topic().nextProbe(clock.instant());
            }
            lock.notifyAll();
        }
    }

    private void count(ShipmentAttempt attempt, int records) {
        acknowledgements += records;
        if (attempt.size() > 0) {
            attempt.topic().acknowledged(clock.millis() - attempt.sentAt());
        }
    }

    // ---- housekeeping threads

    /** How long chunks took since it was asked for last, by topic; of open topics only. */
    Map<String, AckTime> takeAckTimes() {
        Map<String, AckTime> times = new HashMap<>();
        long now = clock.millis();
        synchronized (lock) {
            for (DestinationTopic topic : topics.values()) {
                AckTime time = topic.takeAckTime();
                if (topic.gate() == DestinationTopic.Gate.OPEN) {
                    times.put(topic.name(), time);
                }
            }
            for (Flight flight : inFlight.values()) {
                long sentAt = flight.attempt().sentAt();
                if (sentAt > 0) {
                    times.computeIfPresent(
                            flight.attempt().topic().name(),
                            (name, time) -> time.waiting(now - sentAt));
                }
            }
        }
        return times;
    }

    boolean isOpen(String topicName) {
        synchronized (lock) {
            DestinationTopic topic = topics.get(topicName);
            return topic != null && topic.gate() == DestinationTopic.Gate.OPEN;
        }
    }

    /** True if nothing waits or is in flight. */
    boolean isIdle() {
        synchronized (lock) {
            return inFlight.isEmpty()
                    && topics.values().stream().allMatch(topic -> topic.waiting().isEmpty());
        }
    }

    SilenceWatch.Finding look(SilenceWatch silence) {
        synchronized (lock) {
            SilenceWatch.Finding finding =
                    silence.look(attempts(), topics.values(), acknowledgements, clock.instant());
            finding.ask().forEach(topic -> topic.nextProbe(clock.instant()));
            return finding;
        }
    }

    /** Tells the links whose shipments the pace lets wait. */
    void tellHeldBack() {
        long millis = heldBack.more(pace, clock.instant());
        if (millis == 0) {
            return;
        }
        Set<LinkMonitor> told = new HashSet<>();
        synchronized (lock) {
            topics.values().stream()
                    .filter(topic -> topic.gate() == DestinationTopic.Gate.OPEN)
                    .filter(topic -> !topic.waiting().isEmpty())
                    .forEach(topic -> told.addAll(topic.monitors()));
        }
        told.forEach(monitor -> monitor.heldBack(pace.reason(), millis));
    }

    /**
     * Gives back what waits longer than it may; only shipments without a source have a deadline.
     */
    void expire() {
        List<Shipment> expired = new ArrayList<>();
        Instant now = clock.instant();
        synchronized (lock) {
            for (DestinationTopic topic : topics.values()) {
                topic.waiting()
                        .removeIf(
                                shipment -> {
                                    boolean over = isExpired(shipment, now);
                                    if (over) {
                                        expired.add(shipment);
                                    }
                                    return over;
                                });
            }
        }
        expired.forEach(s -> s.listener().failed(s, expiredVerdict()));
    }

    private static boolean isExpired(Shipment shipment, Instant now) {
        return shipment.deadline() != null && shipment.deadline().isBefore(now);
    }

    /** Topics whose probe is due; it counts as begun. */
    List<DestinationTopic> takeDueForProbe() {
        List<DestinationTopic> due = new ArrayList<>();
        Instant now = clock.instant();
        synchronized (lock) {
            for (DestinationTopic topic : topics.values()) {
                if (topic.isWanted() && topic.isProbeDue(now)) {
                    topic.nextProbe(now.plus(DestinationTopic.PROBE_RETRY));
                    due.add(topic);
                }
            }
        }
        return due;
    }

    /**
     * Takes over what a probe saw of a topic.
     *
     * @param givenBack filled with what waited, where the topic is closed now
     */
    DestinationTopic.ProbeOutcome probed(
            DestinationTopic topic, TopicProbe.Result result, List<Shipment> givenBack) {
        synchronized (lock) {
            DestinationTopic.ProbeOutcome outcome = topic.probed(result, clock.instant());
            if (outcome == DestinationTopic.ProbeOutcome.CLOSED) {
                givenBack.addAll(topic.waiting());
                topic.waiting().clear();
            }
            lock.notifyAll();
            return outcome;
        }
    }

    private FailureVerdict expiredVerdict() {
        return new FailureVerdict.Transient(destination + " did not take the message in time");
    }

    private FailureVerdict closedVerdict() {
        return new FailureVerdict.Transient(destination + " is closed");
    }
}
