package dev.streamconnect.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/**
 * Takes the log of the replicators and of Kafka's clients in this JVM, away from the console, until
 * it is closed.
 */
final class CapturedLog implements AutoCloseable {

    /** One line, without its stack trace. */
    record Line(Level level, String logger, String text) {

        boolean isWarning() {
            return level.isMoreSpecificThan(Level.WARN);
        }

        boolean isOurs() {
            return logger.startsWith(OURS);
        }

        @Override
        public String toString() {
            return level + " " + logger.substring(logger.lastIndexOf('.') + 1) + " " + text;
        }
    }

    private static final String OURS = "dev.streamconnect";
    private static final String KAFKA = "org.apache.kafka";

    /** What the quickstart's logging raises to ERROR; everything else of Kafka is at WARN there. */
    private static final List<String> RAISED =
            List.of(
                    KAFKA + ".clients.NetworkClient",
                    KAFKA + ".clients.Metadata",
                    KAFKA + ".clients.consumer.internals",
                    KAFKA + ".clients.producer.internals",
                    KAFKA + ".clients.FetchSessionHandler",
                    KAFKA + ".clients.admin",
                    KAFKA + ".clients.consumer.ConsumerConfig");

    private final LoggerContext context = (LoggerContext) LogManager.getContext(false);
    private final Map<String, LoggerConfig> before =
            new java.util.HashMap<>(context.getConfiguration().getLoggers());
    private final List<Line> lines = new ArrayList<>();

    /** Of us and of Kafka from INFO on, as a root level of INFO shows them. */
    static CapturedLog start() {
        return start(List.of());
    }

    /**
     * @param more loggers to take from WARN on
     */
    static CapturedLog start(List<String> more) {
        CapturedLog log = new CapturedLog();
        Appender appender = log.new Appender();
        appender.start();
        log.take(OURS, Level.INFO, appender);
        log.take(KAFKA, Level.INFO, appender);
        more.forEach(logger -> log.take(logger, Level.WARN, appender));
        log.context.updateLoggers();
        return log;
    }

    private void take(String logger, Level level, Appender appender) {
        LoggerConfig config = new LoggerConfig(logger, level, false);
        config.addAppender(appender, level, null);
        context.getConfiguration().removeLogger(logger);
        context.getConfiguration().addLogger(logger, config);
    }

    List<Line> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /** Forgets what was logged so far. */
    void clear() {
        synchronized (lines) {
            lines.clear();
        }
    }

    /** Our own at WARN and above. */
    List<Line> ourWarnings() {
        return lines().stream().filter(line -> line.isOurs() && line.isWarning()).toList();
    }

    /** What the quickstart's logging shows at WARN and above, of us and of Kafka. */
    List<Line> recommendedWarnings() {
        return lines().stream()
                .filter(Line::isWarning)
                .filter(
                        line ->
                                line.level().isMoreSpecificThan(Level.ERROR)
                                        || RAISED.stream().noneMatch(line.logger()::startsWith))
                .toList();
    }

    /** Of Kafka's clients at WARN and above, as without any logging configuration for them. */
    List<Line> kafkaWarnings() {
        return lines().stream().filter(line -> !line.isOurs() && line.isWarning()).toList();
    }

    /** How often a consumer joined a group. */
    long joins() {
        return lines().stream()
                .filter(line -> line.text().contains("Successfully joined group"))
                .count();
    }

    /** Numbers of Kafka's lines by logger, for a failed assertion or a report. */
    String kafkaByLogger() {
        return kafkaWarnings().stream()
                .collect(
                        Collectors.groupingBy(
                                line -> line.logger().substring(line.logger().lastIndexOf('.') + 1),
                                java.util.TreeMap::new,
                                Collectors.counting()))
                .toString();
    }

    @Override
    public void close() {
        for (String logger : List.copyOf(context.getConfiguration().getLoggers().keySet())) {
            if (before.get(logger) != context.getConfiguration().getLoggers().get(logger)) {
                context.getConfiguration().removeLogger(logger);
            }
        }
        before.forEach(
                (name, config) -> {
                    if (!context.getConfiguration().getLoggers().containsKey(name)) {
                        context.getConfiguration().addLogger(name, config);
                    }
                });
        context.updateLoggers();
    }

    private final class Appender extends AbstractAppender {

        Appender() {
            super("captured", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            Line line =
                    new Line(
                            event.getLevel(),
                            event.getLoggerName(),
                            event.getMessage().getFormattedMessage());
            synchronized (lines) {
                lines.add(line);
            }
        }
    }
}
