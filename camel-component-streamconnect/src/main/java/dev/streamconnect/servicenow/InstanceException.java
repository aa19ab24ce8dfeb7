package dev.streamconnect.servicenow;

import dev.streamconnect.record.RecordRule;
import java.time.Duration;

/**
 * An instance that did not do what it was asked; place and message are one line without secrets.
 */
final class InstanceException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String where;
    private final RecordRule rule;
    private final Duration retryAfter;
    private final int status;

    private InstanceException(
            String where, RecordRule rule, String message, Duration retryAfter, int status) {
        super(message, null, false, false);
        this.where = where;
        this.rule = rule;
        this.retryAfter = retryAfter;
        this.status = status;
    }

    /**
     * It does not answer, or says that it can't now.
     *
     * @param retryAfter how long it wants to be left alone; null if it did not say
     */
    static InstanceException unreachable(String where, String message, Duration retryAfter) {
        return new InstanceException(
                where, RecordRule.INSTANCE_UNREACHABLE, message, retryAfter, 0);
    }

    /** It does not let the user do that. */
    static InstanceException refused(String where, String message, int status) {
        return new InstanceException(where, RecordRule.INSTANCE_REFUSED, message, null, status);
    }

    /** Its answer can't be used. */
    static InstanceException answer(String where, String message) {
        return new InstanceException(where, RecordRule.INSTANCE_ANSWER, message, null, 0);
    }

    /** What was asked, such as host, table and row. */
    String where() {
        return where;
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
