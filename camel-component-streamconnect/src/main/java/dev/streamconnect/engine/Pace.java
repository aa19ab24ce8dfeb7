package dev.streamconnect.engine;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A limit of bytes a second that clients share, as a bucket that may be in debt: who asks may go on
 * while something is left, and what it then takes, however large, is paid by a wait of all. So the
 * sum is exact whatever the size of a message. A client that took last lets those go first that
 * wait.
 *
 * <p>Thread-safe; never blocks.
 */
final class Pace {

    /** No limit. */
    static final Pace NONE = new Pace("", 0, System::nanoTime);

    /** What may be saved up: so much of a second. */
    private static final double BURST_SECONDS = 0.1;

    /** Largest part at once where the sender has the choice: so many of them a second. */
    private static final int PARTS = 4;

    private static final int SMALLEST_PART = 16 * 1024;
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    /** How long one that waits is waited for when its time has come. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final String option;
    private final long rate;
    private final LongSupplier nanoTime;
    private final Map<Object, Long> waiting = new HashMap<>();
    private Object last;
    private double left;
    private long filledAt;

    /**
     * @param option that sets it, for people
     * @param rate bytes a second; 0 for no limit
     */
    Pace(String option, long rate, LongSupplier nanoTime) {
        this.option = option;
        this.rate = rate;
        this.nanoTime = nanoTime;
        this.left = rate * BURST_SECONDS;
        this.filledAt = nanoTime.getAsLong();
    }

    boolean isOn() {
        return rate > 0;
    }

    /** How long somebody has to wait before it may go on, 0 for not at all. */
    synchronized long nanosToWait(Object who) {
        if (!isOn()) {
            return 0;
        }
        long now = fill();
        if (left <= 0) {
            long nanos = (long) Math.ceil(-left * SECOND / rate) + 1;
            waiting.put(who, now + nanos);
            return nanos;
        }
        waiting.values().removeIf(due -> due + GRACE_NANOS < now);
        waiting.remove(who);
        return who == last && !waiting.isEmpty() ? GRACE_NANOS / PARTS : 0;
    }

    /** Somebody went on with so many bytes. */
    synchronized void took(Object who, long bytes) {
        if (isOn() && bytes > 0) {
            fill();
            left -= bytes;
            last = who;
        }
    }

    /** True while everybody has to wait. */
    synchronized boolean isHolding() {
        if (!isOn()) {
            return false;
        }
        fill();
        return left <= 0;
    }

    private long fill() {
        long now = nanoTime.getAsLong();
        left = Math.min(rate * BURST_SECONDS, left + (now - filledAt) * rate / SECOND);
        filledAt = now;
        return now;
    }

    /** What should go at once, in bytes, where it need not be more. */
    int part(int wanted) {
        return isOn() ? (int) Math.min(wanted, Math.max(SMALLEST_PART, rate / PARTS)) : wanted;
    }

    /** Words for people. */
    String reason() {
        return option + "=" + rate + " of this node holds messages back";
    }
}
