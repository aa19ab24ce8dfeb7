package dev.streamconnect.engine;

import java.time.Instant;

/**
 * Why a link does not work as it should.
 *
 * @param state what the link is because of it
 * @param reason one line for people, naming topic and host
 * @param since when it began
 * @param told true if one log line for all links that share the cause is written elsewhere
 * @param ofPart true if it stops some messages of the link, and others may move meanwhile
 */
record Problem(LinkState state, String reason, Instant since, boolean told, boolean ofPart) {

    /** Of the whole link. */
    Problem(LinkState state, String reason, Instant since, boolean told) {
        this(state, reason, since, told, false);
    }

    static Problem of(FailureVerdict verdict, Instant since) {
        return new Problem(stateOf(verdict), verdict.reason(), since, false);
    }

    private static LinkState stateOf(FailureVerdict verdict) {
        if (verdict instanceof FailureVerdict.TopicMissing) {
            return LinkState.WAITING;
        }
        if (verdict instanceof FailureVerdict.MessageRefused
                || verdict instanceof FailureVerdict.Unauthorized
                || verdict instanceof FailureVerdict.Unreadable) {
            return LinkState.FAILED;
        }
        return LinkState.STALLED;
    }

    /** The same, of a part of the link. */
    Problem forPart() {
        return new Problem(state, reason, since, told, true);
    }

    Problem as(LinkState otherState, String otherReason) {
        return new Problem(otherState, otherReason, since, told, ofPart);
    }

    Problem since(Instant began) {
        return new Problem(state, reason, began, told, ofPart);
    }
}
