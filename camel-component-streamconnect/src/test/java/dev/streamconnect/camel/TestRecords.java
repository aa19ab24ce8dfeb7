package dev.streamconnect.camel;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Records as a poll brings them. */
public final class TestRecords {

    private TestRecords() {}

    public static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    /** A record with headers given as name, value, name, value. */
    public static ConsumerRecord<byte[], byte[]> record(
            long offset, String key, String value, String... headers) {
        RecordHeaders all = new RecordHeaders();
        for (int i = 0; i < headers.length; i += 2) {
            all.add(headers[i], bytes(headers[i + 1]));
        }
        return new ConsumerRecord<>(
                "source",
                2,
                offset,
                1_000_000_000_000L,
                TimestampType.CREATE_TIME,
                key == null ? -1 : key.length(),
                value == null ? -1 : value.length(),
                bytes(key),
                bytes(value),
                all,
                Optional.empty());
    }

    /** Headers as {@code name=value}, in order. */
    public static List<String> shown(Iterable<Header> headers) {
        List<String> all = new ArrayList<>();
        for (Header header : headers) {
            all.add(
                    header.key()
                            + "="
                            + (header.value() == null
                                    ? null
                                    : new String(header.value(), StandardCharsets.UTF_8)));
        }
        return all;
    }
}
