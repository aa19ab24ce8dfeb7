package dev.streamconnect.engine;

import dev.streamconnect.record.StartFrom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Where a side of the pair begins that has no position, with {@code startFrom: latest}: what came
 * while the link could read the other side alone must not be skipped. Thread-safe.
 *
 * <ul>
 *   <li>Both sides at their ends, where neither has a position and both are there when the link is
 *       opened: its first start.
 *   <li>At the beginning, where the other side has positions: the link was read before, without
 *       this side.
 *   <li>At the time at which the link was opened, less {@link #MARGIN}, where this side comes
 *       later, or the other one can't be asked.
 * </ul>
 */
final class PairStart {

    /** So long a side waits to be told of the other one. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Messages get their timestamp somewhat before they arrive, by another clock. */
    static final Duration MARGIN = Duration.ofMinutes(5);

    private final Clock clock;
    private final Instant opened;
    private final Map<String, Boolean> hasPositions = new HashMap<>();

    PairStart(Clock clock) {
        this.clock = clock;
        this.opened = clock.instant();
    }

    /** A side's group was asked for the first time: what it said counts, later ones are ours. */
    synchronized void asked(String side, boolean positions) {
        hasPositions.putIfAbsent(side, positions);
    }

    /** Null as long as the other side may tell more. */
    synchronized StartFrom latest(String side) {
        Boolean other = hasPositions.get(side.equals("A") ? "B" : "A");
        if (Boolean.TRUE.equals(other)) {
            return StartFrom.EARLIEST;
        }
        if (!opened.plus(PATIENCE).isAfter(clock.instant())) {
            return new StartFrom.At(opened.minus(MARGIN));
        }
        return other == null ? null : StartFrom.LATEST;
    }
}
