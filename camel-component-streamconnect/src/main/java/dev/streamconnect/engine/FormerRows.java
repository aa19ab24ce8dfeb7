package dev.streamconnect.engine;

import dev.streamconnect.spi.OriginTotals;
import dev.streamconnect.spi.TopicPair;
import java.util.List;

/**
 * Undelivered messages of a link that were stored when its record connected other topics: they are
 * kept, and not sent to the present ones.
 *
 * @param count waiting and parked
 * @param topics of the first of them; null if there are none
 */
record FormerRows(long count, TopicPair topics) {

    static final FormerRows NONE = new FormerRows(0, null);

    static FormerRows of(List<OriginTotals> totals) {
        long count = totals.stream().mapToLong(each -> each.waiting() + each.parked()).sum();
        return count == 0 ? NONE : new FormerRows(count, totals.get(0).topics());
    }

    /** What they are and how to mend it, one line. */
    String text() {
        return count
                + (count == 1 ? " undelivered message is" : " undelivered messages are")
                + " of "
                + topics
                + ", which its record does not connect any more, and not sent: give the record these topics back to send them, or export and discard them";
    }
}
