package dev.streamconnect.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/** What one logger writes at INFO and above while this is open, level first. */
final class LogLines implements AutoCloseable {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final LoggerContext context = (LoggerContext) LogManager.getContext(false);
    private final String logger;

    LogLines(String logger) {
        this.logger = logger;
        AbstractAppender appender =
                new AbstractAppender(
                        "lines-" + COUNT.incrementAndGet(),
                        null,
                        null,
                        true,
                        Property.EMPTY_ARRAY) {
                    @Override
                    public void append(LogEvent event) {
                        lines.add(
                                event.getLevel() + " " + event.getMessage().getFormattedMessage());
                    }
                };
        appender.start();
        LoggerConfig own = new LoggerConfig(logger, Level.INFO, false);
        own.addAppender(appender, Level.INFO, null);
        context.getConfiguration().addLogger(logger, own);
        context.updateLoggers();
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void close() {
        context.getConfiguration().removeLogger(logger);
        context.updateLoggers();
    }
}
