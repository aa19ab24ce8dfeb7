package dev.streamconnect.spi;

import java.time.Instant;
import java.util.List;

/**
 * Chooses rows; what is null does not restrict.
 *
 * @param links ids of topic replications or destination topics of senders without a source; an
 *     empty list chooses nothing
 * @param reason why they are stored
 * @param state what they wait for
 * @param from stored at this time or later
 * @param to stored before this time
 * @param ids the rows themselves; an empty list chooses nothing
 * @param topics of this pair; see {@link TopicPair#takes}
 */
public record RowSelector(
        List<String> links,
        Reason reason,
        StoredState state,
        Instant from,
        Instant to,
        List<Long> ids,
        TopicPair topics) {

    /** Every row. */
    public static final RowSelector ALL = new RowSelector(null, null, null, null, null, null, null);

    /** Rows of topic replications (or destination topics). */
    public static RowSelector ofLinks(List<String> links) {
        return new RowSelector(links, null, null, null, null, null, null);
    }

    /** True if nothing but the links restricts it. */
    public boolean isBroad() {
        return reason == null
                && state == null
                && from == null
                && to == null
                && ids == null
                && topics == null;
    }
}
