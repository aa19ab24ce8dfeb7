package dev.streamconnect.undelivered;

import dev.streamconnect.spi.KnownTopicStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** The contract on a real PostgreSQL. */
class PostgreSqlKnownTopicStoreTest extends KnownTopicStoreContract {

    private static SharedDatabase shared;

    @BeforeAll
    static void open() {
        shared = new SharedDatabase();
    }

    @Override
    KnownTopicStore store() {
        return shared.database().knownTopicStore();
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
