package dev.streamconnect.undelivered;

import dev.streamconnect.spi.Epoch;
import dev.streamconnect.spi.FailedAttempt;
import dev.streamconnect.spi.HeldKey;
import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.OriginTotals;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.StoredState;
import dev.streamconnect.spi.TopicPair;
import dev.streamconnect.spi.UndeliveredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * The undelivered store in H2 or PostgreSQL; see {@link UndeliveredDatabase}. Times are kept to the
 * microsecond, and texts of errors to 2,000 characters.
 */
final class JdbcUndeliveredStore implements UndeliveredStore {

    private static final String AT_ORIGIN =
            " where source_partition = :partition and link = :link and side = :side";

    private static final String HELD_KEYS =
            """
            select stage, message_key from streamconnect_undelivered
            where id in (
                select min(id) from streamconnect_undelivered
                where source_partition = :partition and link = :link and side = :side
                    and stage = any(:stages) and state = 'WAITING' and key_hash is not null
                    and destination = :destination and source_topic in ('', :source)
                group by stage, key_hash)
            """;

    /** The end of an index, for each stage and state. */
    private static final String LATEST_EPOCH =
            "select epoch, topic_id from streamconnect_undelivered"
                    + AT_ORIGIN
                    + " and stage = :stage and state = :state"
                    + " order by source_partition desc, link desc, side desc, stage desc,"
                    + " state desc, epoch desc, source_offset desc, id desc limit 1";

    private static final String WITH_PAYLOAD =
            "select "
                    + StoredRows.PAYLOAD_COLUMNS
                    + " from streamconnect_undelivered where id = any(:ids)"
                    + " order by epoch, source_offset, id";

    private static final String DIRECT_ORIGINS =
            "select distinct link from streamconnect_undelivered"
                    + " where source_partition = -1 and state = 'WAITING' order by link";

    private static final String DELETE = "delete from streamconnect_undelivered where id = :id";

    /** A row that was parked meanwhile stays parked. */
    private static final String FAILED =
            """
            update streamconnect_undelivered set
                reason = :reason, error_class = :errorClass, error_text = :errorText,
                attempts = attempts + :sent,
                last_attempt = case when :sent = 1 then :at else last_attempt end,
                next_attempt = :nextAttempt
            where id = :id
            """;

    private static final String FAILED_FOR_GOOD =
            """
            update streamconnect_undelivered set
                reason = :reason, error_class = :errorClass, error_text = :errorText,
                attempts = attempts + :sent,
                last_attempt = case when :sent = 1 then :at else last_attempt end,
                parked_at = case when state = 'PARKED' then parked_at else :at end,
                state = 'PARKED'
            where id = :id
            """;

    private static final String RETRY =
            """
            update streamconnect_undelivered set
                attempts = case when state = 'PARKED' then 0 else attempts end,
                next_attempt = :now, state = 'WAITING', parked_at = null\
            """;

    private static final String NOT_DUE = "(state = 'PARKED' or next_attempt > :now)";

    private static final String PARK =
            "update streamconnect_undelivered"
                    + " set state = 'PARKED', parked_at = current_timestamp";

    private static final String DISCARD = "delete from streamconnect_undelivered";

    private static final String LIST =
            "select " + StoredRows.COLUMNS + " from streamconnect_undelivered where id > :afterId";

    private static final String TOTALS =
            """
            select link, side, source_partition, source_topic, destination, sum(waiting) as waiting,
                sum(case when has_key = 1 and waiting > 1 then waiting - 1 else 0 end)
                    as behind_key,
                sum(parked) as parked, sum(bytes) as bytes, min(oldest) as oldest
            from (
                select link, side, source_partition, source_topic, destination, stage, key_hash,
                    case when key_hash is null then 0 else 1 end as has_key,
                    sum(case when state = 'WAITING' then 1 else 0 end) as waiting,
                    sum(case when state = 'PARKED' then 1 else 0 end) as parked,
                    sum(payload_bytes) as bytes,
                    min(case when state = 'WAITING' then stored_at end) as oldest
                from streamconnect_undelivered
                group by link, side, source_partition, source_topic, destination, stage, key_hash)
                as keys
            group by link, side, source_partition, source_topic, destination
            order by link, side, source_partition, source_topic, destination
            """;

    private final Database database;
    private final StoreUsage usage;

    JdbcUndeliveredStore(Database database, StoreLimits limits) {
        this.database = database;
        this.usage = new StoreUsage(limits);
    }

    @Override
    public boolean isShared() {
        return database.isShared();
    }

    @Override
    public void store(List<UndeliveredMessage> messages) {
        if (messages.isEmpty()) {
            return;
        }
        run(
                handle -> {
                    NewRows rows = NewRows.of(handle, messages);
                    rows.insert(handle);
                    usage.added(handle, rows.count(), rows.bytes());
                });
    }

    /** In one order, so that two calls never wait for each other. */
    private static void delete(Handle handle, Collection<Long> ids) {
        PreparedBatch batch = handle.prepareBatch(DELETE);
        ids.stream().sorted().forEach(id -> batch.bind("id", id).add());
        batch.execute();
    }

    @Override
    public List<HeldKey> heldKeys(MessageOrigin origin, TopicPair topics) {
        return database.call(
                handle ->
                        StoredRows.bindTopics(
                                        StoredRows.bindOrigin(
                                                handle.createQuery(HELD_KEYS), origin),
                                        topics)
                                .bindArray("stages", String.class, stages())
                                .map(
                                        (row, context) ->
                                                new HeldKey(
                                                        Stage.valueOf(row.getString("stage")),
                                                        row.getBytes("message_key")))
                                .list());
    }

    private static List<String> stages() {
        List<String> names = new ArrayList<>();
        for (Stage stage : Stage.values()) {
            names.add(stage.name());
        }
        return names;
    }

    @Override
    public Optional<Epoch> latestEpoch(MessageOrigin origin) {
        return database.call(
                handle -> {
                    List<Epoch> latest = new ArrayList<>();
                    for (Stage stage : Stage.values()) {
                        for (StoredState state : StoredState.values()) {
                            latestEpoch(handle, origin, stage, state).ifPresent(latest::add);
                        }
                    }
                    return latest.stream().max(Comparator.comparingInt(Epoch::number));
                });
    }

    private static Optional<Epoch> latestEpoch(
            Handle handle, MessageOrigin origin, Stage stage, StoredState state) {
        return StoredRows.bindOrigin(handle.createQuery(LATEST_EPOCH), origin)
                .bind("stage", stage.name())
                .bind("state", state.name())
                .map((row, context) -> new Epoch(row.getInt("epoch"), row.getString("topic_id")))
                .findOne();
    }

    @Override
    public List<StoredMessage> due(
            MessageOrigin origin,
            TopicPair topics,
            Stage stage,
            Instant now,
            int maxRows,
            long maxBytes) {
        return database.call(
                handle -> {
                    List<Long> ids =
                            DueRows.ids(handle, origin, topics, stage, now, maxRows, maxBytes);
                    return ids.isEmpty() ? List.of() : withPayload(handle, ids);
                });
    }

    private static List<StoredMessage> withPayload(Handle handle, List<Long> ids) {
        return handle.createQuery(WITH_PAYLOAD)
                .bindArray("ids", Long.class, ids)
                .map(StoredRows.WITH_PAYLOAD)
                .list();
    }

    @Override
    public List<MessageOrigin> directOrigins() {
        return database.call(
                handle ->
                        handle.createQuery(DIRECT_ORIGINS)
                                .map((row, context) -> MessageOrigin.direct(row.getString("link")))
                                .list());
    }

    @Override
    public void delivered(Collection<Long> ids) {
        if (!ids.isEmpty()) {
            run(handle -> delete(handle, ids));
        }
    }

    @Override
    public void failed(Collection<FailedAttempt> attempts) {
        if (attempts.isEmpty()) {
            return;
        }
        run(
                handle -> {
                    PreparedBatch again = handle.prepareBatch(FAILED);
                    PreparedBatch forGood = handle.prepareBatch(FAILED_FOR_GOOD);
                    for (FailedAttempt attempt : attempts) {
                        if (attempt.nextAttempt() == null) {
                            bind(forGood, attempt).add();
                        } else {
                            bind(again, attempt).bind("nextAttempt", attempt.nextAttempt()).add();
                        }
                    }
                    execute(again);
                    execute(forGood);
                });
    }

    private static PreparedBatch bind(PreparedBatch batch, FailedAttempt attempt) {
        return batch.bind("id", attempt.id())
                .bind("sent", attempt.sent() ? 1 : 0)
                .bind("reason", attempt.reason().name())
                .bind("errorClass", StoredText.of(attempt.errorClass()))
                .bind("errorText", StoredText.of(attempt.errorText()))
                .bind("at", attempt.at());
    }

    private static void execute(PreparedBatch batch) {
        if (batch.size() > 0) {
            batch.execute();
        }
    }

    @Override
    public int retry(RowSelector selector, Instant now) {
        return new BulkChange(database, RETRY, NOT_DUE, selector, now).run();
    }

    @Override
    public int park(RowSelector selector) {
        return new BulkChange(database, PARK, "state = 'WAITING'", selector, null).run();
    }

    @Override
    public int discard(RowSelector selector) {
        return new BulkChange(database, DISCARD, "id > 0", selector, null).run();
    }

    @Override
    public List<StoredMessage> list(RowSelector selector, long afterId, int maxRows) {
        Selection selection = new Selection(selector);
        String sql = LIST + selection.and() + " order by id limit :maxRows";
        return database.call(
                handle ->
                        selection
                                .bind(handle.createQuery(sql))
                                .bind("afterId", afterId)
                                .bind("maxRows", maxRows)
                                .map(StoredRows.WITHOUT_PAYLOAD)
                                .list());
    }

    @Override
    public Optional<StoredMessage> show(long id) {
        return database.call(handle -> withPayload(handle, List.of(id)).stream().findFirst());
    }

    @Override
    public List<OriginTotals> totals() {
        return database.call(
                handle ->
                        handle.createQuery(TOTALS)
                                .map(
                                        (row, context) ->
                                                new OriginTotals(
                                                        new MessageOrigin(
                                                                row.getString("link"),
                                                                row.getString("side"),
                                                                row.getInt("source_partition")),
                                                        StoredRows.topics(row),
                                                        row.getLong("waiting"),
                                                        row.getLong("behind_key"),
                                                        row.getLong("parked"),
                                                        row.getLong("bytes"),
                                                        StoredTime.fromColumn(row, "oldest")))
                                .list());
    }

    @Override
    public int purgeParked(Instant olderThan) {
        String parkedBefore = "state = 'PARKED' and parked_at < :now";
        return new BulkChange(database, DISCARD, parkedBefore, RowSelector.ALL, olderThan).run();
    }

    @Override
    public boolean lease(String name, String owner, Duration duration) {
        return database.call(handle -> Leases.take(handle, name, owner, duration));
    }

    @Override
    public void release(String name, String owner) {
        run(handle -> Leases.release(handle, name, owner));
    }

    /** The connections belong to the database. */
    @Override
    public void close() {}

    private void run(Consumer<Handle> work) {
        database.call(
                handle -> {
                    work.accept(handle);
                    return null;
                });
    }
}
