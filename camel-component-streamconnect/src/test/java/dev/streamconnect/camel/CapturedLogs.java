package dev.streamconnect.camel;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** The warnings and errors written while it is open, unless it is made for others. */
public final class CapturedLogs implements AutoCloseable {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final LoggerContext context = (LoggerContext) LogManager.getContext(false);
    private final String logger;
    private final Level least;
    private final Level level;
    private final AbstractAppender appender =
            new AbstractAppender(
                    "captured-" + COUNT.incrementAndGet(), null, null, true, Property.EMPTY_ARRAY) {
                @Override
                public void append(LogEvent event) {
                    if (event.getLevel().isMoreSpecificThan(least)
                            && event.getLoggerName().startsWith(logger)) {
                        lines.add(event.getMessage().getFormattedMessage());
                    }
                }
            };

    /** Warnings and errors. */
    public CapturedLogs() {
        this("", Level.WARN);
    }

    /** What is written by loggers below a name, from a level on. */
    public CapturedLogs(String logger, Level least) {
        this.logger = logger;
        this.least = least;
        appender.start();
        context.getConfiguration().getRootLogger().addAppender(appender, least, null);
        level = context.getConfiguration().getRootLogger().getLevel();
        context.getConfiguration().getRootLogger().setLevel(least);
        context.updateLoggers();
    }

    /** What was written so far. */
    public List<String> lines() {
        return lines;
    }

    @Override
    public void close() {
        context.getConfiguration().getRootLogger().removeAppender(appender.getName());
        context.getConfiguration().getRootLogger().setLevel(level);
        context.updateLoggers();
    }
}
