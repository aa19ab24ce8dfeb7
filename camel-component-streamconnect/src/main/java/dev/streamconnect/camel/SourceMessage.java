package dev.streamconnect.camel;

import dev.streamconnect.engine.Delivery;
import dev.streamconnect.engine.RecordBatch;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * What a consumer put into an exchange: kept as a property, so that it survives the copies of split
 * and multicast, and compared at the producer to tell what the route changed.
 */
public final class SourceMessage {

    /**
     * Exchange property with the record as polled ({@link ConsumerRecord}), of exchanges with one
     * record.
     */
    public static final String RECORD_PROPERTY = "CamelStreamConnectRecord";

    static final String PROPERTY = "CamelStreamConnectSource";

    private final Delivery delivery;
    private final ConsumerRecord<byte[], byte[]> record;
    private final Map<String, Object> shown;

    private SourceMessage(
            Exchange exchange, Delivery delivery, ConsumerRecord<byte[], byte[]> record) {
        this.delivery = delivery;
        this.record = record;
        // As the message's own map: whether it ignores case is an option of the context.
        this.shown = headersMap(exchange);
    }

    static Map<String, Object> headersMap(Exchange exchange) {
        return exchange.getContext().getCamelContextExtension().getHeadersMapFactory().newMap();
    }

    /** What the exchange came from; null if from no endpoint of ours. */
    public static SourceMessage of(Exchange exchange) {
        return exchange.getProperty(PROPERTY, SourceMessage.class);
    }

    /** The delivery; may be settled already. */
    public Delivery delivery() {
        return delivery;
    }

    /** The record as polled; null for a batch. */
    ConsumerRecord<byte[], byte[]> record() {
        return record;
    }

    /** Whether the value is the very one that the consumer set under this name. */
    boolean isUntouched(String name, Object value) {
        return shown.containsKey(name) && shown.get(name) == value;
    }

    /** Whether the consumer set a header of this name. */
    boolean showed(String name) {
        return shown.containsKey(name);
    }

    /** Fills the exchange with the batch as body. */
    static void fillBatch(Exchange exchange, Delivery delivery, HeaderNames names) {
        RecordBatch batch = delivery.batch();
        SourceMessage source = new SourceMessage(exchange, delivery, null);
        Message message = exchange.getMessage();
        message.setBody(batch);
        source.place(
                message, names, batch.topic(), batch.partition(), batch.records().get(0).offset());
        exchange.setProperty(PROPERTY, source);
    }

    /** Fills the exchange with the one record of the delivery. */
    static void fillRecord(
            Exchange exchange, Delivery delivery, HeaderNames names, CamelKafkaHeaders kafka) {
        ConsumerRecord<byte[], byte[]> record = delivery.batch().records().get(0);
        SourceMessage source = new SourceMessage(exchange, delivery, record);
        Message message = exchange.getMessage();
        message.setBody(record.value());
        for (Header header : record.headers()) {
            // A reserved name would steer the route or a component in it: it stays in the record.
            if (!RecordBytes.reserved(header.key())) {
                source.show(message, header.key(), RecordBytes.shown(header.value()));
            }
        }
        source.place(message, names, record.topic(), record.partition(), record.offset());
        source.show(message, names.key(), record.key());
        if (record.timestamp() >= 0) {
            source.show(message, names.timestamp(), record.timestamp());
            message.setHeader(Exchange.MESSAGE_TIMESTAMP, record.timestamp());
        }
        if (kafka.key() != null) {
            source.show(message, kafka.key(), record.key());
        }
        if (kafka.overrideTimestamp() != null && record.timestamp() >= 0) {
            source.show(message, kafka.overrideTimestamp(), record.timestamp());
        }
        exchange.setProperty(PROPERTY, source);
        exchange.setProperty(RECORD_PROPERTY, record);
    }

    private void place(
            Message message, HeaderNames names, String topic, int partition, long offset) {
        show(message, names.topic(), topic);
        show(message, names.partition(), partition);
        show(message, names.offset(), offset);
        if (delivery.side() != null) {
            show(message, names.side(), delivery.side());
        }
    }

    private void show(Message message, String name, Object value) {
        message.setHeader(name, value);
        shown.put(name, value);
    }

    /** Names the link only. */
    @Override
    public String toString() {
        return "SourceMessage[" + delivery.linkId() + "]";
    }
}
