package dev.streamconnect.undelivered;

import dev.streamconnect.spi.UndeliveredMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Messages to store, less those that are there already. */
final class NewRows {

    private static final String PRESENT =
            """
            select source_offset, fingerprint from streamconnect_undelivered
            where source_partition = :partition and link = :link and side = :side
                and stage = :stage and source_offset between :first and :last
            """;

    private final List<NewRow> rows;

    private NewRows(List<NewRow> rows) {
        this.rows = rows;
    }

    static NewRows of(Handle handle, List<UndeliveredMessage> messages) {
        List<NewRow> all = messages.stream().map(NewRow::of).toList();
        Map<NewRow.Place, List<NewRow>> byPlace =
                all.stream()
                        .filter(NewRow::hasIdentity)
                        .collect(Collectors.groupingBy(NewRow::place));
        Map<NewRow.Place, Set<NewRow.Identity>> present = new HashMap<>();
        byPlace.forEach((place, rows) -> present.put(place, present(handle, place, rows)));
        List<NewRow> absent = new ArrayList<>();
        for (NewRow row : all) {
            if (!row.hasIdentity() || present.get(row.place()).add(row.identity())) {
                absent.add(row);
            }
        }
        return new NewRows(absent);
    }

    private static Set<NewRow.Identity> present(
            Handle handle, NewRow.Place place, List<NewRow> rows) {
        LongSummaryStatistics offsets =
                rows.stream().mapToLong(row -> row.message().offset()).summaryStatistics();
        return StoredRows.bindOrigin(handle.createQuery(PRESENT), place.origin())
                .bind("stage", place.stage().name())
                .bind("first", offsets.getMin())
                .bind("last", offsets.getMax())
                .map(
                        (row, context) ->
                                new NewRow.Identity(
                                        row.getLong("source_offset"),
                                        ByteBuffer.wrap(row.getBytes("fingerprint"))))
                .collect(Collectors.toCollection(HashSet::new));
    }

    int count() {
        return rows.size();
    }

    long bytes() {
        return rows.stream().mapToLong(row -> row.message().bytes()).sum();
    }

    void insert(Handle handle) {
        if (rows.isEmpty()) {
            return;
        }
        PreparedBatch batch = handle.prepareBatch(StoredRows.INSERT);
        rows.forEach(row -> StoredRows.bind(batch, row).add());
        batch.execute();
    }
}
