package dev.streamconnect.camel.replication;

import dev.streamconnect.engine.ReplayFrom;
import org.apache.camel.Message;

/**
 * What a replay is asked for.
 *
 * @param from null while it is not given
 * @param partition null for all
 * @param side null for both
 */
record ReplayRequest(ReplayFrom from, Integer partition, String side) {

    ReplayRequest {
        if (from instanceof ReplayFrom.Offset && partition == null) {
            throw new IllegalArgumentException(
                    "partition: is missing; an offset belongs to one partition");
        }
    }

    /**
     * Reads the options, and the headers that take their place.
     *
     * @param request null for the options alone
     * @throws IllegalArgumentException for a wrong value; one line
     */
    static ReplayRequest of(ReplayOptions options, Message request) {
        SelectorText from =
                text(
                        "replayFrom",
                        options.getReplayFrom(),
                        request,
                        ReplicationConstants.REPLAY_FROM);
        SelectorText partition =
                text(
                        "partition",
                        options.getPartition(),
                        request,
                        ReplicationConstants.REPLAY_PARTITION);
        SelectorText side =
                text("side", options.getSide(), request, ReplicationConstants.REPLAY_SIDE);
        return new ReplayRequest(
                from == null ? null : from(from),
                partition == null
                        ? null
                        : (int) Math.min(partition.notNegative(), Integer.MAX_VALUE),
                side == null ? null : side.constant(Side.class).name());
    }

    private enum Side {
        A,
        B
    }

    private static SelectorText text(String name, Object option, Message request, String header) {
        Object given = request == null ? null : request.getHeader(header);
        Object value = given == null ? option : given;
        return value == null ? null : new SelectorText(name, value);
    }

    private static ReplayFrom from(SelectorText text) {
        if (text.is("earliest")) {
            return new ReplayFrom.Earliest();
        }
        if (text.is("latest")) {
            throw new IllegalArgumentException(
                    "replayFrom: latest would skip messages; use earliest, a time or an offset");
        }
        return text.isNumber()
                ? new ReplayFrom.Offset(text.notNegative())
                : new ReplayFrom.At(text.time());
    }
}
