package dev.streamconnect.engine;

import dev.streamconnect.spi.StoredHeader;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.UndeliveredMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Stored rows as a shipment to their destination topic, in the order of the store. */
final class StoredRows extends Shipment {

    private final List<StoredMessage> rows;
    private final int sourcePartitions;
    private final Instant deadline;

    /**
     * @param sourcePartitions of the source topic; 0 where there is no source
     * @param deadline until when to wait for the destination; null for as long as it takes
     */
    StoredRows(
            List<StoredMessage> rows, int sourcePartitions, Instant deadline, Listener listener) {
        super(listener);
        this.rows = rows;
        this.deadline = deadline;
        this.sourcePartitions = sourcePartitions;
    }

    /** A stored source record as it was polled. */
    static RecordBatch source(StoredMessage row, PartitionFlow flow) {
        UndeliveredMessage message = row.message();
        ConsumerRecord<byte[], byte[]> record =
                new ConsumerRecord<>(
                        flow.partition().topic(),
                        message.origin().partition(),
                        message.offset(),
                        message.timestamp(),
                        TimestampType.CREATE_TIME,
                        message.key() == null ? -1 : message.key().length,
                        message.value() == null ? -1 : message.value().length,
                        message.key(),
                        message.value(),
                        headers(message),
                        Optional.empty());
        return new RecordBatch(
                flow.partition().topic(), message.origin().partition(), List.of(record));
    }

    private static Headers headers(UndeliveredMessage message) {
        Headers headers = new RecordHeaders();
        for (StoredHeader header : message.headers()) {
            headers.add(header.name(), header.value());
        }
        return headers;
    }

    @Override
    Instant deadline() {
        return deadline;
    }

    StoredMessage row(int index) {
        return rows.get(index);
    }

    private UndeliveredMessage message(int index) {
        return rows.get(index).message();
    }

    @Override
    int size() {
        return rows.size();
    }

    @Override
    byte[] key(int index) {
        return message(index).key();
    }

    @Override
    byte[] value(int index) {
        return message(index).value();
    }

    @Override
    Headers headers(int index) {
        return headers(message(index));
    }

    @Override
    long timestamp(int index) {
        return message(index).timestamp();
    }

    @Override
    long offset(int index) {
        return message(index).offset();
    }

    @Override
    Integer askedPartition(int index) {
        return message(index).partition();
    }

    @Override
    Integer partition(int index, int destinationPartitions) {
        Integer asked = message(index).partition();
        if (asked == null || asked != UndeliveredMessage.SOURCE_PARTITION) {
            return asked;
        }
        return destinationPartitions == sourcePartitions
                ? (Integer) message(index).origin().partition()
                : null;
    }
}
