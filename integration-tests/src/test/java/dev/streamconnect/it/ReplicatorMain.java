package dev.streamconnect.it;

import dev.streamconnect.camel.main.StreamConnectMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.camel.CamelContext;
import org.apache.camel.main.Main;

/**
 * The process of a {@link ReplicatorProcess}: the product's launcher, which answers {@code status}
 * on standard input and stops at its end.
 */
final class ReplicatorMain {

    static final String READY = "replicator: ready";
    static final String STATUS = "replicator: status ";

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
        Thread commands = new Thread(() -> obey(main), "commands");
        commands.setDaemon(true);
        commands.start();
        System.exit(StreamConnectMain.run(main, arguments, System.err));
    }

    private static void obey(Main main) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            while (lines.readLine() != null) {
                System.out.println(STATUS + status(main.getCamelContext()));
            }
            main.completed();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String status(CamelContext context) {
        return context == null || !context.isStarted()
                ? "[]"
                : context.createProducerTemplate()
                        .requestBody(
                                "replication:*?operation=status&json=true", null, String.class);
    }
}
