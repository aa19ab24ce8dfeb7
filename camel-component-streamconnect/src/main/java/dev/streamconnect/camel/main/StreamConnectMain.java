package dev.streamconnect.camel.main;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.camel.main.Main;

/**
 * Runs Camel Main and says a mistake in configuration, records or routes in one line instead of a
 * stack trace. The exit code is 1 if it did not start. Needs camel-main.
 *
 * <p>Environment variables win over the properties: {@code CAMEL_COMPONENT_HERMES_INSTANCE} is
 * {@code camel.component.hermes.instance}. System properties win over both.
 *
 * <p>Its one argument, which may be left out, is the path of the application.properties; without it
 * Camel Main looks where it always does.
 */
public final class StreamConnectMain {

    private static final int NOT_STARTED = 1;

    private StreamConnectMain() {}

    /** Runs until the process is told to end. */
    public static void main(String[] arguments) {
        System.exit(run(new Main(), arguments, System.err));
    }

    /**
     * Runs until the context stops; the caller ends the process.
     *
     * @param main not started
     * @param arguments none, or the path of the application.properties
     * @param errors gets the one line
     * @return the exit code
     */
    public static int run(Main main, String[] arguments, PrintStream errors) {
        try {
            configure(main, arguments);
            EnvironmentOptions.of(System.getenv()).forEach(main::addOverrideProperty);
            main.addMainListener(new StartCheck());
            main.run();
            return Math.max(0, main.getExitCode());
        } catch (Exception e) {
            // Otherwise the hook at the end of the JVM logs that it was killed from outside.
            main.completed();
            String routes = main.configure().getRoutesIncludePattern();
            errors.println("not started: " + StartFailure.describe(e, routes));
            return NOT_STARTED;
        }
    }

    static void configure(Main main, String[] arguments) {
        if (arguments.length > 1) {
            throw new IllegalArgumentException(
                    arguments.length
                            + " arguments are given; give the path of the application.properties only");
        }
        if (arguments.length == 1) {
            Path file = Path.of(arguments[0]).toAbsolutePath();
            if (!Files.isRegularFile(file)) {
                throw new IllegalArgumentException(
                        "there is no file "
                                + file
                                + "; give the path of the application.properties");
            }
            main.setDefaultPropertyPlaceholderLocation("file:" + file);
        }
    }
}
