package dev.streamconnect.undelivered;

import dev.streamconnect.spi.KnownPartition;
import dev.streamconnect.spi.KnownTopicStore;
import dev.streamconnect.spi.TopicReader;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.SqlStatement;

/** The memory of known topics in H2 or PostgreSQL; see {@link UndeliveredDatabase}. */
final class JdbcKnownTopicStore implements KnownTopicStore {

    private static final String OF_READER =
            """
             where topic = :topic and consumer_group = :group and cluster = :cluster
                and side = :side\
            """;

    private static final String FIND =
            "select * from streamconnect_known_topic" + OF_READER + " order by topic_partition";

    private static final String UPDATE =
            """
            update streamconnect_known_topic set
                first_seen = case when topic_id = :topicId then first_seen else :firstSeen end,
                topic_id = :topicId, cluster_id = :clusterId, first_partitions = :firstPartitions,
                position = :position, last_seen = :lastSeen\
            """
                    + OF_READER
                    + " and topic_partition = :partition and last_seen <= :lastSeen";

    private static final String EXISTS =
            "select count(*) from streamconnect_known_topic"
                    + OF_READER
                    + " and topic_partition = :partition";

    private static final String INSERT =
            """
            insert into streamconnect_known_topic (
                topic, consumer_group, cluster, side, topic_partition, topic_id, cluster_id,
                first_partitions, position, first_seen, last_seen)
            values (
                :topic, :group, :cluster, :side, :partition, :topicId, :clusterId,
                :firstPartitions, :position, :firstSeen, :lastSeen)
            """;

    /** All writers go this way, so that two never wait for each other. */
    private static final Comparator<KnownPartition> ORDER =
            Comparator.comparing((KnownPartition one) -> one.reader().topic())
                    .thenComparing(one -> one.reader().group())
                    .thenComparing(one -> one.reader().cluster())
                    .thenComparing(one -> one.reader().side())
                    .thenComparing(KnownPartition::partition)
                    .thenComparing(KnownPartition::lastSeen);

    private final Database database;

    JdbcKnownTopicStore(Database database) {
        this.database = database;
    }

    @Override
    public void note(Collection<KnownPartition> partitions) {
        if (partitions.isEmpty()) {
            return;
        }
        List<KnownPartition> ordered = partitions.stream().sorted(ORDER).toList();
        database.call(
                handle -> {
                    int[] changed = update(handle, ordered);
                    for (int i = 0; i < changed.length; i++) {
                        if (changed[i] == 0) {
                            insertUnlessThere(handle, ordered.get(i));
                        }
                    }
                    return null;
                });
    }

    private static int[] update(Handle handle, List<KnownPartition> partitions) {
        PreparedBatch batch = handle.prepareBatch(UPDATE);
        partitions.forEach(one -> bind(batch, one).add());
        return batch.execute();
    }

    /** Of two nodes that add one at once, the second breaks the key and is called again. */
    private static void insertUnlessThere(Handle handle, KnownPartition one) {
        long there =
                bindReader(handle.createQuery(EXISTS), one.reader())
                        .bind("partition", one.partition())
                        .mapTo(Long.class)
                        .one();
        if (there == 0) {
            bind(handle.createUpdate(INSERT), one).execute();
        } else {
            // An older one of the same call may have added it just now.
            bind(handle.createUpdate(UPDATE), one).execute();
        }
    }

    private static <S extends SqlStatement<S>> S bind(S statement, KnownPartition one) {
        return bindReader(statement, one.reader())
                .bind("partition", one.partition())
                .bind("topicId", one.topicId())
                .bind("clusterId", one.clusterId())
                .bind("firstPartitions", one.firstPartitions())
                .bind("position", one.position())
                .bind("firstSeen", one.firstSeen())
                .bind("lastSeen", one.lastSeen());
    }

    private static <S extends SqlStatement<S>> S bindReader(S statement, TopicReader reader) {
        return statement
                .bind("topic", reader.topic())
                .bind("group", reader.group())
                .bind("cluster", reader.cluster())
                .bind("side", reader.side());
    }

    @Override
    public List<KnownPartition> find(Collection<TopicReader> readers) {
        return database.call(
                handle -> {
                    List<KnownPartition> found = new ArrayList<>();
                    for (TopicReader reader : Set.copyOf(readers)) {
                        bindReader(handle.createQuery(FIND), reader)
                                .map((row, context) -> read(row, reader))
                                .forEach(found::add);
                    }
                    return found;
                });
    }

    private static KnownPartition read(ResultSet row, TopicReader reader) throws SQLException {
        return new KnownPartition(
                reader,
                row.getInt("topic_partition"),
                row.getString("topic_id"),
                row.getString("cluster_id"),
                row.getInt("first_partitions"),
                row.getLong("position"),
                StoredTime.fromColumn(row, "first_seen"),
                StoredTime.fromColumn(row, "last_seen"));
    }

    /** The connections belong to the database. */
    @Override
    public void close() {}
}
