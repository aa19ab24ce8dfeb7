package dev.streamconnect.undelivered;

import dev.streamconnect.record.Secret;
import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import java.util.List;

/**
 * Stores messages until it is killed, and prints each offset after its commit. Beside them it keeps
 * one pair of messages, each replaced by the next in one call. Or it stores one message, after it
 * has printed how many are there, and ends at once as if it were killed.
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
                store.store(List.of(Stored.at(offset).origin(LOG).message()), List.of());
                List<Long> pair =
                        store.list(RowSelector.ofLinks(List.of("pair")), 0, 10).stream()
                                .map(StoredMessage::id)
                                .toList();
                Stored half = Stored.at(offset).origin(PAIR).value(new byte[20_000]);
                store.store(List.of(half.message(), half.occurrence(1).message()), pair);
                System.out.println(offset);
            }
        }
    }

    private static void storeOnce(String url, long offset) {
        UndeliveredStore store = open(url).undeliveredStore(StoreLimits.DEFAULT);
        System.out.println(store.list(RowSelector.ALL, 0, Integer.MAX_VALUE).size());
        store.store(
                List.of(Stored.at(offset).origin(LOG).value(new byte[6_000]).message()), List.of());
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
