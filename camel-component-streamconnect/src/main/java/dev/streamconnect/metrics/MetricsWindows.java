package dev.streamconnect.metrics;

import dev.streamconnect.metrics.ClosedWindows.Numbered;
import dev.streamconnect.spi.MetricsRecord;
import dev.streamconnect.spi.MetricsStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One metrics record of each open link for each interval. A window is the difference of two
 * snapshots of the link's counters. It is closed by {@link #tick} at whole multiples of the
 * interval, the same moments for all links and nodes, and at the end of its link; nothing else
 * closes it, so that reading changes nothing. The first and last window of a link are shorter than
 * the others.
 *
 * <p>Thread-safe. Nothing here waits for the store, except {@link #closedSince} and {@link #close}.
 */
public final class MetricsWindows {

    private static final Logger LOG = LoggerFactory.getLogger(MetricsWindows.class);

    /** Length of a window, unless set otherwise. */
    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(60);

    private static final Duration WRITE_RETRY = Duration.ofSeconds(1);
    private static final int MOST_ROWS = 100_000;

    private static final Comparator<MetricsRecord> BY_TIME =
            Comparator.comparing(MetricsRecord::collectionTime)
                    .thenComparing(MetricsRecord::channelReplication)
                    .thenComparing(window -> Objects.toString(window.node(), ""));

    private final String node;
    private final Clock clock;
    private final Object lock = new Object();
    private final Map<MeasuredLink, OpenWindow> open = new IdentityHashMap<>();
    private final ClosedWindows closed = new ClosedWindows();
    private final Map<String, WindowReader> readers = new ConcurrentHashMap<>();
    private final List<MeasuredLinks> listeners = new CopyOnWriteArrayList<>();
    private Duration interval = DEFAULT_INTERVAL;
    private Instant nextEnd;
    private MetricsStore store;
    private WindowWriter writer;
    private boolean storeFailed;

    /**
     * @param node name of this node in the records
     * @param clock what alone decides when a window ends
     */
    public MetricsWindows(String node, Clock clock) {
        this.node = node;
        this.clock = clock;
        this.nextEnd = endAfter(now());
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private Instant endAfter(Instant now) {
        long millis = interval.toMillis();
        return Instant.ofEpochMilli((Math.floorDiv(now.toEpochMilli(), millis) + 1) * millis);
    }

    /**
     * Sets the length of the windows. The present ones end at the next multiple of it.
     *
     * @param length at least a millisecond
     */
    public void every(Duration length) {
        if (length.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "metrics interval: " + length + " is too short; use a second or more");
        }
        synchronized (lock) {
            interval = length;
            nextEnd = endAfter(now());
        }
    }

    /**
     * Has all further windows kept in a store, which the caller closes after {@link #close}.
     *
     * @param retention how long the store keeps a window
     */
    public void keepIn(MetricsStore kept, Duration retention) {
        synchronized (lock) {
            if (writer != null) {
                throw new IllegalStateException("there is a store for metrics already");
            }
            store = kept;
            writer = new WindowWriter(kept, retention, clock, WRITE_RETRY);
        }
    }

    /** Tells of the links that are open now and later. */
    public void listen(MeasuredLinks listener) {
        List<MeasuredLink> there;
        synchronized (lock) {
            listeners.add(listener);
            there = List.copyOf(open.keySet());
        }
        there.forEach(listener::opened);
    }

    /** Tells who listens; see {@link MeasuredLinks#absent}. */
    public void absent(Map<String, Long> rows) {
        listeners.forEach(listener -> listener.absent(rows));
    }

    /** A link begins: its first window does. */
    public void opened(MeasuredLink link) {
        synchronized (lock) {
            open.put(link, new OpenWindow(link, node, now()));
        }
        listeners.forEach(listener -> listener.opened(link));
    }

    /** A link has ended: its last window is closed. Does nothing for one that is not open. */
    public void ended(MeasuredLink link) {
        synchronized (lock) {
            OpenWindow last = open.remove(link);
            if (last == null) {
                return;
            }
            MetricsRecord window = last.close(now());
            keep(window == null ? List.of() : List.of(window));
        }
        listeners.forEach(listener -> listener.ended(link));
    }

    /** Closes what is due; called by the engine's timer several times in an interval. */
    public void tick() {
        synchronized (lock) {
            Instant now = now();
            // A clock that was set back must not keep windows open for as long.
            boolean within = now.isBefore(nextEnd) && !now.isBefore(nextEnd.minus(interval));
            if (within) {
                return;
            }
            List<MetricsRecord> ended = new ArrayList<>(open.size());
            for (OpenWindow window : open.values()) {
                MetricsRecord record = window.close(now);
                if (record != null) {
                    ended.add(record);
                }
            }
            ended.sort(BY_TIME);
            keep(ended);
            closed.forget(
                    open.keySet().stream().map(MeasuredLink::id).collect(Collectors.toSet()),
                    now.minus(interval.multipliedBy(ClosedWindows.KEPT)));
            nextEnd = endAfter(now);
        }
    }

    private void keep(Collection<MetricsRecord> ended) {
        if (ended.isEmpty()) {
            return;
        }
        closed.add(ended);
        if (writer != null) {
            writer.add(ended);
        }
    }

    /**
     * Closed windows in the order of their ends: those in the store, of all nodes that share it,
     * and those in memory. While the store is down only the latter. Blocks for the store's limit.
     *
     * @param id of a topic replication, null for all
     * @param from inclusive
     */
    public List<MetricsRecord> closedSince(Instant from, String id) {
        // Memory last: a window that is in both is the same.
        TreeMap<MetricsRecord, MetricsRecord> found = new TreeMap<>(BY_TIME);
        for (MetricsRecord stored : stored(from, id)) {
            found.put(stored, stored);
        }
        Predicate<Numbered> wanted =
                each ->
                        (id == null || id.equals(each.window().channelReplication()))
                                && !each.window().collectionTime().isBefore(from);
        for (Numbered own : closed.find(wanted)) {
            found.put(own.window(), own.window());
        }
        return List.copyOf(found.values());
    }

    private List<MetricsRecord> stored(Instant from, String id) {
        MetricsStore asked;
        synchronized (lock) {
            asked = store;
        }
        if (asked == null) {
            return List.of();
        }
        try {
            List<MetricsRecord> rows = asked.find(id, from, null, MOST_ROWS);
            storeAnswers(true, null);
            return rows;
        } catch (RuntimeException e) {
            storeAnswers(false, e);
            return List.of();
        }
    }

    private void storeAnswers(boolean does, RuntimeException failure) {
        boolean told;
        synchronized (lock) {
            told = storeFailed;
            storeFailed = !does;
        }
        if (!does && !told) {
            LOG.warn(
                    "metrics: the store can't be read, windows of memory are answered: {}",
                    failure.toString());
        }
    }

    /** The time of the clock that closes windows. */
    public Instant time() {
        return now();
    }

    /**
     * The reader of that name, made at its first use; it lives as long as these windows.
     *
     * @param ids the topic replications that it reads; asked at the first use only
     */
    public WindowReader reader(String name, Predicate<String> ids) {
        return readers.computeIfAbsent(name, n -> new WindowReader(closed, ids));
    }

    /** Writes what waits for the store, for as long as the limit allows. Idempotent. */
    public void close(Duration limit) {
        WindowWriter closing;
        List<MeasuredLink> left;
        synchronized (lock) {
            left = List.copyOf(open.keySet());
        }
        left.forEach(this::ended);
        synchronized (lock) {
            closing = writer;
            writer = null;
        }
        if (closing != null) {
            closing.close(limit);
        }
    }
}
