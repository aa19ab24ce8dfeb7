package dev.streamconnect.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest position events of a link: one log line each, and DEGRADED for a while after those
 * that mean trouble. Guarded by {@link LinkMonitor}.
 */
final class PositionEvents {

    private static final Logger LOG = LoggerFactory.getLogger(PositionEvents.class);

    /** How many are kept to be shown. */
    static final int KEPT = 20;

    /** Nothing mends what is gone: so long the state tells it. */
    static final Duration SHOWN = Duration.ofHours(1);

    /** Lines of one link in a minute; more are only counted. */
    static final int LINES = 40;

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final String id;
    private final LinkLog log;
    private final Deque<PositionEvent> newest = new ArrayDeque<>();
    private Instant minuteBegan = Instant.EPOCH;
    private int lines;
    private int untold;

    PositionEvents(String id) {
        this.id = id;
        this.log = new LinkLog(LOG, id);
    }

    void add(PositionEvent event) {
        newest.add(event);
        if (newest.size() > KEPT) {
            newest.remove();
        }
        tell(event);
    }

    private void tell(PositionEvent event) {
        if (!event.at().isBefore(minuteBegan.plus(MINUTE))) {
            if (untold > 0) {
                log.warn("Topic replication {}: {} more event(s) like these", id, untold);
            }
            minuteBegan = event.at();
            lines = 0;
            untold = 0;
        }
        if (event.kind() == PositionEvent.Kind.START && event.count() == 0) {
            log.debug("Topic replication {}: {}", id, event.text());
        } else if (++lines > LINES) {
            untold++;
        } else if (event.stopped()) {
            log.error("Topic replication {}: {}", id, event.text());
        } else if (event.kind().isTrouble()) {
            log.warn("Topic replication {}: {}", id, event.text());
        } else {
            log.info("Topic replication {}: {}", id, event.text());
        }
    }

    /** The newest last. */
    List<PositionEvent> all() {
        return List.copyOf(newest);
    }

    /** What of them shows where nothing is worse; null for nothing. */
    Problem problem(Instant now) {
        List<PositionEvent> shown = new ArrayList<>();
        for (PositionEvent event : newest) {
            // One that stopped its partition is a problem of its own.
            boolean counts = event.kind().isTrouble() && !event.stopped();
            if (counts && event.at().plus(SHOWN).isAfter(now)) {
                shown.add(event);
            }
        }
        if (shown.isEmpty()) {
            return null;
        }
        String last = shown.get(shown.size() - 1).text();
        String more =
                shown.size() == 1
                        ? ""
                        : "; " + (shown.size() - 1) + " more like it within the last hour";
        return new Problem(LinkState.DEGRADED, last + more, shown.get(0).at(), true);
    }
}
