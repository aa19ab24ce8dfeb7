package dev.streamconnect.engine;

/**
 * How long the destination takes for the chunks of one topic, as seen in one window.
 *
 * @param chunks acknowledged in the window
 * @param millis what those took together, from the send to the acknowledgement
 * @param oldest age in milliseconds of the oldest chunk that is in flight; 0 if there is none
 */
record AckTime(int chunks, long millis, long oldest) {

    static final AckTime NONE = new AckTime(0, 0, 0);

    AckTime plus(long more) {
        return new AckTime(chunks + 1, millis + more, oldest);
    }

    AckTime waiting(long age) {
        return new AckTime(chunks, millis, Math.max(oldest, age));
    }

    /** True if something says how long it takes. */
    boolean isSeen() {
        return chunks > 0 || oldest > 0;
    }

    /** Milliseconds: the mean, or what a chunk without an answer waits already, if that is more. */
    double seen() {
        return Math.max(mean(), oldest);
    }

    /** Milliseconds of the acknowledged ones; 0 if there are none. */
    double mean() {
        return chunks == 0 ? 0 : (double) millis / chunks;
    }
}
