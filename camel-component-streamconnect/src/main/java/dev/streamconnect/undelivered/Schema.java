package dev.streamconnect.undelivered;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** The tables of a database: made or brought up to date once, at the first call that reaches it. */
final class Schema {

    private static final String MIGRATIONS = "classpath:META-INF/streamconnect/database";
    private static final String HISTORY_TABLE = "streamconnect_schema_history";

    /** How long a call waits for another's migrations, seconds, in this process or another. */
    private static final int WAIT_SECONDS = 5;

    private static final int PAUSE_MILLIS = 200;

    /** Binary types by the product's name. */
    private static final Map<String, Map<String, String>> TYPES =
            Map.of(
                    "H2", Map.of("payload", "blob", "hash", "varbinary(32)"),
                    "PostgreSQL", Map.of("payload", "bytea", "hash", "bytea"));

    private final DataSource dataSource;
    private final ReentrantLock migrating = new ReentrantLock();
    private volatile boolean current;

    /** Of the last call that tried; null before the first. Those that wait for it tell it, too. */
    private volatile Exception lastFailure;

    Schema(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Returns at once where it was done already.
     *
     * @throws SQLException if the database can't be reached, is none that is supported, or others
     *     migrate it for longer than a call may take
     * @throws FlywayException if the tables can't be migrated
     */
    void bringUpToDate() throws SQLException {
        if (current) {
            return;
        }
        lock();
        try {
            if (!current) {
                migrateWithin(WAIT_SECONDS);
                current = true;
            }
        } catch (SQLException | FlywayException e) {
            lastFailure = e;
            throw e;
        } finally {
            migrating.unlock();
        }
    }

    private void lock() throws SQLException {
        boolean locked;
        try {
            locked = migrating.tryLock(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        if (!locked) {
            throw new SQLException(
                    "another call migrates its tables or waits for the database", lastFailure);
        }
    }

    private Map<String, String> types() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            Map<String, String> types = TYPES.get(product);
            if (types == null) {
                throw new SQLException(product + " is not supported; H2 and PostgreSQL are");
            }
            return types;
        }
    }

    /** Two nodes that make the history table at once get into each other's way: once more then. */
    private void migrateWithin(int seconds) throws SQLException {
        Map<String, String> types = types();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (true) {
            try {
                migrate(types);
                return;
            } catch (FlywayException e) {
                if (System.nanoTime() - end >= 0) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static void pause() throws SQLException {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static SQLException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new SQLException("interrupted while its tables are migrated", cause);
    }

    private void migrate(Map<String, String> types) {
        // Flyway's lock in the database lets one node migrate at a time.
        Flyway.configure(Schema.class.getClassLoader())
                .dataSource(dataSource)
                .locations(MIGRATIONS)
                .failOnMissingLocations(true)
                .table(HISTORY_TABLE)
                .lockRetryCount(WAIT_SECONDS)
                // The database may have tables of others.
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .placeholders(types)
                .loggers("slf4j")
                .load()
                .migrate();
    }
}
