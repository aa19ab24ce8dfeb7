package dev.streamconnect.undelivered;

import dev.streamconnect.spi.RowSelector;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * A change of all rows that match, in transactions of so many rows that each stays far below the
 * time-outs. What ends early is done in part, and can be repeated.
 */
final class BulkChange {

    private static final int ROWS = 2_000;

    private final Database database;
    private final String change;
    private final String condition;
    private final Selection selection;
    private final Instant now;

    /**
     * @param change the statement up to its condition
     * @param condition which rows it changes, beside what the selector says; may name {@code :now}
     * @param now null where the statement needs no time
     */
    BulkChange(
            Database database, String change, String condition, RowSelector selector, Instant now) {
        this.database = database;
        this.change = change;
        this.selection = new Selection(selector);
        this.condition = condition + selection.and();
        this.now = now;
    }

    /** Returns how many rows it changed. */
    int run() {
        int changed = 0;
        long after = 0;
        Optional<Long> last = lastOfNext(after);
        while (last.isPresent()) {
            changed += change(after, last.get());
            after = last.get();
            last = lastOfNext(after);
        }
        return changed;
    }

    private Optional<Long> lastOfNext(long after) {
        String sql =
                "select id from streamconnect_undelivered where id > :after and "
                        + condition
                        + " order by id limit "
                        + ROWS;
        List<Long> ids =
                database.call(
                        handle ->
                                bind(handle.createQuery(sql))
                                        .bind("after", after)
                                        .mapTo(Long.class)
                                        .list());
        return ids.isEmpty() ? Optional.empty() : Optional.of(ids.get(ids.size() - 1));
    }

    private int change(long after, long last) {
        String sql = change + " where id > :after and id <= :last and " + condition;
        return database.call(
                handle ->
                        bind(handle.createUpdate(sql))
                                .bind("after", after)
                                .bind("last", last)
                                .execute());
    }

    private <S extends SqlStatement<S>> S bind(S statement) {
        selection.bind(statement);
        return now == null ? statement : statement.bind("now", now);
    }
}
