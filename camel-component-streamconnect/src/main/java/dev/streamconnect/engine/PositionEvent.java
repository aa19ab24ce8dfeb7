package dev.streamconnect.engine;

import java.time.Instant;

/**
 * A source partition was not read on from where the group was, or was read for the first time.
 *
 * @param kind what happened
 * @param topic source topic
 * @param side A or B; null for a customer's Kafka
 * @param partition source partition
 * @param from position before; -1 where there was none, or it is not known
 * @param to first offset that is read after it
 * @param count offsets that were left out, some of which may never have been messages (markers of
 *     transactions, compaction); 0 where nothing was, -1 where it can't be known
 * @param at when it was seen
 * @param stopped true if the partition stops for it, by {@link PositionPolicy}
 */
public record PositionEvent(
        Kind kind,
        String topic,
        String side,
        int partition,
        long from,
        long to,
        long count,
        Instant at,
        boolean stopped) {

    /** What happened to a position. */
    public enum Kind {
        /** The source removed messages before they were read. */
        GAP,
        /** The source topic was made anew, or is another cluster's. */
        RECREATED,
        /** The log ends before the position: it was cut. It is read again. */
        BEYOND_END,
        /**
         * The group's position is gone at the broker, and the topic is still the one that the
         * database knows: it expired, or somebody deleted it. What came since the last note of it
         * is read again.
         */
        POSITION_GONE,
        /** A partition was added to a topic that was read already. */
        NEW_PARTITION,
        /** The group had no position: {@code startFrom} said where to begin. */
        START;

        /** True if messages may be missing or come twice because of it. */
        public boolean isTrouble() {
            return this != NEW_PARTITION && this != START;
        }
    }

    /** What happened and how it goes on, one line. */
    public String text() {
        String place = topic + "-" + partition + (side == null ? "" : " of side " + side);
        return switch (kind) {
            case GAP ->
                    count
                            + " message(s) of "
                            + place
                            + ", offsets "
                            + from
                            + " to "
                            + (to - 1)
                            + ", were removed at the source before they were read; "
                            + (stopped
                                    ? "it stops there: " + mend() + ", or set onGap=continue"
                                    : "it went on at " + to);
            case RECREATED ->
                    "source topic "
                            + topic
                            + " was made anew; "
                            + place
                            + (from < 0 ? "" : ", which was at " + from + " in the old one,")
                            + (stopped
                                    ? " stops: " + mend() + ", or set onRecreated=earliest"
                                    : " is read from " + to);
            case BEYOND_END ->
                    "position "
                            + from
                            + " of "
                            + place
                            + " is not in its log any more, which was cut; it is read again from "
                            + to;
            case POSITION_GONE ->
                    "the group's position in "
                            + place
                            + " is gone at the broker, expired or deleted; it is read from "
                            + to
                            + (from < 0
                                    ? ", its begin, since none was noted"
                                    : ", as it was noted in the database");
            case NEW_PARTITION -> place + " is new, and is read from its begin, " + to;
            case START ->
                    place
                            + " begins at "
                            + to
                            + ", by startFrom; offsets before it that are not read: "
                            + count;
        };
    }

    private String mend() {
        return "to go on use operation=replay&replayFrom=earliest&partition="
                + partition
                + (side == null ? "" : "&side=" + side);
    }
}
