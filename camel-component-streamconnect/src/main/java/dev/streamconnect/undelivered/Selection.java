package dev.streamconnect.undelivered;

import dev.streamconnect.spi.RowSelector;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.statement.SqlStatement;

/** A {@link RowSelector} as a condition of a statement. */
final class Selection {

    private final RowSelector selector;
    private final List<String> conditions = new ArrayList<>();

    Selection(RowSelector selector) {
        this.selector = selector;
        add(selector.links(), "link = any(:links)");
        add(selector.reason(), "reason = :reason");
        add(selector.state(), "state = :state");
        add(selector.from(), "stored_at >= :from");
        add(selector.to(), "stored_at < :to");
        add(selector.ids(), "id = any(:ids)");
        add(selector.topics(), StoredRows.OF_TOPICS);
    }

    private void add(Object restriction, String condition) {
        if (restriction != null) {
            conditions.add(condition);
        }
    }

    /** To be appended to a condition. */
    String and() {
        StringBuilder sql = new StringBuilder();
        conditions.forEach(condition -> sql.append(" and ").append(condition));
        return sql.toString();
    }

    <S extends SqlStatement<S>> S bind(S statement) {
        if (selector.links() != null) {
            statement.bindArray("links", String.class, selector.links());
        }
        if (selector.reason() != null) {
            statement.bind("reason", selector.reason().name());
        }
        if (selector.state() != null) {
            statement.bind("state", selector.state().name());
        }
        if (selector.from() != null) {
            statement.bind("from", selector.from());
        }
        if (selector.to() != null) {
            statement.bind("to", selector.to());
        }
        if (selector.ids() != null) {
            statement.bindArray("ids", Long.class, selector.ids());
        }
        if (selector.topics() != null) {
            StoredRows.bindTopics(statement, selector.topics());
        }
        return statement;
    }
}
