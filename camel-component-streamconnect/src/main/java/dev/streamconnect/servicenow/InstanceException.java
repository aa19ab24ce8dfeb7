package dev.streamconnect.servicenow;

import dev.streamconnect.record.RecordRule;
import java.time.Duration;

/** An instance that did not do what it was asked; the message is one line without secrets. */
final class InstanceException extends Exception {

    private static final long serialVersionUID = 1L;

    private final RecordRule rule;
    private final Duration retryAfter;
    private final int status;

    private InstanceException(RecordRule rule, String message, Duration retryAfter, int status) {
        super(message, null, false, false);
        this.rule = rule;
        this.retryAfter = retryAfter;
        this.status = status;
    }

    /**
     * It does not answer, or says that it can't now.
     *
     * @param retryAfter how long it wants to be left alone; null if it did not say
     */
    static InstanceException unreachable(String message, Duration retryAfter) {
        return new InstanceException(RecordRule.INSTANCE_UNREACHABLE, message, retryAfter, 0);
    }

    /** It does not let the user do that. */
    static InstanceException refused(String message, int status) {
        return new InstanceException(RecordRule.INSTANCE_REFUSED, message, null, status);
    }

    /** Its answer can't be used. */
    static InstanceException answer(String message) {
        return new InstanceException(RecordRule.INSTANCE_ANSWER, message, null, 0);
    }

    RecordRule rule() {
        return rule;
    }

    /** Null if the instance did not say. */
    Duration retryAfter() {
        return retryAfter;
    }

    /** The status of HTTP where it was refused; 0 otherwise. */
    int status() {
        return status;
    }
}
