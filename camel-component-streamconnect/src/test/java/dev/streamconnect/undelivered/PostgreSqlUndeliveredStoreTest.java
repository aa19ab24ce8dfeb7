package dev.streamconnect.undelivered;

import dev.streamconnect.spi.UndeliveredStore;
import org.junit.jupiter.api.AfterEach;

/** The contract on a real PostgreSQL. */
class PostgreSqlUndeliveredStoreTest extends UndeliveredStoreContract {

    private final String url = PostgreSqlServer.shared().newDatabase();
    private UndeliveredDatabase database;

    @Override
    UndeliveredStore store(StoreLimits limits) {
        if (database == null) {
            database =
                    UndeliveredDatabase.open(url, PostgreSqlServer.USER, PostgreSqlServer.PASSWORD);
        }
        return database.undeliveredStore(limits);
    }

    @AfterEach
    void close() {
        database.close();
    }
}
