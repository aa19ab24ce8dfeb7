package dev.streamconnect.engine;

import dev.streamconnect.metrics.Backlog;
import dev.streamconnect.metrics.LinkCounters;
import dev.streamconnect.metrics.LinkTotals;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.UndeliveredMessage;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * State and counters of one link on this node. Parts of the engine report problems by scope
 * ("source", "destination", a partition) and take them back; the state is the worst of them.
 * Thread-safe; a change of state is one log line, at most one every few seconds for each link.
 */
final class LinkMonitor {

    private static final Logger LOG = LoggerFactory.getLogger("dev.streamconnect.status");

    /** A link that changes its state to and fro is logged no more often than this. */
    private static final Duration QUIET = Duration.ofSeconds(10);

    /** Stored messages are told no more often than this. */
    private static final Duration STORED_QUIET = Duration.ofSeconds(60);

    /** How long nothing may move before a link without lag is IDLE. */
    private static final Duration IDLE_AFTER = Duration.ofMinutes(5);

    /** How long nothing may move while messages wait at the source. */
    private static final Duration STALLED_AFTER = Duration.ofMinutes(2);

    private static final List<LinkState> BY_SEVERITY =
            List.of(
                    LinkState.FAILED,
                    LinkState.WAITING,
                    LinkState.STALLED,
                    LinkState.BLOCKED_BY_TRANSACTION,
                    LinkState.THROTTLED,
                    LinkState.DEGRADED);

    /** What explains by itself that nothing moves. */
    private static final Set<LinkState> STOPS_MOVEMENT =
            EnumSet.of(LinkState.FAILED, LinkState.WAITING, LinkState.STALLED);

    private final LinkDefinition definition;
    private final Clock clock;
    private final Map<String, Problem> problems = new LinkedHashMap<>();
    private final LinkCounters counters = new LinkCounters();
    private final Map<String, Integer> assigned = new LinkedHashMap<>();
    private final SourceBacklog backlog = new SourceBacklog();

    private volatile Runnable destinationOpened = () -> {};
    private long behindKey;
    private long untoldStored;
    private Instant storedToldAt = Instant.EPOCH;
    private boolean paused;
    private boolean leaving;
    private boolean stopped;
    private boolean everAssigned;
    private Instant lastMovement;
    private Instant laggingSince;
    private Instant freeSince = Instant.EPOCH;
    private LinkState state = LinkState.STARTING;
    private String reason = "";
    private Instant since;
    private Instant lastLogged = Instant.EPOCH;
    private LinkState loggedState = LinkState.STARTING;
    private String loggedReason = "";
    private boolean loggedTold;

    LinkMonitor(LinkDefinition definition, Clock clock) {
        this.definition = definition;
        this.clock = clock;
        this.since = clock.instant();
        this.lastMovement = since;
    }

    /** Sets what to do when a closed destination topic is usable again. */
    void onDestinationOpened(Runnable retry) {
        destinationOpened = retry;
    }

    void destinationOpened() {
        destinationOpened.run();
    }

    /** Reports or renews a problem; the first report's time stays. */
    synchronized void problem(String scope, Problem problem) {
        Problem before = problems.get(scope);
        Instant began = before == null ? problem.since() : before.since();
        problems.put(scope, new Problem(problem.state(), problem.reason(), began, problem.told()));
        refresh();
    }

    synchronized void clear(String scope) {
        Problem ended = problems.remove(scope);
        if (ended != null) {
            if (STOPS_MOVEMENT.contains(ended.state())) {
                freeSince = clock.instant();
            }
            refresh();
        }
    }

    synchronized boolean hasProblem(String scope) {
        return problems.containsKey(scope);
    }

    /** Counts what the destination acknowledged; called once a chunk. */
    void moved(int records, long size) {
        counters.moved(records, size);
        synchronized (this) {
            lastMovement = clock.instant();
        }
    }

    /** Counts messages put into the undelivered store; tells the newest reason now and then. */
    void stored(List<UndeliveredMessage> added) {
        counters.stored(added.size());
        UndeliveredMessage told = added.get(0);
        synchronized (this) {
            behindKey += added.stream().filter(m -> m.reason() == Reason.BEHIND_KEY).count();
            counters.heldBehindKey("all", behindKey);
            Instant now = clock.instant();
            untoldStored += added.size();
            if (now.isBefore(storedToldAt.plus(STORED_QUIET))) {
                return;
            }
            storedToldAt = now;
            LOG.warn(
                    "Topic replication {}: {} message(s) stored as undelivered; {} offset {}: {}",
                    definition.id(),
                    untoldStored,
                    told.origin(),
                    told.offset(),
                    told.errorText());
            untoldStored = 0;
        }
    }

    /** Counts what a retry did. */
    void retried(SweepCounts counts) {
        counters.retried(counts.delivered());
        counters.parked(counts.parked());
        if (counts.parked() > 0) {
            LOG.warn(
                    "Topic replication {}: {} undelivered message(s) parked after their last attempt; they wait for"
                            + " an operator",
                    definition.id(),
                    counts.parked());
        }
    }

    /**
     * A retry run of this node has ended.
     *
     * @param waitBehindKey messages that wait behind an earlier one of their key, by the store
     */
    synchronized void retryRunEnded(long waitBehindKey) {
        behindKey = waitBehindKey;
        counters.heldBehindKey("all", waitBehindKey);
        counters.retryRunEnded(clock.instant());
    }

    /** What is counted; whoever does something for the link counts it there. */
    LinkCounters counters() {
        return counters;
    }

    /** Partitions that a source client reads now for this link. */
    synchronized void assigned(String source, int partitions) {
        everAssigned = true;
        assigned.put(source, partitions);
        refresh();
    }

    synchronized void lag(String source, long records) {
        lag(source, records, SourceBacklog.NO_TIMESTAMP, null);
    }

    /**
     * What waits in a partition of a source.
     *
     * @param oldest timestamp of the first record, {@link SourceBacklog#NO_TIMESTAMP} while unknown
     * @param retentionMillis how long the source keeps a record; null for ever or unknown
     */
    synchronized void lag(String source, long records, long oldest, Long retentionMillis) {
        backlog.seen(source, records, oldest, retentionMillis);
        watchLag();
    }

    /**
     * The source reads that partition no more; its lag is another node's, except at the link's end,
     * when the last one seen is what it leaves behind.
     */
    synchronized void noLag(String source) {
        if (!leaving) {
            backlog.forget(source);
        }
        watchLag();
    }

    /** What waits at the source now. */
    synchronized Backlog backlog() {
        return backlog.at(clock.instant());
    }

    /** The link is being closed. */
    synchronized void leaving() {
        leaving = true;
    }

    private void watchLag() {
        if (!isLagging()) {
            laggingSince = null;
        } else if (laggingSince == null) {
            laggingSince = clock.instant();
        }
    }

    private boolean isLagging() {
        return backlog.isLagging();
    }

    synchronized void paused(boolean isPaused) {
        paused = isPaused;
        lastMovement = clock.instant();
        refresh();
    }

    synchronized void stopped() {
        stopped = true;
        problems.clear();
        assigned.clear();
        refresh();
    }

    /** Re-evaluates what depends on time; called about once a second. */
    synchronized void tick() {
        refresh();
    }

    synchronized LinkStatus snapshot() {
        refresh();
        Instant errorSince =
                current().map(Problem::since).min(Comparator.naturalOrder()).orElse(null);
        LinkTotals totals = counters.totals();
        return new LinkStatus(
                definition.id(),
                state,
                reason,
                since,
                errorSince,
                definition.sourceName(),
                definition.destinationName(),
                assigned.values().stream().mapToInt(Integer::intValue).sum(),
                totals.messages(),
                totals.bytes(),
                stopped ? -1 : backlog.messages());
    }

    private void refresh() {
        Problem worst = stopped || paused ? null : worst();
        LinkState now = worst != null ? worst.state() : quietState();
        String why = worst != null ? worst.reason() : "";
        if (now != state) {
            since = clock.instant();
        }
        state = now;
        reason = why;
        log(worst);
    }

    private Stream<Problem> current() {
        Problem stuck = stopped || paused ? null : stuck();
        return Stream.concat(problems.values().stream(), Stream.ofNullable(stuck));
    }

    /** Nobody reports anything, and yet what waits does not move. */
    private Problem stuck() {
        if (laggingSince == null) {
            return null;
        }
        Instant began =
                Stream.of(laggingSince, lastMovement, freeSince)
                        .max(Comparator.naturalOrder())
                        .orElseThrow();
        return began.plus(STALLED_AFTER).isAfter(clock.instant())
                ? null
                : new Problem(
                        LinkState.STALLED,
                        "messages wait at the source and none has moved for "
                                + STALLED_AFTER.toSeconds()
                                + " s",
                        began,
                        false);
    }

    private Problem worst() {
        return current()
                .map(this::aged)
                .min(Comparator.comparingInt(p -> BY_SEVERITY.indexOf(p.state())))
                .orElse(null);
    }

    private Problem aged(Problem problem) {
        Duration missingTimeout = definition.options().missingTimeout();
        return problem.state() == LinkState.WAITING
                        && problem.since().plus(missingTimeout).isBefore(clock.instant())
                ? new Problem(
                        LinkState.FAILED,
                        problem.reason()
                                + " (missing for longer than "
                                + missingTimeout.toSeconds()
                                + " s)",
                        problem.since(),
                        problem.told())
                : problem;
    }

    private LinkState quietState() {
        if (stopped) {
            return LinkState.STOPPED;
        }
        if (paused) {
            return LinkState.PAUSED;
        }
        if (!everAssigned) {
            return LinkState.STARTING;
        }
        return !isLagging() && lastMovement.plus(IDLE_AFTER).isBefore(clock.instant())
                ? LinkState.IDLE
                : LinkState.RUNNING;
    }

    private void log(Problem worst) {
        if (state == LinkState.PAUSED || state == LinkState.STOPPED) {
            // Somebody asked for it and knows.
            return;
        }
        boolean sameAsLogged =
                state == loggedState && (reason.equals(loggedReason) || !state.isProblem());
        boolean quietChange = !state.isProblem() && !loggedState.isProblem();
        Instant now = clock.instant();
        if (sameAsLogged || now.isBefore(lastLogged.plus(QUIET))) {
            return;
        }
        // What was told elsewhere ends elsewhere, too.
        boolean told = worst != null ? worst.told() : loggedTold;
        loggedTold = told && worst != null;
        loggedState = state;
        loggedReason = reason;
        if (quietChange || told) {
            LOG.debug("Topic replication {} is {} {}", definition.id(), state, reason);
            return;
        }
        lastLogged = now;
        if (state == LinkState.FAILED) {
            LOG.error("Topic replication {} is {}: {}", definition.id(), state, reason);
        } else if (state.isProblem()) {
            LOG.warn("Topic replication {} is {}: {}", definition.id(), state, reason);
        } else {
            LOG.info("Topic replication {} is {} again", definition.id(), state);
        }
    }
}
