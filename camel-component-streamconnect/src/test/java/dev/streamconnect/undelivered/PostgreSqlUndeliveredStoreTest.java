package dev.streamconnect.undelivered;

import dev.streamconnect.spi.UndeliveredStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** The contract on a real PostgreSQL. */
class PostgreSqlUndeliveredStoreTest extends UndeliveredStoreContract {

    private static SharedDatabase shared;

    @BeforeAll
    static void open() {
        shared = new SharedDatabase();
    }

    @Override
    UndeliveredStore store(StoreLimits limits) {
        return shared.database().undeliveredStore(limits);
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
