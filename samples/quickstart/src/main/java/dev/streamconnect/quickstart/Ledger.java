package dev.streamconnect.quickstart;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What was sent of one flow and what arrived of it, 18 bytes a message. Thread-safe.
 *
 * <p>A message is announced before it is sent, since it can arrive before its sender hears the
 * acknowledgement.
 */
final class Ledger {

    /** What an arrival means. */
    enum Arrival {
        FIRST,
        DUPLICATE,
        CHANGED,
        UNWANTED,
        UNKNOWN
    }

    /**
     * Messages that should have arrived and did not.
     *
     * @param lost those that the replicator has committed at the source: nothing reads them again
     * @param waiting those that still wait at the source or in the undelivered store
     */
    record Missing(long lost, long waiting) {

        Missing plus(Missing other) {
            return new Missing(lost + other.lost, waiting + other.waiting);
        }
    }

    private static final int PAGE = 1 << 16;
    private static final byte WANTED = 1;
    private static final byte SENT = 2;
    private static final byte ARRIVED = 4;
    private static final byte FOUND = 8;

    private static final class Page {
        final long[] fingerprints = new long[PAGE];
        final long[] offsets = new long[PAGE];
        final byte[] places = new byte[PAGE];
        final byte[] marks = new byte[PAGE];
    }

    private final List<Page> pages = new ArrayList<>();
    private int announced;
    private long sent;
    private long delivered;
    private long duplicates;
    private long wrong;

    /** Number that the next message will have. */
    synchronized int next() {
        return announced;
    }

    /**
     * Takes note of the next message.
     *
     * @param wanted whether it is to arrive
     */
    synchronized void announce(long fingerprint, boolean wanted) {
        if (announced % PAGE == 0) {
            pages.add(new Page());
        }
        page(announced).fingerprints[announced % PAGE] = fingerprint;
        if (wanted) {
            mark(announced, WANTED);
        }
        announced++;
    }

    /** The source has acknowledged a message. */
    synchronized void sent(int sequence) {
        mark(sequence, SENT);
        if (has(sequence, WANTED)) {
            sent++;
        }
    }

    /**
     * Where the source has a message.
     *
     * @param place its partition, {@link Flow#place}
     */
    synchronized void found(int sequence, int place, long offset) {
        if (sequence >= 0 && sequence < announced) {
            page(sequence).places[sequence % PAGE] = (byte) place;
            page(sequence).offsets[sequence % PAGE] = offset;
            mark(sequence, FOUND);
        }
    }

    /** A message has arrived. */
    synchronized Arrival arrived(int sequence, long fingerprint) {
        Arrival arrival = judge(sequence, fingerprint);
        switch (arrival) {
            case FIRST -> {
                mark(sequence, ARRIVED);
                delivered++;
            }
            case DUPLICATE -> duplicates++;
            case CHANGED, UNWANTED, UNKNOWN -> wrong++;
        }
        return arrival;
    }

    /** Messages that the source has acknowledged and that are to arrive. */
    synchronized long sent() {
        return sent;
    }

    /** Of them and unchanged, each counted once. */
    synchronized long delivered() {
        return delivered;
    }

    /** Arrivals beyond the first of a message. */
    synchronized long duplicates() {
        return duplicates;
    }

    /** Arrivals that are changed, not wanted, or never sent. */
    synchronized long wrong() {
        return wrong;
    }

    /** Whether all that was acknowledged by the source and is wanted has arrived. */
    synchronized boolean complete() {
        return delivered >= sent;
    }

    /**
     * Looks for what did not arrive. What the source does not have is lost, too.
     *
     * @param committed the replicator's position at the source, by place
     * @param stored offsets in the undelivered store, by place
     */
    synchronized Missing missing(Map<Integer, Long> committed, Map<Integer, Set<Long>> stored) {
        long lost = 0;
        long waiting = 0;
        for (int sequence = 0; sequence < announced; sequence++) {
            if (has(sequence, WANTED) && has(sequence, SENT) && !has(sequence, ARRIVED)) {
                Page page = page(sequence);
                int at = sequence % PAGE;
                int place = page.places[at];
                if (!has(sequence, FOUND)
                        || page.offsets[at] < committed.getOrDefault(place, 0L)
                                && !stored.getOrDefault(place, Set.of())
                                        .contains(page.offsets[at])) {
                    lost++;
                } else {
                    waiting++;
                }
            }
        }
        return new Missing(lost, waiting);
    }

    /** Whether a message has arrived unchanged. */
    synchronized boolean hasArrived(int sequence) {
        return has(sequence, ARRIVED);
    }

    private Arrival judge(int sequence, long fingerprint) {
        if (sequence < 0 || sequence >= announced) {
            return Arrival.UNKNOWN;
        }
        if (page(sequence).fingerprints[sequence % PAGE] != fingerprint) {
            return Arrival.CHANGED;
        }
        if (!has(sequence, WANTED)) {
            return Arrival.UNWANTED;
        }
        return has(sequence, ARRIVED) ? Arrival.DUPLICATE : Arrival.FIRST;
    }

    private Page page(int sequence) {
        return pages.get(sequence / PAGE);
    }

    private void mark(int sequence, byte mark) {
        page(sequence).marks[sequence % PAGE] |= mark;
    }

    private boolean has(int sequence, byte mark) {
        return (page(sequence).marks[sequence % PAGE] & mark) != 0;
    }
}
