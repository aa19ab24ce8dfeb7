package dev.streamconnect.engine;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;

/**
 * Finds the topic whose messages can't be read, when a poll fails for all topics of the client and
 * does not say for which: each is polled alone. Poll thread only.
 */
final class UnreadableSearch {

    private final Deque<String> left = new ArrayDeque<>();
    private String polled;

    /** True while other topics than this one are polled. */
    boolean isHeldBack(String topic) {
        return polled != null && !polled.equals(topic);
    }

    /** True while one topic is polled alone. */
    boolean isUnderWay() {
        return polled != null;
    }

    /**
     * A poll failed.
     *
     * @param assigned topics that may be at fault
     * @return the one that is; null if the search has begun
     */
    String failed(Collection<String> assigned) {
        if (assigned.size() == 1) {
            polled = assigned.iterator().next();
        }
        if (polled != null && assigned.contains(polled)) {
            String found = polled;
            polled = null;
            left.clear();
            return found;
        }
        left.clear();
        left.addAll(assigned);
        polled = left.poll();
        return null;
    }

    /** A poll worked: what was polled alone is not it. */
    void worked() {
        if (polled != null) {
            polled = left.poll();
        }
    }
}
