package dev.streamconnect.camel;

import dev.streamconnect.engine.OutgoingRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.TypeConversionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * Makes the record that an exchange stands for. The rules:
 *
 * <ul>
 *   <li>Value: null is a tombstone; bytes as they are; text as UTF-8; the rest by Camel's
 *       converters.
 *   <li>Headers that the route did not touch come from the source record: with their order,
 *       repeats, null values, and any name. A header set in the route replaces all of that name at
 *       the place of the first, one removed removes all of that name (ignoring case, as Camel's
 *       header map does), new ones are appended. Names that start with {@code Camel}, {@code
 *       org.apache.camel.} or {@code kafka.} stay inside and are never read as data.
 *   <li>Key, timestamp and partition: the header of our scheme if the route set it, else that of
 *       the camel-kafka that runs, else the source record's. A removed header is no change: set it
 *       to null to send none.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class OutgoingRecords {

    private final List<HeaderNames> names;
    private final CamelKafkaHeaders kafka;

    private OutgoingRecords(List<HeaderNames> names, CamelKafkaHeaders kafka) {
        this.names = names;
        this.kafka = kafka;
    }

    /** Rules for a producer; both schemes' headers are understood, its own first. */
    public static OutgoingRecords of(CamelContext context, HeaderNames own) {
        return of(CamelKafkaHeaders.of(context), own);
    }

    static OutgoingRecords of(CamelKafkaHeaders kafka, HeaderNames own) {
        HeaderNames other =
                own.equals(HeaderNames.HERMES) ? HeaderNames.REPLICATION : HeaderNames.HERMES;
        return new OutgoingRecords(List.of(own, other), kafka);
    }

    /**
     * The record of an exchange.
     *
     * @throws IllegalArgumentException if a part cannot be sent; one line without content
     */
    public OutgoingRecord from(Exchange exchange) {
        SourceMessage source = SourceMessage.of(exchange);
        ConsumerRecord<byte[], byte[]> raw = source == null ? null : source.record();
        Message message = exchange.getMessage();
        Object body = message.getBody();
        byte[] value = body == null ? null : RecordBytes.body(exchange, body);

        String keyHeader =
                changed(exchange, List.of(names.get(0).key(), names.get(1).key()), kafka.key());
        byte[] key =
                keyHeader != null
                        ? RecordBytes.key(exchange, message.getHeader(keyHeader))
                        : raw == null ? null : raw.key();
        return new OutgoingRecord(
                key,
                value,
                headers(exchange, SourceHeaders.of(exchange, kafka)),
                timestamp(exchange, raw),
                partition(exchange),
                raw != null && keyHeader == null);
    }

    /** Whether the body is null because the record that the exchange came from is a tombstone. */
    public static boolean isSourceTombstone(Exchange exchange) {
        SourceMessage source = SourceMessage.of(exchange);
        return source != null && source.record() != null && source.record().value() == null;
    }

    private static List<Header> headers(Exchange exchange, SourceHeaders source) {
        List<Header> result = new ArrayList<>();
        Map<String, Object> current = exchange.getMessage().getHeaders();
        Map<String, Object> replaced = SourceMessage.headersMap(exchange);
        for (Header header : source.raw()) {
            String name = header.key();
            if (RecordBytes.reserved(name)) {
                result.add(header);
            } else if (current.containsKey(name)) {
                if (source.isUntouched(name, current.get(name))) {
                    result.add(header);
                } else if (replaced.put(name, name) == null) {
                    add(result, name, current.get(name));
                }
            }
        }
        current.forEach(
                (name, value) -> {
                    if (!RecordBytes.reserved(name) && !source.has(name)) {
                        add(result, name, value);
                    }
                });
        return result;
    }

    private static void add(List<Header> result, String name, Object value) {
        byte[] bytes = RecordBytes.header(value);
        if (bytes != null) {
            result.add(new RecordHeader(name, bytes));
        }
    }

    private Long timestamp(Exchange exchange, ConsumerRecord<byte[], byte[]> raw) {
        String header =
                changed(
                        exchange,
                        List.of(names.get(0).timestamp(), names.get(1).timestamp()),
                        kafka.overrideTimestamp());
        if (header != null) {
            return number(exchange, header, Long.class);
        }
        if (raw != null) {
            return raw.timestamp() < 0 ? null : raw.timestamp();
        }
        return kafka.timestamp() == null ? null : number(exchange, kafka.timestamp(), Long.class);
    }

    private Integer partition(Exchange exchange) {
        String header =
                changed(
                        exchange,
                        List.of(names.get(0).partition(), names.get(1).partition()),
                        kafka.partitionKey());
        Integer partition = header == null ? null : number(exchange, header, Integer.class);
        if (partition != null && partition < 0) {
            throw new IllegalArgumentException(
                    "the header " + header + " is " + partition + "; partitions start at 0");
        }
        return partition;
    }

    /**
     * The first of these headers that the route set to something else than was there; null if none.
     */
    private static String changed(Exchange exchange, List<String> own, String camelKafka) {
        for (String name : own) {
            if (isChanged(exchange, name)) {
                return name;
            }
        }
        return camelKafka != null && isChanged(exchange, camelKafka) ? camelKafka : null;
    }

    private static boolean isChanged(Exchange exchange, String name) {
        Map<String, Object> headers = exchange.getMessage().getHeaders();
        if (!headers.containsKey(name)) {
            return false;
        }
        Object value = headers.get(name);
        SourceMessage source = SourceMessage.of(exchange);
        if (source != null && source.isUntouched(name, value)) {
            return false;
        }
        SentHeaders sent = SentHeaders.of(exchange);
        return sent == null || !sent.isUntouched(name, value);
    }

    private static <T extends Number> T number(Exchange exchange, String header, Class<T> type) {
        Object value = exchange.getMessage().getHeader(header);
        if (value == null) {
            return null;
        }
        try {
            T number = exchange.getContext().getTypeConverter().tryConvertTo(type, exchange, value);
            if (number != null) {
                return number;
            }
        } catch (TypeConversionException | NumberFormatException e) {
            // said below without the content
        }
        throw new IllegalArgumentException(
                "the header " + header + " is no number; set a number in the route");
    }
}
