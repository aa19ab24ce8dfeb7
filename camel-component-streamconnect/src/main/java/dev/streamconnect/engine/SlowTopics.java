package dev.streamconnect.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Tells which topics of a destination client are slow: whose chunks take much longer than those of
 * their neighbours, window after window. What slows all of them, such as an outage, a quota or a
 * long way, makes none of them slow.
 *
 * <p>{@link #look} by one housekeeping thread at a time; the answers for any thread.
 */
final class SlowTopics {

    private static final Duration WINDOW = Duration.ofSeconds(5);

    /** So many windows in a row are no accident. */
    private static final int ROW = 3;

    /** So many times as long as the neighbours take. */
    private static final double FACTOR = 4;

    /** And so much longer, milliseconds: what takes no time is not worth a client. */
    private static final double MORE_MILLIS = 100;

    private final Map<String, Integer> inARow = new HashMap<>();
    private Instant windowEnds = Instant.EPOCH;
    private volatile Map<String, AckTime> last = Map.of();
    private volatile Set<String> slow = Set.of();
    private volatile int windows;

    /**
     * Takes the next window when it is over.
     *
     * @param window what was seen since it was asked for last, by topic; without topics that are
     *     closed or in doubt
     */
    void look(Instant now, Supplier<Map<String, AckTime>> window) {
        if (now.isBefore(windowEnds)) {
            return;
        }
        windowEnds = now.plus(WINDOW);
        last = window.get();
        inARow.keySet().retainAll(last.keySet());
        Set<String> slowNow = new HashSet<>();
        last.forEach(
                (topic, time) -> {
                    if (time.isSeen()) {
                        inARow.merge(topic, 1, (before, one) -> before + one);
                        if (!isLong(time.seen(), neighbours(topic))) {
                            inARow.remove(topic);
                        }
                    }
                    if (inARow.getOrDefault(topic, 0) >= ROW) {
                        slowNow.add(topic);
                    }
                });
        slow = Set.copyOf(slowNow);
        windows++;
    }

    private static boolean isLong(double millis, double neighbours) {
        return millis >= FACTOR * neighbours && millis >= neighbours + MORE_MILLIS;
    }

    /** True if it is not worth a client, by a good margin; also without a measure. */
    static boolean isShort(double millis, double neighbours) {
        return Double.isNaN(millis)
                || millis < 2 * neighbours
                || millis < neighbours + MORE_MILLIS / 2;
    }

    boolean isSlow(String topic) {
        return slow.contains(topic);
    }

    /** Milliseconds that a topic took in the last window; NaN if nothing says so. */
    double millis(String topic) {
        AckTime time = last.getOrDefault(topic, AckTime.NONE);
        return time.isSeen() ? time.seen() : Double.NaN;
    }

    /**
     * Milliseconds that the faster of the others took in the last window, the lower quartile, so
     * that several slow ones are not each other's measure; NaN if nothing was acknowledged to them.
     */
    double neighbours(String topic) {
        List<Double> others =
                last.entrySet().stream()
                        .filter(each -> !each.getKey().equals(topic))
                        .filter(each -> each.getValue().chunks() > 0)
                        .map(each -> each.getValue().mean())
                        .sorted()
                        .toList();
        return others.isEmpty() ? Double.NaN : others.get(others.size() / 4);
    }

    /** How many windows have ended. */
    int windows() {
        return windows;
    }
}
