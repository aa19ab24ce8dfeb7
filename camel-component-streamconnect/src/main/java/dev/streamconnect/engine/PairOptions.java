package dev.streamconnect.engine;

import dev.streamconnect.record.Deduplicate;
import dev.streamconnect.record.FailoverOrder;
import java.time.Duration;
import java.util.Objects;

/**
 * How a link puts the two sides of Hermes together; means nothing for one source.
 *
 * @param order what is handed out first
 * @param drainLimit how long messages of a side wait for the other one, with {@link
 *     FailoverOrder#DRAIN_FIRST}
 * @param deduplicate what is done with a message that the other side had before
 * @param deduplicateWindow so many messages are remembered for it
 */
public record PairOptions(
        FailoverOrder order, Duration drainLimit, Deduplicate deduplicate, int deduplicateWindow) {

    /** Each side as it comes; repeats are not looked for. */
    public static final PairOptions DEFAULT =
            new PairOptions(FailoverOrder.FAST, Duration.ofSeconds(60), Deduplicate.NONE, 10_000);

    public PairOptions {
        Objects.requireNonNull(order, "order");
        Objects.requireNonNull(drainLimit, "drainLimit");
        Objects.requireNonNull(deduplicate, "deduplicate");
    }

    /** The same with what a topic replication says itself. */
    public PairOptions with(FailoverOrder ownOrder, Deduplicate ownDeduplicate) {
        return new PairOptions(ownOrder, drainLimit, ownDeduplicate, deduplicateWindow);
    }
}
