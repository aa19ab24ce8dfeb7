package dev.streamconnect.undelivered;

import java.time.Instant;

/** One PostgreSQL database with its tables for a class of tests, emptied after each. */
final class SharedDatabase implements AutoCloseable {

    private final String url = PostgreSqlServer.shared().newDatabase();
    private final UndeliveredDatabase database =
            UndeliveredDatabase.open(url, PostgreSqlServer.USER, PostgreSqlServer.PASSWORD);

    SharedDatabase() {
        // The first call makes the tables; a test that makes no call is emptied, too.
        database.metricsStore().purge(Instant.EPOCH);
    }

    UndeliveredDatabase database() {
        return database;
    }

    void empty() {
        PostgreSqlServer.execute(
                url,
                "truncate streamconnect_undelivered, streamconnect_lease, streamconnect_metrics,"
                        + " streamconnect_known_topic");
    }

    @Override
    public void close() {
        database.close();
    }
}
