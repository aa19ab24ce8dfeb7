package dev.streamconnect.undelivered;

import dev.streamconnect.spi.StoreUnavailableException;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.argument.AbstractArgumentFactory;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.config.ConfigRegistry;
import org.jdbi.v3.core.statement.SqlStatements;

/** Runs work in transactions, with time-outs, and tells failures in the words of the contract. */
final class Database {

    static final int QUERY_TIMEOUT_SECONDS = 6;

    /** Unique violations, serialization failures, deadlocks: another call came between. */
    private static final Set<String> CONFLICTS = Set.of("23505", "40001", "40P01", "90131");

    private static final int TRIES = 5;

    private final String name;
    private final boolean shared;
    private final Schema schema;
    private final Jdbi jdbi;

    /**
     * @param name the database for people, without secrets
     * @param shared whether other processes can use it
     */
    Database(DataSource dataSource, String name, boolean shared) {
        this.name = name;
        this.shared = shared;
        this.schema = new Schema(dataSource);
        this.jdbi = Jdbi.create(dataSource);
        jdbi.getConfig(SqlStatements.class).setQueryTimeout(QUERY_TIMEOUT_SECONDS);
        jdbi.registerArgument(new Times());
        jdbi.registerArrayType(Long.class, "bigint");
        jdbi.registerArrayType(String.class, "varchar");
    }

    boolean isShared() {
        return shared;
    }

    /**
     * Runs work in one transaction, again if another call came between. What it returned for is
     * committed; what it threw for is not.
     *
     * @throws StoreUnavailableException if the database failed
     */
    <T> T call(HandleCallback<T, RuntimeException> work) {
        try {
            schema.bringUpToDate();
            for (int tries = 1; true; tries++) {
                try {
                    return jdbi.inTransaction(work);
                } catch (JdbiException e) {
                    if (tries == TRIES || !isConflict(e)) {
                        throw e;
                    }
                }
            }
        } catch (JdbiException | FlywayException | SQLException e) {
            throw unavailable(e);
        }
    }

    private static boolean isConflict(JdbiException failure) {
        SQLException answer = DatabaseAnswer.of(failure);
        return answer != null && CONFLICTS.contains(String.valueOf(answer.getSQLState()));
    }

    private StoreUnavailableException unavailable(Exception failure) {
        SQLException answer = DatabaseAnswer.of(failure);
        return new StoreUnavailableException(
                "the undelivered store in "
                        + name
                        + " can't be used: "
                        + DatabaseAnswer.line(failure, answer),
                DatabaseAnswer.quotesRows(answer) ? null : answer);
    }

    /** Binds times with their zone, so that none depends on the JVM's. */
    private static final class Times extends AbstractArgumentFactory<Instant> {

        Times() {
            super(Types.TIMESTAMP_WITH_TIMEZONE);
        }

        @Override
        protected Argument build(Instant value, ConfigRegistry config) {
            return (position, statement, context) ->
                    statement.setObject(position, StoredTime.toColumn(value));
        }
    }
}
