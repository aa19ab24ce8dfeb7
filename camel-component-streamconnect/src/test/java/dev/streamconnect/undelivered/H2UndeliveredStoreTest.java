package dev.streamconnect.undelivered;

import dev.streamconnect.spi.UndeliveredStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract on an H2 file. */
class H2UndeliveredStoreTest extends UndeliveredStoreContract {

    @TempDir Path folder;

    private UndeliveredDatabase database;

    @Override
    UndeliveredStore store(StoreLimits limits) {
        if (database == null) {
            database = UndeliveredDatabase.embedded(folder.resolve("undelivered"));
        }
        return database.undeliveredStore(limits);
    }

    @AfterEach
    void close() {
        database.close();
    }
}
