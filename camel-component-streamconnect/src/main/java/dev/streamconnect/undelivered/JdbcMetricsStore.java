package dev.streamconnect.undelivered;

import dev.streamconnect.spi.MetricsRecord;
import dev.streamconnect.spi.MetricsStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;

/** The metrics store in H2 or PostgreSQL; see {@link UndeliveredDatabase}. */
final class JdbcMetricsStore implements MetricsStore {

    private static final String PRESENT =
            """
            select channel_replication, node, collection_time from streamconnect_metrics
            where collection_time between :first and :last
            """;

    private static final String INSERT =
            """
            insert into streamconnect_metrics (
                channel_replication, node, collection_time, collection_interval_seconds,
                message_count, byte_count, lag_messages, source, destination, direction, stored,
                retried, parked, held_behind_key, throttle_millis, gap_messages, position_events,
                assigned_partitions, total_partitions, oldest_age_millis, hours_to_loss,
                last_retry_run, reordered, repeated, drain_limits_hit,
                returned)
            values (
                :channelReplication, :node, :collectionTime, :collectionIntervalSeconds,
                :messageCount, :byteCount, :lagMessages, :source, :destination, :direction, :stored,
                :retried, :parked, :heldBehindKey, :throttleMillis, :gapMessages, :positionEvents,
                :assignedPartitions, :totalPartitions, :oldestAgeMillis, :hoursToLoss,
                :lastRetryRun, :reordered, :repeated, :drainLimitsHit,
                :returned)
            """;

    private static final String PURGE =
            "delete from streamconnect_metrics where collection_time < :olderThan";

    private final Database database;

    JdbcMetricsStore(Database database) {
        this.database = database;
    }

    @Override
    public void add(Collection<MetricsRecord> windows) {
        if (windows.isEmpty()) {
            return;
        }
        windows.forEach(window -> Objects.requireNonNull(window.node(), "node"));
        database.call(
                handle -> {
                    Set<Identity> present = present(handle, windows);
                    PreparedBatch batch = handle.prepareBatch(INSERT);
                    for (MetricsRecord window : windows) {
                        if (present.add(Identity.of(window))) {
                            bind(batch, window).add();
                        }
                    }
                    return batch.size() == 0 ? null : batch.execute();
                });
    }

    private static Set<Identity> present(Handle handle, Collection<MetricsRecord> windows) {
        List<Instant> times = windows.stream().map(MetricsRecord::collectionTime).sorted().toList();
        return handle.createQuery(PRESENT)
                .bind("first", times.get(0))
                .bind("last", times.get(times.size() - 1))
                .map(
                        (row, context) ->
                                new Identity(
                                        row.getString("channel_replication"),
                                        row.getString("node"),
                                        StoredTime.fromColumn(row, "collection_time")))
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static PreparedBatch bind(PreparedBatch batch, MetricsRecord window) {
        return batch.bind("channelReplication", window.channelReplication())
                .bind("node", window.node())
                .bind("collectionTime", window.collectionTime())
                .bind("collectionIntervalSeconds", window.collectionIntervalSeconds())
                .bind("messageCount", window.messageCount())
                .bind("byteCount", window.byteCount())
                .bindByType("lagMessages", window.lagMessages(), Long.class)
                .bind("source", window.source())
                .bind("destination", window.destination())
                .bind("direction", window.direction())
                .bind("stored", window.stored())
                .bind("retried", window.retried())
                .bind("parked", window.parked())
                .bind("heldBehindKey", window.heldBehindKey())
                .bind("throttleMillis", window.throttleMillis())
                .bind("gapMessages", window.gapMessages())
                .bind("positionEvents", window.positionEvents())
                .bind("assignedPartitions", window.assignedPartitions())
                .bind("totalPartitions", window.totalPartitions())
                .bindByType("oldestAgeMillis", window.oldestAgeMillis(), Long.class)
                .bindByType("hoursToLoss", window.hoursToLoss(), Double.class)
                .bindByType("lastRetryRun", window.lastRetryRun(), Instant.class)
                .bind("reordered", window.reordered())
                .bind("repeated", window.repeated())
                .bind("drainLimitsHit", window.drainLimitsHit())
                .bind("returned", window.returned());
    }

    @Override
    public List<MetricsRecord> find(
            String channelReplication, Instant from, Instant to, int maxRows) {
        String sql =
                "select * from streamconnect_metrics where message_count >= 0"
                        + (channelReplication == null ? "" : " and channel_replication = :channel")
                        + (from == null ? "" : " and collection_time >= :from")
                        + (to == null ? "" : " and collection_time < :to")
                        + " order by collection_time, channel_replication, node limit :maxRows";
        return database.call(
                handle -> {
                    Query query = handle.createQuery(sql).bind("maxRows", maxRows);
                    if (channelReplication != null) {
                        query.bind("channel", channelReplication);
                    }
                    if (from != null) {
                        query.bind("from", from);
                    }
                    if (to != null) {
                        query.bind("to", to);
                    }
                    return query.map((row, context) -> read(row)).list();
                });
    }

    private static MetricsRecord read(ResultSet row) throws SQLException {
        return new MetricsRecord(
                StoredTime.fromColumn(row, "collection_time"),
                row.getLong("collection_interval_seconds"),
                row.getString("channel_replication"),
                row.getLong("message_count"),
                row.getLong("byte_count"),
                row.getObject("lag_messages", Long.class),
                row.getString("source"),
                row.getString("destination"),
                row.getString("direction"),
                row.getString("node"),
                row.getLong("stored"),
                row.getLong("retried"),
                row.getLong("parked"),
                row.getLong("held_behind_key"),
                row.getLong("throttle_millis"),
                row.getLong("gap_messages"),
                row.getLong("position_events"),
                row.getInt("assigned_partitions"),
                row.getInt("total_partitions"),
                row.getObject("oldest_age_millis", Long.class),
                row.getObject("hours_to_loss", Double.class),
                StoredTime.fromColumn(row, "last_retry_run"),
                row.getLong("reordered"),
                row.getLong("repeated"),
                row.getLong("drain_limits_hit"),
                row.getLong("returned"));
    }

    @Override
    public int purge(Instant olderThan) {
        return database.call(
                handle -> handle.createUpdate(PURGE).bind("olderThan", olderThan).execute());
    }

    /** The connections belong to the database. */
    @Override
    public void close() {}

    /** Time as it is stored. */
    private record Identity(String channelReplication, String node, Instant collectionTime) {

        static Identity of(MetricsRecord window) {
            return new Identity(
                    window.channelReplication(),
                    window.node(),
                    StoredTime.rounded(window.collectionTime()));
        }
    }
}
