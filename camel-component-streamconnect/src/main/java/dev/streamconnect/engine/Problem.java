package dev.streamconnect.engine;

import java.time.Instant;

/**
 * Why a link does not work as it should.
 *
 * @param state what the link is because of it
 * @param reason one line for people, naming topic and host
 * @param since when it began
 * @param told true if one log line for all links that share the cause is written elsewhere
 */
record Problem(LinkState state, String reason, Instant since, boolean told) {

    static Problem of(FailureVerdict verdict, Instant since) {
        return new Problem(stateOf(verdict), verdict.reason(), since, false);
    }

    private static LinkState stateOf(FailureVerdict verdict) {
        if (verdict instanceof FailureVerdict.TopicMissing) {
            return LinkState.WAITING;
        }
        if (verdict instanceof FailureVerdict.MessageRefused
                || verdict instanceof FailureVerdict.Unauthorized) {
            return LinkState.FAILED;
        }
        return LinkState.STALLED;
    }
}
