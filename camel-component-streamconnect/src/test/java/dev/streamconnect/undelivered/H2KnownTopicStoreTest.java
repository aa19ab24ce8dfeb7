package dev.streamconnect.undelivered;

import dev.streamconnect.spi.KnownTopicStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract on an H2 file. */
class H2KnownTopicStoreTest extends KnownTopicStoreContract {

    @TempDir Path folder;

    private UndeliveredDatabase database;

    @Override
    KnownTopicStore store() {
        if (database == null) {
            database = UndeliveredDatabase.embedded(folder.resolve("undelivered"));
        }
        return database.knownTopicStore();
    }

    @AfterEach
    void close() {
        database.close();
    }
}
