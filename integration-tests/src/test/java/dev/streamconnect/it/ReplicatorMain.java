package dev.streamconnect.it;

import dev.streamconnect.camel.main.StreamConnectMain;
import dev.streamconnect.spi.UndeliveredStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.camel.CamelContext;
import org.apache.camel.main.Main;

/**
 * The process of a {@link ReplicatorProcess}: the product's launcher, which answers operations on
 * standard input and stops at its end. A {@link ChosenKill} may end it before.
 */
final class ReplicatorMain {

    static final String READY = "replicator: ready";
    static final String ANSWER = "replicator: answer ";

    private ReplicatorMain() {}

    public static void main(String[] arguments) {
        Main main =
                new Main() {
                    @Override
                    protected void afterStart() throws Exception {
                        super.afterStart();
                        System.out.println(READY);
                    }
                };
        UndeliveredStore store = ChosenKill.store();
        if (store != null) {
            main.bind("store", store);
        }
        Thread commands = new Thread(() -> obey(main), "commands");
        commands.setDaemon(true);
        commands.start();
        System.exit(StreamConnectMain.run(main, arguments, System.err));
    }

    private static void obey(Main main) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println(ANSWER + answer(main.getCamelContext(), line));
            }
            main.completed();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String answer(CamelContext context, String operation) {
        return context == null || !context.isStarted()
                ? "[]"
                : context.createProducerTemplate()
                        .requestBody(
                                "replication:*?json=true&operation=" + operation,
                                null,
                                String.class);
    }
}
