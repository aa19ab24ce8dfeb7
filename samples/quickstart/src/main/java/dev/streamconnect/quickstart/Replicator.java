package dev.streamconnect.quickstart;

import java.io.IOException;
import org.apache.camel.main.Main;

/**
 * The application that replicates: Camel Main with {@code application.properties} of the working
 * directory. All it adds is that it ends with its standard input if {@code
 * -Dreplicator.stopOnEof=true} says so.
 */
public final class Replicator {

    private Replicator() {}

    /** Runs until it is told to end. */
    public static void main(String[] args) throws Exception {
        Main main = new Main();
        main.setDefaultPropertyPlaceholderLocation("file:application.properties");
        if (Boolean.getBoolean("replicator.stopOnEof")) {
            Thread watch = new Thread(() -> awaitEof(main), "stop-on-eof");
            watch.setDaemon(true);
            watch.start();
        }
        System.exit(main.run(args));
    }

    private static void awaitEof(Main main) {
        try {
            while (System.in.read() >= 0) {
                // what is written to it has no meaning
            }
        } catch (IOException e) {
            // as good as its end
        }
        main.completed();
    }
}
