package dev.streamconnect.quickstart;

import dev.streamconnect.camel.main.StreamConnectMain;
import java.io.IOException;
import org.apache.camel.main.Main;

/**
 * The application that replicates: Camel Main with the {@code application.properties} of the
 * working directory, or another that its one argument names. The launcher of the component says a
 * mistake in one line and answers with an exit code; all that is added here is that it ends with
 * its standard input if {@code -Dreplicator.stopOnEof=true} says so.
 */
public final class Replicator {

    private Replicator() {}

    /** Runs until it is told to end. */
    public static void main(String[] args) {
        Main main = new Main();
        if (Boolean.getBoolean("replicator.stopOnEof")) {
            Thread watch = new Thread(() -> awaitEof(main), "stop-on-eof");
            watch.setDaemon(true);
            watch.start();
        }
        String[] application = args.length == 0 ? new String[] {"application.properties"} : args;
        System.exit(StreamConnectMain.run(main, application, System.err));
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
