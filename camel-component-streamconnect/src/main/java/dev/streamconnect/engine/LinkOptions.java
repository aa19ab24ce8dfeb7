package dev.streamconnect.engine;

import java.time.Duration;

/**
 * Bounds and modes of a link.
 *
 * @param batch true: a delivery is a batch; false: one record a delivery
 * @param maxOpenDeliveries deliveries of one partition that may be in the route at once
 * @param maxUncommitted settled records of one partition that may wait for their commit; with what
 *     is in flight this bounds the duplicates after a crash
 * @param commitInterval how long a settled offset may wait for its commit
 * @param maxMessageBytes largest message (key, value and headers, uncompressed) the destination
 *     takes; bytes
 * @param times how long something lasts before the state says so
 * @param routeRetryLimit how long a failing step of the route is tried again in place before its
 *     source record is stored as undelivered; zero for ever. Only with a store
 * @param retryInitial first back-off after a failure; doubles with jitter
 * @param retryMax longest back-off
 * @param debug whether each batch is a line of the log; see {@link BatchLog}
 * @param pair how the two sides of Hermes are put together
 * @param positions what happens where it can't go on at its position
 * @param originHeader name of the header that tells where a message was copied from, so that it is
 *     not copied back; null for none
 */
public record LinkOptions(
        boolean batch,
        int maxOpenDeliveries,
        int maxUncommitted,
        Duration commitInterval,
        int maxMessageBytes,
        StateTimes times,
        Duration routeRetryLimit,
        Duration retryInitial,
        Duration retryMax,
        boolean debug,
        PairOptions pair,
        PositionPolicy positions,
        String originHeader) {

    /** Largest message that Hermes takes, in bytes: 2 MB (domain: limits). */
    public static final int HERMES_MAX_MESSAGE_BYTES = 2_097_152;

    public static LinkOptions defaults(boolean batch) {
        return defaults(batch, PairOptions.DEFAULT, PositionPolicy.DEFAULT);
    }

    public static LinkOptions defaults(boolean batch, PairOptions pair, PositionPolicy positions) {
        return new LinkOptions(
                batch,
                batch ? 2 : 1000,
                10_000,
                Duration.ofSeconds(1),
                HERMES_MAX_MESSAGE_BYTES,
                StateTimes.DEFAULT,
                Duration.ofMinutes(15),
                Duration.ofMillis(250),
                Duration.ofSeconds(30),
                false,
                pair,
                positions,
                null);
    }

    /** The same with a header that tells where a message was copied from; null for none. */
    public LinkOptions withOriginHeader(String name) {
        return new LinkOptions(
                batch,
                maxOpenDeliveries,
                maxUncommitted,
                commitInterval,
                maxMessageBytes,
                times,
                routeRetryLimit,
                retryInitial,
                retryMax,
                debug,
                pair,
                positions,
                name);
    }
}
