package dev.streamconnect.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How large a share of the time the brokers of one connection have asked to wait (quotas). What a
 * broker asks for begins when it is heard; what several ask for at once counts once. Not
 * thread-safe.
 */
final class QuotaWaits {

    static final Duration WINDOW = Duration.ofSeconds(10);

    /** From this share on it is said. */
    private static final double CONSIDERABLE = 0.25;

    private record Wait(long began, long ends) {}

    private final Deque<Wait> waits = new ArrayDeque<>();
    private Instant since;

    /**
     * A broker asks to wait so long from now on, in milliseconds.
     *
     * @return how much of it nobody had asked for yet
     */
    long asked(long millis, Instant now) {
        long began = now.toEpochMilli();
        long ends = began + millis;
        Wait last = waits.peekLast();
        if (last != null && last.ends() >= began) {
            waits.pollLast();
            waits.add(new Wait(last.began(), Math.max(last.ends(), ends)));
            return Math.max(0, ends - last.ends());
        }
        waits.add(new Wait(began, ends));
        return millis;
    }

    /** Of the last {@link #WINDOW}, 0 to 1. */
    double share(Instant now) {
        long end = now.toEpochMilli();
        long begin = end - WINDOW.toMillis();
        while (!waits.isEmpty() && waits.peek().ends() <= begin) {
            waits.poll();
        }
        long covered = 0;
        for (Wait wait : waits) {
            covered += Math.max(0, Math.min(wait.ends(), end) - Math.max(wait.began(), begin));
        }
        return (double) covered / WINDOW.toMillis();
    }

    /** Since when the share is considerable; null if it is not. */
    Instant since(Instant now) {
        if (share(now) < CONSIDERABLE) {
            since = null;
        } else if (since == null) {
            since = now;
        }
        return since;
    }
}
