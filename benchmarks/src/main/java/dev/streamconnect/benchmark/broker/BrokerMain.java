package dev.streamconnect.benchmark.broker;

import java.io.IOException;

/**
 * The process of a broker: Kafka's own main class, which ends with standard input. Argument: the
 * server's properties.
 */
public final class BrokerMain {

    private BrokerMain() {}

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Thread end = new Thread(BrokerMain::exitAtEndOfInput, "end-of-input");
        end.setDaemon(true);
        end.start();
        // The broker's libraries are on the class path of this process only.
        Class.forName("kafka.Kafka")
                .getMethod("main", String[].class)
                .invoke(null, (Object) arguments);
    }

    private static void exitAtEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // nothing is asked of it
            }
        } catch (IOException e) {
            // the same as its end
        }
        System.exit(0);
    }
}
