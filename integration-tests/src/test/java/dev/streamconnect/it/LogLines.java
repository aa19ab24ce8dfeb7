package dev.streamconnect.it;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** Warnings and errors that this JVM writes while it is open. */
final class LogLines implements AutoCloseable {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<String> traces = new CopyOnWriteArrayList<>();
    private final LoggerContext context = (LoggerContext) LogManager.getContext(false);
    private final AbstractAppender appender =
            new AbstractAppender(
                    "lines-" + COUNT.incrementAndGet(), null, null, true, Property.EMPTY_ARRAY) {
                @Override
                public void append(LogEvent event) {
                    lines.add(event.getMessage().getFormattedMessage());
                    if (event.getThrown() != null) {
                        traces.add(event.getMessage().getFormattedMessage());
                    }
                }
            };

    LogLines() {
        appender.start();
        context.getConfiguration().getRootLogger().addAppender(appender, Level.WARN, null);
        context.updateLoggers();
    }

    /** Those that hold the text. */
    List<String> with(String text) {
        return lines.stream().filter(line -> line.contains(text)).toList();
    }

    /** Those that came with a stack trace. */
    List<String> withStackTrace() {
        return traces;
    }

    @Override
    public void close() {
        context.getConfiguration().getRootLogger().removeAppender(appender.getName());
        context.updateLoggers();
    }
}
