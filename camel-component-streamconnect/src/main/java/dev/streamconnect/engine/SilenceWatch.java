package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees an outage by silence, since a Kafka producer reports none for minutes: chunks that are in
 * flight and get no acknowledgement, topics that can't be probed. An outage is one log line when it
 * begins and one when it ends. Before a client's first acknowledgement it is more patient: a
 * connection that is just made, on a machine that just starts, takes its time.
 *
 * <p>{@link #look} under the client's lock, {@link #tell} outside; both by one housekeeping thread
 * at a time.
 */
final class SilenceWatch {

    private static final Logger LOG = LoggerFactory.getLogger(SilenceWatch.class);

    /** What is wrong with the address is looked at again so often while an outage lasts. */
    private static final Duration EXPLAIN_AGAIN = Duration.ofSeconds(30);

    /** Problem scope of links whose messages get no acknowledgement. */
    static final String SCOPE = DestinationTopic.SCOPE + " silent";

    /**
     * What a look found.
     *
     * @param silent topics in which something waits and nothing is acknowledged
     * @param answering topics that were silent and are no more
     * @param ask topics that will soon be silent: a probe tells whether it is they or the cluster
     * @param outage true if nothing at all is acknowledged by this connection
     * @param since when the silence began; null if nothing is silent
     * @param rebuild true if the client should be built anew
     */
    record Finding(
            List<DestinationTopic> silent,
            List<DestinationTopic> answering,
            List<DestinationTopic> ask,
            boolean outage,
            Instant since,
            boolean rebuild) {}

    /** A chunk in flight when it was last seen to get on. */
    private record Seen(int acked, ShipmentAttempt attempt, int pending, Instant since) {

        static Seen of(ShipmentAttempt attempt, Instant now) {
            return new Seen(attempt.shipment().acked(), attempt, attempt.pending(), now);
        }

        /**
         * The same moment as long as nothing got on. Another attempt alone is no progress, nor is
         * what ends with an error, as when the client is closed.
         */
        Seen next(ShipmentAttempt attemptNow, Instant now) {
            boolean same =
                    acked == attemptNow.shipment().acked()
                            && (attempt != attemptNow
                                    || pending == attemptNow.pending()
                                    || !attemptNow.succeeded());
            return of(attemptNow, same ? since : now);
        }
    }

    private final ConnectionSettings settings;
    private final Duration stall;
    private final Duration rebuildAfter;

    /** Instead of the stall time, until the client has its first acknowledgement. */
    private final Duration firstStall;

    private boolean acknowledged;
    private Map<Shipment, Seen> seen = new IdentityHashMap<>();
    private List<DestinationTopic> silentBefore = List.of();
    private Instant outageSince;
    private String why = "";
    private Instant explainedAt = Instant.EPOCH;
    private Instant lastRebuild = Instant.EPOCH;
    private long acknowledgedBefore;
    private Instant lastAcknowledgement = Instant.EPOCH;
    private Instant lastLook = Instant.EPOCH;
    private volatile Instant waitsUntil = Instant.EPOCH;
    private volatile boolean restarted;
    private volatile boolean heard;

    SilenceWatch(ConnectionSettings settings, Duration stall, Duration rebuildAfter) {
        this.settings = settings;
        this.stall = stall;
        this.rebuildAfter = rebuildAfter;
        this.firstStall = stall.multipliedBy(3);
    }

    /** A new client begins with a clean slate. */
    void restart() {
        restarted = true;
    }

    /** Brokers want nothing before that time (a quota): until then silence is no outage. */
    void asksToWait(Instant until) {
        waitsUntil = until.isAfter(waitsUntil) ? until : waitsUntil;
    }

    /** The cluster answered: it told a probe something; from any thread. */
    void heard() {
        heard = true;
    }

    /**
     * Looks at what is in flight and at topics that wait for a probe.
     *
     * @param acknowledgements records that the connection acknowledged since its start
     */
    Finding look(
            Collection<ShipmentAttempt> inFlight,
            Collection<DestinationTopic> topics,
            long acknowledgements,
            Instant now) {
        if (restarted) {
            restarted = false;
            acknowledged = false;
            lastRebuild = now;
        }
        Map<Shipment, Seen> look = new IdentityHashMap<>();
        List<DestinationTopic> silent = new ArrayList<>();
        List<DestinationTopic> ask = new ArrayList<>();
        boolean old = false;
        boolean waits = now.isBefore(waitsUntil);
        if (waits) {
            // Whatever was heard last, the count begins at the end of the wait.
            lastAcknowledgement = now;
        }
        if (acknowledgements != acknowledgedBefore) {
            acknowledgedBefore = acknowledgements;
            acknowledged = true;
            lastAcknowledgement = now;
        }
        Duration limit = acknowledged ? stall : firstStall;
        Instant silentSince = null;
        for (ShipmentAttempt attempt : inFlight) {
            Seen before = seen.get(attempt.shipment());
            Seen seenNow =
                    before == null || waits ? Seen.of(attempt, now) : before.next(attempt, now);
            look.put(attempt.shipment(), seenNow);
            if (attempt.topic().gate() == DestinationTopic.Gate.CLOSED) {
                // It is known why: no reason to build a client anew that others share.
                continue;
            }
            Instant askAt = seenNow.since().plus(stall.dividedBy(2));
            if (askAt.isBefore(now) && !askAt.isBefore(lastLook)) {
                ask.add(attempt.topic());
            }
            boolean stalled = seenNow.since().plus(limit).isBefore(now);
            if (before != null && seenNow.since().isAfter(before.since())) {
                lastAcknowledgement = now;
            }
            old |= seenNow.since().plus(rebuildAfter).isBefore(now);
            if (stalled) {
                silentSince = earlier(silentSince, seenNow.since());
                if (!silent.contains(attempt.topic())) {
                    silent.add(attempt.topic());
                }
            }
        }
        seen = look;
        lastLook = now;
        for (DestinationTopic topic : topics) {
            Instant doubt = topic.doubtSince();
            boolean doubted = doubt != null && doubt.plus(limit).isBefore(now);
            if (doubted && topic.isWanted()) {
                silentSince = earlier(silentSince, doubt);
                if (!silent.contains(topic)) {
                    silent.add(topic);
                }
            }
        }
        // Chunks that are young, only because more is sent all the time, say nothing.
        boolean outage = !silent.isEmpty() && lastAcknowledgement.plus(limit).isBefore(now);
        if (outageSince != null && !heard && lastAcknowledgement.isBefore(now)) {
            // A client built anew has nothing in flight yet: that alone is no recovery.
            outage = true;
            silentBefore.stream().filter(topic -> !silent.contains(topic)).forEach(silent::add);
        }
        heard = false;
        List<DestinationTopic> answering = new ArrayList<>(silentBefore);
        answering.removeAll(silent);
        silentBefore = silent;
        boolean rebuild = outage && old && lastRebuild.plus(rebuildAfter).isBefore(now);
        return new Finding(silent, answering, ask, outage, silentSince, rebuild);
    }

    private static Instant earlier(Instant one, Instant other) {
        return one == null || other.isBefore(one) ? other : one;
    }

    void tell(Finding finding, Instant now) {
        if (finding.outage() && explainedAt.plus(EXPLAIN_AGAIN).isBefore(now)) {
            explainedAt = now;
            why = Reachability.explain(settings);
        }
        if (finding.outage() && outageSince == null) {
            outageSince = finding.since();
            LOG.warn(
                    "{} does not answer; messages wait at their source ({})",
                    settings.displayName(),
                    why);
        } else if (!finding.outage() && outageSince != null) {
            LOG.info(
                    "{} answers again after {} s",
                    settings.displayName(),
                    Duration.between(outageSince, now).toSeconds());
            outageSince = null;
            explainedAt = Instant.EPOCH;
        }
        for (DestinationTopic topic : finding.silent()) {
            String reason =
                    "no acknowledgement from "
                            + settings.displayName()
                            + " for topic "
                            + topic.name()
                            + (finding.outage() ? ": " + why : "");
            Problem problem =
                    new Problem(
                            LinkState.STALLED, reason, now, finding.outage(), !finding.outage());
            topic.monitors().forEach(m -> m.problem(SCOPE, problem));
        }
        for (DestinationTopic topic : finding.answering()) {
            topic.monitors().forEach(m -> m.clear(SCOPE));
        }
    }
}
