package dev.streamconnect.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the states of one link: a change is one line, at most one every few seconds. Guarded by
 * {@link LinkMonitor}.
 */
final class StateLog {

    /** Of the logger. */
    static final String NAME = "dev.streamconnect.status";

    private static final Logger LOG = LoggerFactory.getLogger(NAME);

    /** A link that changes its state to and fro is logged no more often than this. */
    private static final Duration QUIET = Duration.ofSeconds(10);

    /** Their reasons have numbers that change all the time; that is no news. */
    private static final Set<LinkState> COUNTED =
            EnumSet.of(LinkState.DEGRADED, LinkState.THROTTLED, LinkState.BLOCKED_BY_TRANSACTION);

    private final String id;
    private final LinkLog log;
    private final Clock clock;
    private Instant lastLogged = Instant.EPOCH;
    private LinkState loggedState = LinkState.STARTING;
    private String loggedReason = "";
    private boolean loggedTold;

    StateLog(String id, Clock clock) {
        this.id = id;
        this.log = new LinkLog(LOG, id);
        this.clock = clock;
    }

    /**
     * Tells the state if it is news.
     *
     * @param told true if it is told elsewhere
     */
    void tell(LinkState state, String reason, boolean told) {
        if (state == LinkState.PAUSED || state == LinkState.STOPPED) {
            // Somebody asked for it and knows.
            return;
        }
        boolean sameAsLogged =
                state == loggedState
                        && (reason.equals(loggedReason)
                                || !state.isProblem()
                                || COUNTED.contains(state));
        boolean quietChange = !state.isProblem() && !loggedState.isProblem();
        Instant now = clock.instant();
        if (sameAsLogged || now.isBefore(lastLogged.plus(QUIET))) {
            return;
        }
        // What was told elsewhere ends elsewhere, too.
        boolean silent = state.isProblem() ? told : loggedTold;
        loggedTold = silent && state.isProblem();
        loggedState = state;
        loggedReason = reason;
        if (quietChange || silent) {
            log.debug("Topic replication {} is {} {}", id, state, reason);
            return;
        }
        lastLogged = now;
        if (state == LinkState.FAILED) {
            log.error("Topic replication {} is {}: {}", id, state, reason);
        } else if (state.isProblem()) {
            log.warn("Topic replication {} is {}: {}", id, state, reason);
        } else {
            log.info("Topic replication {} is {} again", id, state);
        }
    }
}
