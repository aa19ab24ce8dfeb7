package dev.streamconnect.engine;

import dev.streamconnect.spi.Reason;

/** Where a failure goes (design, section 3). Every verdict carries one line for people. */
sealed interface FailureVerdict {

    /** One line: what happened, and where known what to do. */
    String reason();

    /** Passes by itself: the source keeps the message, it is sent again after a back-off. */
    record Transient(String reason) implements FailureVerdict {}

    /**
     * The destination will not take this message as it is.
     *
     * @param kind what is wrong with it
     * @param errorClass class of the destination's answer; empty where it was not asked, since its
     *     contract says enough
     */
    record MessageRefused(String reason, Reason kind, String errorClass) implements FailureVerdict {

        /** True if the destination itself refused it. */
        boolean wasAsked() {
            return !errorClass.isEmpty();
        }
    }

    /** A right, a password or a certificate is missing or wrong: somebody has to mend it. */
    record Unauthorized(String reason) implements FailureVerdict {}

    /** This JVM can't read the messages: it has to be started otherwise. */
    record Unreadable(String reason) implements FailureVerdict {}

    /** The topic is not there (now). */
    record TopicMissing(String reason) implements FailureVerdict {}

    /** The client cannot go on and is built anew. */
    record ClientFatal(String reason) implements FailureVerdict {}
}
