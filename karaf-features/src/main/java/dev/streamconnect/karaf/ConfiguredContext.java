package dev.streamconnect.karaf;

import dev.streamconnect.camel.main.StreamConnectMain;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.camel.main.Main;
import org.apache.camel.main.SimpleMainShutdownStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Camel context of a folder: its {@code application.properties} is Camel Main's, and the routes
 * are the files {@code *.camel.yaml} beside it, unless the properties say otherwise. It runs on a
 * thread of its own. What keeps it from starting is logged in one line; the bundle stays active.
 */
final class ConfiguredContext {

    private static final Logger LOG = LoggerFactory.getLogger(ConfiguredContext.class);

    private final Path folder;
    private final ClassLoader loader;
    private final Main main = new Main();
    private final SimpleMainShutdownStrategy end = new SimpleMainShutdownStrategy();
    private final Thread thread = new Thread(this::run, "streamconnect-runtime");

    /**
     * @param folder with the application.properties; it need not be there
     * @param loader what Camel loads components and their files with
     */
    ConfiguredContext(Path folder, ClassLoader loader) {
        this.folder = folder;
        this.loader = loader;
    }

    /** Returns at once. */
    void start() {
        Path properties = folder.resolve("application.properties");
        if (!Files.isRegularFile(properties)) {
            LOG.info("no Camel context is started: there is no {}", properties);
            return;
        }
        thread.setContextClassLoader(loader);
        thread.start();
    }

    private void run() {
        // The container ends the context, not the end of the JVM.
        main.setShutdownStrategy(end);
        main.addInitialProperty(
                "camel.main.routesIncludePattern", "file:" + folder + "/*.camel.yaml");
        // As Karaf's own guard of JMX has it. The properties of the folder may say otherwise.
        main.addInitialProperty(
                "camel.component.replication.adminRoles", "message_replication_admin,admin");
        main.addInitialProperty(
                "camel.component.replication.userRoles", "message_replication_user,viewer");
        var errors = new ByteArrayOutputStream();
        String[] arguments = {folder.resolve("application.properties").toString()};
        try (var lines = new PrintStream(errors, false, StandardCharsets.UTF_8)) {
            StreamConnectMain.run(main, arguments, lines);
        }
        if (errors.size() > 0) {
            LOG.error("{}", errors.toString(StandardCharsets.UTF_8).strip());
        }
    }

    /**
     * Has the context stop and waits for it.
     *
     * @return whether it did within the limit
     * @throws InterruptedException if the wait is interrupted; the context goes on stopping
     */
    boolean stop(long limitSeconds) throws InterruptedException {
        main.completed();
        thread.join(TimeUnit.SECONDS.toMillis(limitSeconds));
        return !thread.isAlive();
    }
}
