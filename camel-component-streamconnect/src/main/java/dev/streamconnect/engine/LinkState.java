package dev.streamconnect.engine;

/** State of a topic replication (or of a {@code hermes:} consumer) on this node. */
public enum LinkState {
    /** Registered, no partition assigned yet. */
    STARTING,
    /** Moving records, or ready to. */
    RUNNING,
    /** Nothing to do for a while: no lag, no failure. */
    IDLE,
    /** There is lag or an outage and nothing moves; the engine keeps trying. */
    STALLED,
    /** A topic is missing; taken up by itself when it appears. */
    WAITING,
    /** A broker asks to slow down. */
    THROTTLED,
    /** The source's last stable offset does not move because of an open transaction. */
    BLOCKED_BY_TRANSACTION,
    /** Works, but something was lost at the source or a part does not work. */
    DEGRADED,
    /** Does not work until somebody mends it: a right, a certificate, a message that is refused. */
    FAILED,
    /** Paused by an operator. */
    PAUSED,
    /** Stopped with its route. */
    STOPPED;

    /** True for states in which records wait and do not move: the node is not ready then. */
    public boolean isDown() {
        return this == STALLED || this == FAILED;
    }

    /** True for states that mean that records do not flow as they should. */
    public boolean isProblem() {
        return switch (this) {
            case STALLED, WAITING, THROTTLED, BLOCKED_BY_TRANSACTION, DEGRADED, FAILED -> true;
            case STARTING, RUNNING, IDLE, PAUSED, STOPPED -> false;
        };
    }
}
