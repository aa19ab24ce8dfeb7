package dev.streamconnect.engine;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

/**
 * One topic of a destination client: whether it may be sent to, what it takes, and the shipments
 * that wait for their turn.
 *
 * <p>Guarded by the client's lock, except {@link #contract} and the monitors.
 */
final class DestinationTopic {

    /** Whether shipments may go out. */
    enum Gate {
        /** Not probed since the last doubt. */
        UNKNOWN,
        OPEN,
        /** The last probe said no; shipments are given back with its verdict. */
        CLOSED
    }

    static final String SCOPE = "destination";

    private final String name;
    private final SizeLimit ownLimit;
    private final Set<LinkMonitor> monitors = new CopyOnWriteArraySet<>();
    private final Deque<Shipment> waiting = new ArrayDeque<>();
    private volatile DestinationContract contract;
    private Gate gate = Gate.UNKNOWN;
    private FailureVerdict closedBecause;
    private Instant nextProbe = Instant.EPOCH;
    private int failedProbes;
    private boolean neverSeen = true;
    private Instant doubtSince;
    private long inFlightBytes;
    private boolean oddTimestampTold;

    DestinationTopic(String name, SizeLimit ownLimit) {
        this.name = name;
        this.ownLimit = ownLimit;
        this.contract = DestinationContract.unread(ownLimit);
    }

    String name() {
        return name;
    }

    /** Our own size rule. */
    SizeLimit ownLimit() {
        return ownLimit;
    }

    DestinationContract contract() {
        return contract;
    }

    void contract(DestinationContract read) {
        contract = read;
    }

    Set<LinkMonitor> monitors() {
        return monitors;
    }

    Deque<Shipment> waiting() {
        return waiting;
    }

    /** False if nobody waits for it or watches it: it is not probed then. */
    boolean isWanted() {
        return !waiting.isEmpty() || !monitors.isEmpty();
    }

    Gate gate() {
        return gate;
    }

    FailureVerdict closedBecause() {
        return closedBecause;
    }

    /** True before the first answer of the cluster that it is there, or that it is not. */
    boolean isNeverSeen() {
        return neverSeen;
    }

    void open(Instant nextProbeAt) {
        neverSeen = false;
        gate = Gate.OPEN;
        closedBecause = null;
        doubtSince = null;
        failedProbes = 0;
        nextProbe = nextProbeAt;
    }

    void close(FailureVerdict verdict, Instant nextProbeAt) {
        neverSeen = false;
        gate = Gate.CLOSED;
        doubtSince = null;
        closedBecause = verdict;
        nextProbe = nextProbeAt;
    }

    /** Nothing goes out before the next probe. */
    void doubt(Instant now) {
        gate = Gate.UNKNOWN;
        nextProbe = now;
        if (doubtSince == null) {
            doubtSince = now;
        }
    }

    /** When the topic came into doubt; null if it is not. */
    Instant doubtSince() {
        return doubtSince;
    }

    boolean isProbeDue(Instant now) {
        return !now.isBefore(nextProbe);
    }

    void nextProbe(Instant at) {
        nextProbe = at;
    }

    int countFailedProbe() {
        return ++failedProbes;
    }

    /** True at the first call only. Sender thread. */
    boolean isFirstOddTimestamp() {
        boolean first = !oddTimestampTold;
        oddTimestampTold = true;
        return first;
    }

    long inFlightBytes() {
        return inFlightBytes;
    }

    void addInFlightBytes(long change) {
        inFlightBytes += change;
    }
}
