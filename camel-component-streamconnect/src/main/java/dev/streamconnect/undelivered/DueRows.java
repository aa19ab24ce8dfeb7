package dev.streamconnect.undelivered;

import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.TopicPair;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Finds the rows of an origin, pair of topics and stage that may be delivered now, by walking its
 * waiting rows in order: the first row of a key is its head and decides for those behind it. Pages
 * grow, so that a walk past many rows that have to wait takes few statements.
 */
final class DueRows {

    /** The long order makes H2 use the index; the leading columns are constants. */
    private static final String PAGE =
            """
            select id, epoch, source_offset, key_hash, next_attempt, payload_bytes
            from streamconnect_undelivered
            where source_partition = :partition and link = :link and side = :side
                and stage = :stage and state = 'WAITING' and epoch >= :epoch
                and destination = :destination and source_topic in ('', :source)
                and (epoch > :epoch or source_offset > :offset
                    or (source_offset = :offset and id > :id))
            order by source_partition, link, side, stage, state, epoch, source_offset, id
            limit :page
            """;

    private static final int MIN_PAGE = 500;
    private static final int MAX_PAGE = 64_000;

    private final Instant now;
    private final int maxRows;
    private final long maxBytes;
    private final Map<ByteBuffer, Boolean> dueKeys = new HashMap<>();
    private final List<Long> ids = new ArrayList<>();
    private long bytes;
    private boolean full;

    private DueRows(Instant now, int maxRows, long maxBytes) {
        this.now = StoredTime.rounded(now);
        this.maxRows = maxRows;
        this.maxBytes = maxBytes;
    }

    /** Ids in order. */
    static List<Long> ids(
            Handle handle,
            MessageOrigin origin,
            TopicPair topics,
            Stage stage,
            Instant now,
            int maxRows,
            long maxBytes) {
        DueRows due = new DueRows(now, maxRows, maxBytes);
        due.walk(handle, origin, topics, stage);
        return due.ids;
    }

    private void walk(Handle handle, MessageOrigin origin, TopicPair topics, Stage stage) {
        int page = Math.min(Math.max(maxRows, MIN_PAGE), MAX_PAGE);
        Row last = Row.BEFORE_ALL;
        while (true) {
            List<Row> rows =
                    StoredRows.bindTopics(
                                    StoredRows.bindOrigin(handle.createQuery(PAGE), origin), topics)
                            .bind("stage", stage.name())
                            .bind("epoch", last.epoch())
                            .bind("offset", last.offset())
                            .bind("id", last.id())
                            .bind("page", page)
                            .map((row, context) -> Row.of(row))
                            .list();
            rows.forEach(this::take);
            if (full || rows.size() < page) {
                return;
            }
            last = rows.get(rows.size() - 1);
            page = Math.min(page * 4, MAX_PAGE);
        }
    }

    private void take(Row row) {
        if (full || !isDue(row)) {
            return;
        }
        if (!ids.isEmpty() && row.bytes() > maxBytes - bytes) {
            full = true;
            return;
        }
        ids.add(row.id());
        bytes += row.bytes();
        full = ids.size() == maxRows;
    }

    private boolean isDue(Row row) {
        boolean due = !row.nextAttempt().isAfter(now);
        return row.key() == null ? due : dueKeys.computeIfAbsent(row.key(), key -> due);
    }

    private record Row(
            long id, int epoch, long offset, ByteBuffer key, Instant nextAttempt, long bytes) {

        static final Row BEFORE_ALL =
                new Row(Long.MIN_VALUE, Integer.MIN_VALUE, Long.MIN_VALUE, null, Instant.MIN, 0);

        static Row of(ResultSet row) throws SQLException {
            byte[] key = row.getBytes("key_hash");
            return new Row(
                    row.getLong("id"),
                    row.getInt("epoch"),
                    row.getLong("source_offset"),
                    key == null ? null : ByteBuffer.wrap(key),
                    StoredTime.fromColumn(row, "next_attempt"),
                    row.getLong("payload_bytes"));
        }
    }
}
