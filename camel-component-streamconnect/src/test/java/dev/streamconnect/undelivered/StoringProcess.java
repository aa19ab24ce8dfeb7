package dev.streamconnect.undelivered;

import dev.streamconnect.record.Secret;
import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Stores messages until it is killed, and prints each offset after its commit. Beside them it keeps
 * one pair of messages, which goes in one call when the next one is stored. Or it stores one
 * message, after it has printed how many are there, and ends at once as if it were killed.
 */
final class StoringProcess {

    static final MessageOrigin LOG = new MessageOrigin("log", "", 0);
    static final MessageOrigin PAIR = new MessageOrigin("pair", "", 0);

    private StoringProcess() {}

    /** Arguments: URL, first offset; {@code once} for one message. */
    public static void main(String[] arguments) {
        if (arguments.length == 3) {
            storeOnce(arguments[0], Long.parseLong(arguments[1]));
        }
        try (UndeliveredDatabase database = open(arguments[0])) {
            UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);
            for (long offset = Long.parseLong(arguments[1]); true; offset++) {
                store.store(List.of(Stored.at(offset).origin(LOG).message()));
                List<Long> pair =
                        store.list(RowSelector.ofLinks(List.of("pair")), 0, 10).stream()
                                .map(StoredMessage::id)
                                .toList();
                Stored half = Stored.at(offset).origin(PAIR).value(new byte[20_000]);
                store.store(List.of(half.message(), half.occurrence(1).message()));
                store.delivered(pair);
                System.out.println(offset);
            }
        }
    }

    /** Starts one; its errors go to a file. */
    static Process start(Path errors, String url, long first, String... more) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx200m", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(StoringProcess.class.getName(), url, Long.toString(first)));
        command.addAll(List.of(more));
        return new ProcessBuilder(command).redirectError(errors.toFile()).start();
    }

    private static void storeOnce(String url, long offset) {
        UndeliveredStore store = open(url).undeliveredStore(StoreLimits.DEFAULT);
        System.out.println(store.list(RowSelector.ALL, 0, Integer.MAX_VALUE).size());
        store.store(List.of(Stored.at(offset).origin(LOG).value(new byte[6_000]).message()));
        Runtime.getRuntime().halt(0);
    }

    static UndeliveredDatabase open(String url) {
        boolean h2 = url.startsWith("jdbc:h2:");
        return UndeliveredDatabase.open(
                url,
                h2 ? null : PostgreSqlServer.USER,
                h2 ? Secret.of("") : PostgreSqlServer.PASSWORD);
    }
}
