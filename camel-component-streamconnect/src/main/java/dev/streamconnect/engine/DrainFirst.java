package dev.streamconnect.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which messages of the two sides may be handed out, where the older side goes first ({@code
 * failoverOrder=drainFirst}). See docs/decisions/013-both-sides.md.
 *
 * <p>Invariants, but for what {@code drainLimit} lets go:
 *
 * <ul>
 *   <li>A message is handed out only when no message of the other side is known that is older by
 *       its timestamp and not settled.
 *   <li>Nor before each partition of the other side is settled to the end that its broker told when
 *       it was asked for this message, or has a message at its head to compare with. So what was
 *       written before is delivered before, also where it was not read yet, and also where another
 *       node reads it.
 *   <li>An answer holds for {@link #LEASE}: what is written to the other side and back to this one
 *       within that time can be out of order.
 * </ul>
 *
 * <p>Thread-safe. Flows call in under their own lock, so nothing here calls a flow.
 */
final class DrainFirst {

    /** Asks a side's broker for the ends of its partitions. */
    interface Ends {

        /**
         * Never blocks.
         *
         * @param side A or B
         * @param answer to be told; not at all if the side can't be asked now
         */
        void ask(String side, Answer answer);
    }

    /** What a side's broker tells. */
    interface Answer {

        /**
         * @param ends the end of each partition; none where the topic is not on that side
         * @param committed the group's positions in partitions that others read; without those that
         *     have none
         */
        void ends(Map<Integer, Long> ends, Map<Integer, Long> committed);
    }

    /** The head of a partition without an unsettled message. */
    static final long NO_HEAD = Long.MAX_VALUE;

    static final String SCOPE = "drain first";

    private static final Logger LOG = LoggerFactory.getLogger(DrainFirst.class);

    static final Duration LEASE = Duration.ofSeconds(1);

    private static final Duration ASK_AGAIN = Duration.ofMillis(500);

    /** Messages wait for so long before the state says so. */
    private static final Duration QUIET = Duration.ofSeconds(5);

    private final String id;
    private final Duration limit;
    private final LinkMonitor monitor;
    private final Clock clock;
    private final Ends ends;
    private final Side a = new Side("A");
    private final Side b = new Side("B");

    /** The side that was not read to its end in time; null while all is in order. */
    private Side late;

    private static final class Side {
        private final String name;
        private final Map<Integer, Partition> partitions = new HashMap<>();

        /** Asked and not answered, or its answer is not fulfilled yet. */
        private Inquiry asked;

        /** The last one that was fulfilled. */
        private Inquiry known;

        Side(String name) {
            this.name = name;
        }

        long head() {
            return partitions.values().stream().mapToLong(p -> p.head).min().orElse(NO_HEAD);
        }
    }

    private static final class Partition {
        private long settled = -1;
        private long head = NO_HEAD;
        private long newest = Long.MIN_VALUE;
        private Instant waitsSince;
    }

    /** A question for the ends of a side. */
    private static final class Inquiry {
        private final Side side;
        private final Instant begun;
        private final Map<Integer, Long> covered = new HashMap<>();
        private Instant askedAt;
        private Map<Integer, Long> ends;
        private Map<Integer, Long> committed;

        /**
         * @param other what was read of the other side up to now is what the answer is for
         */
        Inquiry(Side side, Side other, Instant now) {
            this.side = side;
            this.begun = now;
            this.askedAt = now;
            other.partitions.forEach((number, one) -> covered.put(number, one.newest));
        }

        /** Up to which timestamp it lets a partition of the other side go. */
        long covers(int partition, Instant now) {
            return begun.plus(LEASE).isAfter(now)
                    ? Long.MAX_VALUE
                    : covered.getOrDefault(partition, Long.MIN_VALUE);
        }

        boolean isFresh(Instant now) {
            return begun.plus(LEASE.dividedBy(2)).isAfter(now);
        }

        /**
         * Whether nothing can come of that side that is older than what waits.
         *
         * @param headsCount true takes a partition for done that has a message at its head: it is
         *     compared on its own
         */
        boolean isDone(boolean headsCount) {
            return ends != null
                    && ends.entrySet().stream()
                            .allMatch(end -> isDone(end.getKey(), end.getValue(), headsCount));
        }

        private boolean isDone(int number, long end, boolean headsCount) {
            Partition own = side.partitions.get(number);
            if (own != null) {
                return own.settled >= end || headsCount && own.head != NO_HEAD;
            }
            return end == 0 || committed.getOrDefault(number, -1L) >= end;
        }

        /** Others may have moved on; how far we are ourselves is told without a question. */
        boolean wantsAsking(Instant now) {
            boolean others =
                    ends == null
                            || ends.keySet().stream()
                                    .anyMatch(number -> !side.partitions.containsKey(number));
            return others && !askedAt.plus(ASK_AGAIN).isAfter(now);
        }
    }

    DrainFirst(String id, Duration limit, LinkMonitor monitor, Clock clock, Ends ends) {
        this.id = id;
        this.limit = limit;
        this.monitor = monitor;
        this.clock = clock;
        this.ends = ends;
    }

    // ---- told by the flows

    synchronized void assigned(String side, int partition) {
        side(side).partitions.put(partition, new Partition());
    }

    /** Its messages are read again by somebody. */
    synchronized void left(String side, int partition) {
        side(side).partitions.remove(partition);
    }

    /**
     * A partition's first message that is not settled.
     *
     * @param settled everything below this offset is; -1 before there is a position
     * @param head its timestamp, {@link #NO_HEAD} if none is here
     * @param newest timestamp of the last message that is here; any if there is none
     * @return true if messages of the other side may go on now
     */
    synchronized boolean moved(String side, int partition, long settled, long head, long newest) {
        Side own = side(side);
        Partition moved = own.partitions.get(partition);
        if (moved == null) {
            return false;
        }
        moved.newest = newest;
        if (moved.settled == settled && moved.head == head) {
            return false;
        }
        moved.settled = settled;
        moved.head = head;
        if (head == NO_HEAD) {
            moved.waitsSince = null;
        }
        return waits(other(own));
    }

    /**
     * How far a partition may be handed out.
     *
     * @param head timestamp of its first message that is not handed out
     * @return up to this timestamp; below the head if it waits, and is then asked again when
     *     something has moved
     */
    long bound(String side, int partition, long head) {
        Inquiry question = null;
        long bound;
        synchronized (this) {
            if (late != null) {
                return Long.MAX_VALUE;
            }
            Instant now = clock.instant();
            Side own = side(side);
            Side other = other(own);
            if (other.asked != null && other.asked.isDone(true)) {
                other.known = other.asked;
                other.asked = null;
            }
            boolean known = other.known != null && other.known.isDone(true);
            // One of two of the same age has to be first.
            bound = other.head() - (own == a || other.head() == NO_HEAD ? 0 : 1);
            bound = Math.min(bound, known ? other.known.covers(partition, now) : Long.MIN_VALUE);
            if (other.asked == null && (head > bound || !other.known.isFresh(now))) {
                question = new Inquiry(other, own, now);
                other.asked = question;
            }
            Partition waiting = own.partitions.get(partition);
            if (waiting != null && head <= bound) {
                waiting.waitsSince = null;
            } else if (waiting != null && waiting.waitsSince == null) {
                waiting.waitsSince = now;
            }
        }
        if (question != null) {
            ask(question);
        }
        return bound;
    }

    // ---- questions and limits

    private void ask(Inquiry inquiry) {
        ends.ask(
                inquiry.side.name,
                (told, committed) -> {
                    synchronized (this) {
                        // What was written after the question does not count.
                        if (inquiry.ends == null) {
                            inquiry.ends = Map.copyOf(told);
                        }
                        inquiry.committed = Map.copyOf(committed);
                    }
                });
    }

    /**
     * Looks at what waits; called several times a second.
     *
     * @param paused true if nothing is handed out anyway
     */
    void tick(boolean paused) {
        Inquiry[] again = new Inquiry[2];
        synchronized (this) {
            Instant now = clock.instant();
            if (paused) {
                forgiveWaiting(now);
            }
            if (late != null) {
                endLateness();
            } else if (isOver(a, limit, now)) {
                begin(b, now);
            } else if (isOver(b, limit, now)) {
                begin(a, now);
            } else {
                tellWaiting(now);
            }
            again[0] = due(a, now);
            again[1] = due(b, now);
        }
        for (Inquiry inquiry : again) {
            if (inquiry != null) {
                ask(inquiry);
            }
        }
    }

    private void forgiveWaiting(Instant now) {
        for (Side side : new Side[] {a, b}) {
            side.partitions.values().stream()
                    .filter(each -> each.waitsSince != null)
                    .forEach(each -> each.waitsSince = now);
        }
    }

    private Inquiry due(Side side, Instant now) {
        boolean due = side.asked != null && side.asked.wantsAsking(now);
        if (due) {
            side.asked.askedAt = now;
        }
        return due ? side.asked : null;
    }

    private void begin(Side notDrained, Instant now) {
        late = notDrained;
        for (Side side : new Side[] {a, b}) {
            side.asked = null;
            side.known = null;
            side.partitions.values().forEach(each -> each.waitsSince = null);
        }
        late.asked = new Inquiry(late, other(late), now);
        // Asked for at once, and again and again.
        late.asked.askedAt = Instant.EPOCH;
        monitor.counters().drainLimitHit();
        String why =
                "side "
                        + late.name
                        + " was not read to its end within "
                        + StateRules.seconds(limit)
                        + " s: until it is, messages of both sides go on as they come";
        new LinkLog(LOG, id).warn("{}: {}", id, why);
        monitor.problem(SCOPE, new Problem(LinkState.DEGRADED, why, now, true));
    }

    private void endLateness() {
        if (late.asked.isDone(false)) {
            new LinkLog(LOG, id)
                    .info(
                            "{}: side {} is read to its end, messages are in order again",
                            id,
                            late.name);
            late.asked = null;
            late = null;
            monitor.clear(SCOPE);
        }
    }

    private void tellWaiting(Instant now) {
        Side waiting = isOver(a, QUIET, now) ? a : isOver(b, QUIET, now) ? b : null;
        if (waiting == null) {
            monitor.clear(SCOPE);
            return;
        }
        String why =
                "messages of side "
                        + waiting.name
                        + " wait until side "
                        + other(waiting).name
                        + " is read to its end, "
                        + StateRules.seconds(limit)
                        + " s at most";
        monitor.problem(SCOPE, new Problem(LinkState.DEGRADED, why, now, false));
    }

    private static boolean isOver(Side side, Duration limit, Instant now) {
        return side.partitions.values().stream()
                .anyMatch(p -> p.waitsSince != null && StateRules.isOver(limit, p.waitsSince, now));
    }

    private static boolean waits(Side side) {
        return side.partitions.values().stream().anyMatch(p -> p.waitsSince != null);
    }

    private Side side(String name) {
        return name.equals(a.name) ? a : b;
    }

    private Side other(Side side) {
        return side == a ? b : a;
    }
}
