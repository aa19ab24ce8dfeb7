package dev.streamconnect.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

/**
 * One topic of a destination client: whether it may be sent to, what it takes, and the shipments
 * that wait for their turn.
 *
 * <p>Guarded by the lock of its {@link Outbox}, except {@link #contract} and the monitors.
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

    /** What a probe changed, and who is to be told. */
    enum ProbeOutcome {
        /** It was closed, or in doubt since it was closed, and is open. */
        OPENED,
        OPEN,
        CLOSED,
        /** Nothing is known for certain: it is probed again soon. */
        IN_DOUBT
    }

    static final String SCOPE = "destination";

    /** A topic in doubt is probed again after this. */
    static final Duration PROBE_RETRY = Duration.ofSeconds(1);

    private static final Backoff CLOSED_PROBES = new Backoff(PROBE_RETRY, Duration.ofSeconds(30));

    /** An open topic is looked at so often, since its settings may change. */
    private static final Duration CONTRACT_AGE = Duration.ofSeconds(60);

    /** Without its settings it is looked at so often, since the right may be given. */
    private static final Duration UNREAD_AGE = Duration.ofSeconds(30);

    /** A topic that was never seen may be unknown for so long before it is missing. */
    private static final Duration JUST_CREATED = Duration.ofSeconds(3);

    private final String name;
    private final SizeLimit ownLimit;
    private final Set<LinkMonitor> monitors = new CopyOnWriteArraySet<>();
    private final Deque<Shipment> waiting = new ArrayDeque<>();
    private volatile DestinationContract contract;
    private Gate gate = Gate.UNKNOWN;
    private FailureVerdict closedBecause;
    private Instant nextProbe = Instant.EPOCH;
    private int failedProbes;

    /** True before the first answer of the cluster that it is there, or that it is not. */
    private boolean neverSeen = true;

    private Instant doubtSince;
    private String clusterId;
    private long inFlightBytes;
    private AckTime ackTime = AckTime.NONE;
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

    /** Of the last probe that saw it; null while unknown. */
    String clusterId() {
        return clusterId;
    }

    DestinationContract contract() {
        return contract;
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

    /** Takes over what a probe saw; the shipments that wait stay. */
    ProbeOutcome probed(TopicProbe.Result result, Instant now) {
        if (result.isUsable()) {
            // Also where somebody's shipment has brought it from closed into doubt meanwhile.
            boolean opened = closedBecause != null;
            contract =
                    result.config() == null
                            ? DestinationContract.unread(ownLimit)
                            : DestinationContract.of(result.config(), ownLimit);
            clusterId = result.clusterId() == null ? clusterId : result.clusterId();
            open(now);
            return opened ? ProbeOutcome.OPENED : ProbeOutcome.OPEN;
        }
        if (result.failure() instanceof FailureVerdict.Transient
                || isMaybeNew(result.failure(), now)) {
            nextProbe = now.plus(PROBE_RETRY);
            return ProbeOutcome.IN_DOUBT;
        }
        close(result.failure(), now);
        return ProbeOutcome.CLOSED;
    }

    /** A topic that was just created is unknown for a moment. */
    private boolean isMaybeNew(FailureVerdict failure, Instant now) {
        return failure instanceof FailureVerdict.TopicMissing
                && neverSeen
                && doubtSince != null
                && doubtSince.plus(JUST_CREATED).isAfter(now);
    }

    private void open(Instant now) {
        neverSeen = false;
        gate = Gate.OPEN;
        closedBecause = null;
        doubtSince = null;
        failedProbes = 0;
        nextProbe = now.plus(contract.readable() ? CONTRACT_AGE : UNREAD_AGE);
    }

    /** Nothing can be sent to it; it is probed again, later each time. */
    void close(FailureVerdict verdict, Instant now) {
        neverSeen = false;
        gate = Gate.CLOSED;
        doubtSince = null;
        closedBecause = verdict;
        nextProbe = now.plus(CLOSED_PROBES.delay(++failedProbes));
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

    /** True at the first call only. Sender thread. */
    boolean isFirstOddTimestamp() {
        boolean first = !oddTimestampTold;
        oddTimestampTold = true;
        return first;
    }

    /** A chunk was acknowledged so long after it was sent. */
    void acknowledged(long millis) {
        ackTime = ackTime.plus(Math.max(0, millis));
    }

    /** What was seen since it was asked for last. */
    AckTime takeAckTime() {
        AckTime taken = ackTime;
        ackTime = AckTime.NONE;
        return taken;
    }

    long inFlightBytes() {
        return inFlightBytes;
    }

    void addInFlightBytes(long change) {
        inFlightBytes += change;
    }
}
