package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.MissingRight;
import dev.streamconnect.cluster.OptionalRight;
import dev.streamconnect.metrics.Backlog;
import dev.streamconnect.metrics.LinkCounters;
import dev.streamconnect.metrics.LinkTotals;
import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.UndeliveredMessage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * State and counters of one link on this node. Parts of the engine report problems by scope
 * ("source", "destination", a partition) and take them back; the state is the worst of them.
 * Thread-safe; a change of state is one log line, at most one every few seconds for each link.
 */
final class LinkMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(StateLog.NAME);

    /** Stored messages are told no more often than this. */
    private static final Duration STORED_QUIET = Duration.ofSeconds(60);

    private final LinkDefinition definition;
    private final Clock clock;
    private final StateRules rules;
    private final StateLog log;
    private final Map<String, Problem> problems = new LinkedHashMap<>();
    private final LinkCounters counters = new LinkCounters();
    private final Map<String, Integer> assigned = new LinkedHashMap<>();
    private final Map<String, Integer> partitions = new LinkedHashMap<>();
    private final SourceBacklog backlog = new SourceBacklog();
    private final PositionEvents events;
    private final Map<String, String> notices = new TreeMap<>();
    private final Map<String, String> warnings = new TreeMap<>();
    private final Map<String, QuotaWaits> quotas = new LinkedHashMap<>();
    private final Map<String, MissingRight> missingRights = new TreeMap<>();
    private String slowDestination = "";
    private final StoredCount undelivered = new StoredCount();
    private FormerRows former = FormerRows.NONE;
    private Instant formerSince;

    private volatile Runnable destinationOpened = () -> {};
    private long behindKey;
    private long untoldStored;
    private Instant storedToldAt = Instant.EPOCH;
    private boolean paused;
    private boolean leaving;
    private boolean stopped;
    private boolean everAssigned;
    private Instant lastMovement;
    private Instant lastMoved;
    private Instant laggingSince;
    private Instant freeSince = Instant.EPOCH;
    private LinkState state = LinkState.STARTING;
    private String reason = "";
    private Instant since;

    LinkMonitor(LinkDefinition definition, Clock clock) {
        this.definition = definition;
        this.clock = clock;
        this.rules = StateRules.of(definition);
        this.log = new StateLog(definition.id(), clock);
        this.events = new PositionEvents(definition.id());
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
        problems.put(scope, before == null ? problem : problem.since(before.since()));
        refresh();
    }

    synchronized void clear(String scope) {
        Problem ended = problems.remove(scope);
        if (ended != null) {
            if (StateRules.STOPS_A_SIDE.contains(ended.state())) {
                freeSince = clock.instant();
            }
            refresh();
        }
    }

    synchronized boolean hasProblem(String scope) {
        return problems.containsKey(scope);
    }

    /** Says what is to be known of the group beside the state; an empty text takes it back. */
    synchronized void notice(String scope, String text) {
        notices.put(scope, text);
    }

    /** The first of what was said; empty for none. */
    synchronized String groupNotice() {
        return stopped
                ? ""
                : notices.values().stream().filter(t -> !t.isEmpty()).findFirst().orElse("");
    }

    /**
     * Its destination is slower than its neighbours'; an empty text takes it back.
     *
     * @return true if it was not slow before
     */
    synchronized boolean slowDestination(String text) {
        boolean news = slowDestination.isEmpty() && !text.isEmpty();
        slowDestination = text;
        return news;
    }

    /** Says what is to be done soon, and is logged elsewhere; an empty text takes it back. */
    synchronized void warning(String scope, String text) {
        warnings.put(scope, text);
    }

    /**
     * Whether it does without an optional right.
     *
     * @param missing null where that is not known now: what was known stays
     */
    synchronized void right(
            ConnectionSettings side, OptionalRight right, String topic, Boolean missing) {
        String scope = side.role() + " " + right;
        if (Boolean.FALSE.equals(missing)) {
            missingRights.remove(scope);
        } else if (missing != null) {
            // A client of its own for a slow destination says the same of another name.
            missingRights.computeIfAbsent(scope, s -> MissingRight.of(side, right, topic));
        }
    }

    synchronized List<MissingRight> missingRights() {
        return stopped ? List.of() : List.copyOf(missingRights.values());
    }

    private String notice() {
        return stopped
                ? ""
                : Stream.concat(
                                Stream.of(groupNotice(), slowDestination, lagNotice()),
                                warnings.values().stream())
                        .filter(text -> !text.isEmpty())
                        .collect(Collectors.joining("; "));
    }

    /** How old the lag is where nobody can look at it. */
    private String lagNotice() {
        Instant keptAt = leaving ? null : backlog.keptAt();
        return keptAt == null
                ? ""
                : "lag has what was seen last, at "
                        + keptAt.truncatedTo(ChronoUnit.SECONDS)
                        + ", of partitions that can't be read now";
    }

    /** Counts what the destination acknowledged; called once a chunk. */
    void moved(int records, long size) {
        counters.moved(records, size);
        synchronized (this) {
            lastMovement = clock.instant();
            lastMoved = lastMovement;
        }
    }

    /** Counts messages put into the undelivered store; tells the newest reason now and then. */
    void stored(List<UndeliveredMessage> added) {
        counters.stored(added.size());
        UndeliveredMessage told = added.get(0);
        synchronized (this) {
            undelivered.stored(added);
            behindKey += added.stream().filter(m -> m.reason() == Reason.BEHIND_KEY).count();
            counters.heldBehindKey("all", behindKey);
            Instant now = clock.instant();
            untoldStored += added.size();
            if (now.isBefore(storedToldAt.plus(STORED_QUIET))) {
                return;
            }
            storedToldAt = now;
            new LinkLog(LOG, definition.id())
                    .warn(
                            "Topic replication {}: {} message(s) stored as undelivered; {} offset {}: {}",
                            definition.id(),
                            untoldStored,
                            place(told.origin()),
                            told.offset(),
                            told.errorText());
            untoldStored = 0;
        }
    }

    /** The source partition, as other lines name it. */
    private String place(MessageOrigin origin) {
        return BatchLog.place(
                origin.side().isEmpty() ? null : origin.side(),
                new TopicPartition(definition.sourceTopic(), origin.partition()));
    }

    /** Counts what a retry did. */
    void retried(SweepCounts counts) {
        counters.retried(counts.delivered());
        counters.parked(counts.parked());
        synchronized (this) {
            undelivered.retried(counts);
        }
        if (counts.parked() > 0) {
            new LinkLog(LOG, definition.id())
                    .warn(
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

    /** To be given to {@link #counted}. */
    synchronized long storedChanges() {
        return undelivered.changes();
    }

    /** What of undelivered messages shows where nothing is worse; null for nothing. */
    synchronized Problem undelivered() {
        Problem present = undelivered.problem();
        if (former.count() == 0) {
            return present;
        }
        return present == null
                ? new Problem(LinkState.DEGRADED, former.text(), formerSince, false, true)
                : present.as(present.state(), present.reason() + "; " + former.text());
    }

    /** Rows of topics that the record connected earlier were counted. */
    synchronized void former(FormerRows rows) {
        if (former.count() == 0) {
            formerSince = clock.instant();
        }
        former = rows;
    }

    synchronized long formerRows() {
        return former.count();
    }

    /** The undelivered store was asked; see {@link StoredCount#counted}. */
    synchronized void counted(
            long changesBefore, long waiting, long parked, UndeliveredMessage oldest) {
        undelivered.counted(changesBefore, waiting, parked, oldest);
    }

    /**
     * Brokers ask the link's clients to wait, by their quotas.
     *
     * @param connection whose brokers, for people
     * @param millis from now on
     */
    void throttled(String connection, long millis) {
        if (millis == 0) {
            return;
        }
        counters.throttled(millis);
        synchronized (this) {
            slowedBy(connection + " asks its clients to wait (quota)")
                    .asked(millis, clock.instant());
        }
    }

    /**
     * A limit of this node lets messages wait; several clients may say so of the same time.
     *
     * @param reason words for people
     * @param millis from now on
     */
    synchronized void heldBack(String reason, long millis) {
        if (millis > 0 && isLagging()) {
            counters.throttled(slowedBy(reason).asked(millis, clock.instant()));
        }
    }

    private QuotaWaits slowedBy(String reason) {
        return quotas.computeIfAbsent(reason, name -> new QuotaWaits());
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

    /** Partitions that the topic has at a source. */
    synchronized void partitions(String source, int total) {
        partitions.put(source, total);
    }

    /** Partitions of all sources that this node reads now. */
    synchronized int assignedPartitions() {
        return sum(assigned);
    }

    /** Partitions that the topic has at all sources, whoever reads them. */
    synchronized int totalPartitions() {
        return Math.max(sum(partitions), sum(assigned));
    }

    private static int sum(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** A partition could not be read on at its position, or was read for the first time. */
    void happened(PositionEvent event) {
        if (event.kind().isTrouble()) {
            counters.positionTrouble(event.kind() == PositionEvent.Kind.GAP ? event.count() : 0);
        }
        synchronized (this) {
            events.add(event);
            refresh();
        }
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

    /**
     * Nobody reads that partition for a while, as in an outage: the lag that was seen last stays.
     */
    synchronized void keepLag(String source) {
        backlog.keep(source, clock.instant());
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

    /** What waits on a side that stands still is told by that side's problem. */
    private boolean isLagging() {
        return backlog.isLagging(partition -> !rules.isStopped(partition, problems));
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
                current().stream().map(Problem::since).min(Comparator.naturalOrder()).orElse(null);
        LinkTotals totals = counters.totals();
        return new LinkStatus(
                definition.id(),
                state,
                reason,
                since,
                errorSince,
                definition.sourceName(),
                definition.destinationName(),
                assignedPartitions(),
                totalPartitions(),
                totals.messages(),
                totals.bytes(),
                stopped ? -1 : backlog.messages(),
                totals.reordered(),
                totals.repeated(),
                totals.drainLimitsHit(),
                totals.returned(),
                notice(),
                missingRights(),
                events.all());
    }

    private void refresh() {
        watchLag();
        Problem worst = paused ? null : StateRules.worst(current());
        LinkState now = worst != null ? worst.state() : quietState();
        String why = worst != null ? worst.reason() : "";
        if (now != state) {
            since = clock.instant();
        }
        state = now;
        reason = why;
        log.tell(state, reason, worst != null && worst.told());
    }

    /** What is wrong now, as it is shown. */
    private List<Problem> current() {
        if (stopped) {
            return List.of();
        }
        Instant now = clock.instant();
        List<Problem> current =
                new ArrayList<>(rules.shown(problems, everAssigned, lastMoved, now).values());
        if (paused) {
            return current;
        }
        List<Problem> throttled = throttled(now);
        if (throttled.isEmpty()) {
            Stream.ofNullable(stuck(now)).forEach(current::add);
        }
        current.addAll(throttled);
        Stream.ofNullable(events.problem(now)).forEach(current::add);
        Stream.ofNullable(undelivered()).forEach(current::add);
        return current;
    }

    /**
     * Brokers, or limits of this node, that let it wait for a considerable share of the time, while
     * messages wait.
     */
    private List<Problem> throttled(Instant now) {
        List<Problem> throttled = new ArrayList<>();
        quotas.forEach(
                (why, waits) -> {
                    Instant began = waits.since(now);
                    if (began != null && isLagging()) {
                        throttled.add(throttled(why, waits.share(now), began));
                    }
                });
        return throttled;
    }

    private static Problem throttled(String why, double share, Instant began) {
        return new Problem(
                LinkState.THROTTLED,
                why
                        + ": "
                        + Math.round(share * 100)
                        + " % of the last "
                        + QuotaWaits.WINDOW.toSeconds()
                        + " s",
                began,
                false);
    }

    /** Nobody reports anything, and yet what waits does not move. */
    private Problem stuck(Instant now) {
        if (laggingSince == null) {
            return null;
        }
        Duration limit = rules.times().stalledAfter();
        Instant began =
                Stream.of(laggingSince, lastMovement, freeSince)
                        .max(Comparator.naturalOrder())
                        .orElseThrow();
        return StateRules.isOver(limit, began, now)
                ? new Problem(
                        LinkState.STALLED,
                        "messages wait at the source and none has moved for "
                                + StateRules.seconds(limit)
                                + " s",
                        began,
                        false)
                : null;
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
        return !isLagging()
                        && lastMovement.plus(rules.times().idleAfter()).isBefore(clock.instant())
                ? LinkState.IDLE
                : LinkState.RUNNING;
    }
}
