package dev.streamconnect.undelivered;

import dev.streamconnect.spi.MetricsStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** The contract on a real PostgreSQL. */
class PostgreSqlMetricsStoreTest extends MetricsStoreContract {

    private static SharedDatabase shared;

    @BeforeAll
    static void open() {
        shared = new SharedDatabase();
    }

    @Override
    MetricsStore store() {
        return shared.database().metricsStore();
    }

    @AfterEach
    void empty() {
        shared.empty();
    }

    @AfterAll
    static void close() {
        shared.close();
    }
}
