package dev.streamconnect.it;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.camel.CamelContext;
import org.apache.camel.console.DevConsole;
import org.apache.camel.console.DevConsoleRegistry;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.core.config.Property;

/**
 * Looks for secrets in what this JVM logs while it is open, ours and Kafka's from DEBUG on, with
 * stack traces, in JMX and in consoles. Nothing of it gets to the console meanwhile.
 */
final class SecretSearch implements AutoCloseable {

    /** Camel itself writes each placeholder with its value at DEBUG. */
    private static final Map<String, Level> LOGGERS =
            Map.of(
                    "dev.streamconnect", Level.DEBUG,
                    "org.apache.kafka", Level.DEBUG,
                    "org.apache.camel", Level.INFO);

    private final List<String> secrets;
    private final LoggerContext context = (LoggerContext) LogManager.getContext(false);
    private final List<String> found = new CopyOnWriteArrayList<>();
    private final AtomicLong lines = new AtomicLong();
    private final Set<String> places = ConcurrentHashMap.newKeySet();
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final Map<String, LoggerConfig> before =
            new HashMap<>(context.getConfiguration().getLoggers());

    SecretSearch(List<String> secrets) {
        this.secrets = List.copyOf(secrets);
        AbstractAppender appender =
                new AbstractAppender("secrets", null, null, true, Property.EMPTY_ARRAY) {
                    @Override
                    public void append(LogEvent event) {
                        look(event);
                    }
                };
        appender.start();
        LOGGERS.forEach(
                (logger, level) -> {
                    LoggerConfig config = new LoggerConfig(logger, level, false);
                    config.addAppender(appender, level, null);
                    context.getConfiguration().removeLogger(logger);
                    context.getConfiguration().addLogger(logger, config);
                });
        context.updateLoggers();
    }

    private void look(LogEvent event) {
        lines.incrementAndGet();
        String text = event.getMessage().getFormattedMessage();
        if (event.getThrown() != null) {
            StringWriter trace = new StringWriter();
            event.getThrown().printStackTrace(new PrintWriter(trace));
            text += "\n" + trace;
        }
        look(event.getLoggerName(), text);
        if (event.getLevel().isMoreSpecificThan(Level.WARN)
                && event.getLoggerName().startsWith("dev.streamconnect")) {
            warnings.add(text);
        }
    }

    /** Looks at any other text. */
    void look(String place, String text) {
        places.add(place);
        secrets.stream()
                .filter(text::contains)
                .findFirst()
                .ifPresent(secret -> found.add(place + ": " + text));
    }

    /** Looks at all attributes of all beans. */
    void lookAtJmx() {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        for (ObjectName name : server.queryNames(null, null)) {
            look("jmx", name.toString());
            try {
                for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
                    look(name + " " + attribute.getName(), value(server, name, attribute));
                }
            } catch (JMException e) {
                // gone meanwhile
            }
        }
    }

    private static String value(MBeanServer server, ObjectName name, MBeanAttributeInfo attribute) {
        try {
            Object value = server.getAttribute(name, attribute.getName());
            return value instanceof Object[] array
                    ? Arrays.deepToString(array)
                    : String.valueOf(value);
        } catch (JMException | RuntimeException e) {
            return String.valueOf(e);
        }
    }

    /** Looks at all dev consoles, ours and those of Camel. */
    void lookAtConsoles(CamelContext context) {
        DevConsoleRegistry consoles =
                context.getCamelContextExtension().getContextPlugin(DevConsoleRegistry.class);
        consoles.loadDevConsoles(true);
        consoles.stream()
                // Camel's own, which shows properties as they are written; its JSON masks none.
                .filter(console -> !console.getId().equals("properties"))
                .forEach(
                        console -> {
                            for (DevConsole.MediaType type : DevConsole.MediaType.values()) {
                                look(
                                        "console " + console.getId() + " " + type,
                                        String.valueOf(console.call(type)));
                            }
                        });
    }

    /** What was looked at: loggers, beans with their attributes, consoles, other texts. */
    Set<String> places() {
        return places;
    }

    /** Where a secret was. */
    List<String> found() {
        return found;
    }

    /** Our own warnings so far, with their stack traces. */
    List<String> warnings() {
        return warnings;
    }

    /** How many lines were looked at. */
    long lines() {
        return lines.get();
    }

    @Override
    public void close() {
        LOGGERS.keySet().forEach(context.getConfiguration()::removeLogger);
        before.forEach(
                (name, config) -> {
                    if (!context.getConfiguration().getLoggers().containsKey(name)) {
                        context.getConfiguration().addLogger(name, config);
                    }
                });
        context.updateLoggers();
    }
}
