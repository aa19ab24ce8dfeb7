package dev.streamconnect.undelivered;

import dev.streamconnect.spi.MetricsStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract on an H2 file. */
class H2MetricsStoreTest extends MetricsStoreContract {

    @TempDir Path folder;

    private UndeliveredDatabase database;

    @Override
    MetricsStore store() {
        if (database == null) {
            database = UndeliveredDatabase.embedded(folder.resolve("undelivered"));
        }
        return database.metricsStore();
    }

    @AfterEach
    void close() {
        database.close();
    }
}
