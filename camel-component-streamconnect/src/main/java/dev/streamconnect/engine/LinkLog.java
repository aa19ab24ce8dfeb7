package dev.streamconnect.engine;

import org.slf4j.Logger;
import org.slf4j.MDC;

/**
 * A logger whose lines carry the id of a topic replication or {@code hermes:} consumer in the MDC.
 * Thread-safe.
 *
 * @param logger where the lines go
 * @param id of the link
 */
public record LinkLog(Logger logger, String id) {

    /** The MDC's key. It begins as those of Camel, so that its patterns for keys take it, too. */
    public static final String KEY = "camel.streamconnect.id";

    /**
     * Runs something with the id in this thread's MDC, and has there afterwards what was there
     * before.
     */
    public static void with(String id, Runnable task) {
        String before = MDC.get(KEY);
        MDC.put(KEY, id);
        try {
            task.run();
        } finally {
            if (before == null) {
                MDC.remove(KEY);
            } else {
                MDC.put(KEY, before);
            }
        }
    }

    public void debug(String line, Object... arguments) {
        if (logger.isDebugEnabled()) {
            with(id, () -> logger.debug(line, arguments));
        }
    }

    public void info(String line, Object... arguments) {
        with(id, () -> logger.info(line, arguments));
    }

    public void warn(String line, Object... arguments) {
        with(id, () -> logger.warn(line, arguments));
    }

    public void error(String line, Object... arguments) {
        with(id, () -> logger.error(line, arguments));
    }
}
