package dev.streamconnect.undelivered;

import dev.streamconnect.spi.MetricsStore;
import org.junit.jupiter.api.AfterEach;

/** The contract on a real PostgreSQL. */
class PostgreSqlMetricsStoreTest extends MetricsStoreContract {

    private final String url = PostgreSqlServer.shared().newDatabase();
    private UndeliveredDatabase database;

    @Override
    MetricsStore store() {
        if (database == null) {
            database =
                    UndeliveredDatabase.open(url, PostgreSqlServer.USER, PostgreSqlServer.PASSWORD);
        }
        return database.metricsStore();
    }

    @AfterEach
    void close() {
        database.close();
    }
}
