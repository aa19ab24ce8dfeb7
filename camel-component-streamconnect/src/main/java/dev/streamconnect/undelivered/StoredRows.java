package dev.streamconnect.undelivered;

import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.StoredState;
import dev.streamconnect.spi.TopicPair;
import dev.streamconnect.spi.UndeliveredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.SqlStatement;

/** Rows of the undelivered table as records, and back. */
final class StoredRows {

    /** Columns of {@link #WITHOUT_PAYLOAD}. */
    static final String COLUMNS =
            """
            id, link, side, source_partition, stage, topic_id, epoch, source_offset, occurrence,
            source_topic, destination, destination_partition, message_timestamp, payload_bytes, reason,
            error_class, error_text, attempts, stored_at, last_attempt, next_attempt, state,
            case when key_hash is null then 0 else 1 end as has_key\
            """;

    /** Columns of {@link #WITH_PAYLOAD}. */
    static final String PAYLOAD_COLUMNS = COLUMNS + ", message_key, message_value, headers";

    /** {@link TopicPair#takes} as a condition. */
    static final String OF_TOPICS = "destination = :destination and source_topic in ('', :source)";

    static final RowMapper<StoredMessage> WITHOUT_PAYLOAD =
            (row, context) -> read(row, null, null, null);

    static final RowMapper<StoredMessage> WITH_PAYLOAD =
            (row, context) ->
                    read(
                            row,
                            row.getBytes("message_key"),
                            row.getBytes("message_value"),
                            row.getBytes("headers"));

    static final String INSERT =
            """
            insert into streamconnect_undelivered (
                link, side, source_partition, stage, topic_id, epoch, source_offset, occurrence,
                fingerprint, source_topic, destination, destination_partition, message_key, key_hash,
                message_value, headers, message_timestamp, payload_bytes, reason, error_class,
                error_text, attempts, stored_at, next_attempt, state)
            values (
                :link, :side, :partition, :stage, :topicId, :epoch, :offset, :occurrence,
                :fingerprint, :source, :destination, :destinationPartition, :key, :keyHash,
                :value, :headers, :timestamp, :bytes, :reason, :errorClass,
                :errorText, :attempts, :at, :nextAttempt, 'WAITING')
            """;

    private StoredRows() {}

    private static StoredMessage read(ResultSet row, byte[] key, byte[] value, byte[] headers)
            throws SQLException {
        UndeliveredMessage message =
                new UndeliveredMessage(
                        new MessageOrigin(
                                row.getString("link"),
                                row.getString("side"),
                                row.getInt("source_partition")),
                        Stage.valueOf(row.getString("stage")),
                        row.getString("topic_id"),
                        row.getInt("epoch"),
                        row.getLong("source_offset"),
                        row.getInt("occurrence"),
                        topics(row),
                        row.getObject("destination_partition", Integer.class),
                        key,
                        value,
                        HeaderBytes.decode(headers),
                        row.getLong("message_timestamp"),
                        Reason.valueOf(row.getString("reason")),
                        row.getString("error_class"),
                        row.getString("error_text"),
                        row.getInt("attempts"),
                        StoredTime.fromColumn(row, "stored_at"),
                        StoredTime.fromColumn(row, "next_attempt"));
        return new StoredMessage(
                row.getLong("id"),
                message,
                StoredState.valueOf(row.getString("state")),
                row.getLong("payload_bytes"),
                row.getInt("has_key") == 1,
                StoredTime.fromColumn(row, "last_attempt"));
    }

    static TopicPair topics(ResultSet row) throws SQLException {
        return new TopicPair(row.getString("source_topic"), row.getString("destination"));
    }

    static <S extends SqlStatement<S>> S bind(S insert, NewRow row) {
        UndeliveredMessage message = row.message();
        return bindTopics(bindOrigin(insert, message.origin()), message.topics())
                .bind("stage", message.stage().name())
                .bind("topicId", message.topicId())
                .bind("epoch", message.epoch())
                .bind("offset", message.offset())
                .bind("occurrence", message.occurrence())
                .bindByType("fingerprint", row.fingerprint(), byte[].class)
                .bindByType("destinationPartition", message.partition(), Integer.class)
                .bindByType("key", message.key(), byte[].class)
                .bindByType("keyHash", Hash.of(message.key()), byte[].class)
                .bindByType("value", message.value(), byte[].class)
                .bindByType("headers", HeaderBytes.encode(message.headers()), byte[].class)
                .bind("timestamp", message.timestamp())
                .bind("bytes", message.bytes())
                .bind("reason", message.reason().name())
                .bind("errorClass", StoredText.of(message.errorClass()))
                .bind("errorText", StoredText.of(message.errorText()))
                .bind("attempts", message.attempts())
                .bind("at", message.at())
                .bind("nextAttempt", message.nextAttempt());
    }

    /** For {@link #OF_TOPICS}. */
    static <S extends SqlStatement<S>> S bindTopics(S statement, TopicPair topics) {
        return statement.bind("source", topics.source()).bind("destination", topics.destination());
    }

    static <S extends SqlStatement<S>> S bindOrigin(S statement, MessageOrigin origin) {
        return statement
                .bind("link", origin.link())
                .bind("side", origin.side())
                .bind("partition", origin.partition());
    }
}
