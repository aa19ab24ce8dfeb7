package dev.streamconnect.spi;

import java.time.Instant;

/**
 * What came of an attempt to deliver a row.
 *
 * @param id the row
 * @param sent true if the destination was asked, which counts as an attempt; false if it was known
 *     beforehand that it would refuse
 * @param reason as in {@link UndeliveredMessage}
 * @param errorClass as in {@link UndeliveredMessage}
 * @param errorText as in {@link UndeliveredMessage}
 * @param at when
 * @param nextAttempt when to try again; null to park the row
 */
public record FailedAttempt(
        long id,
        boolean sent,
        Reason reason,
        String errorClass,
        String errorText,
        Instant at,
        Instant nextAttempt) {}
