package dev.streamconnect.camel;

import java.util.Arrays;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** The record headers an exchange began with, and whether a message header still is one of them. */
interface SourceHeaders {

    /** The record headers in order. */
    Iterable<Header> raw();

    /** Whether the message header's value is what the record brought under that name. */
    boolean isUntouched(String name, Object value);

    /** Whether the record has a header of that name, ignoring case. */
    boolean has(String name);

    /** Those of an exchange: of our consumer, of a camel-kafka consumer, or none. */
    static SourceHeaders of(Exchange exchange, CamelKafkaHeaders kafka) {
        SourceMessage source = SourceMessage.of(exchange);
        if (source != null && source.record() != null) {
            return new Ours(source);
        }
        Message message = exchange.getMessage();
        Object consumed = kafka.headers() == null ? null : message.getHeader(kafka.headers());
        return new CamelKafkas(
                consumed instanceof Headers headers ? headers : new RecordHeaders(),
                SourceMessage.headersMap(exchange));
    }

    /** Of {@code hermes:} or {@code replication:}. */
    record Ours(SourceMessage source) implements SourceHeaders {

        @Override
        public Iterable<Header> raw() {
            return source.record().headers();
        }

        @Override
        public boolean isUntouched(String name, Object value) {
            return source.isUntouched(name, value);
        }

        @Override
        public boolean has(String name) {
            return source.showed(name);
        }
    }

    /** Of {@code kafka:}, which shows the last header of a name by its bytes. */
    final class CamelKafkas implements SourceHeaders {

        private final Headers headers;
        private final Map<String, Object> last;

        CamelKafkas(Headers headers, Map<String, Object> last) {
            this.headers = headers;
            this.last = last;
            headers.forEach(header -> last.put(header.key(), header.value()));
        }

        @Override
        public Iterable<Header> raw() {
            return headers;
        }

        @Override
        public boolean isUntouched(String name, Object value) {
            return last.containsKey(name)
                    && (value == null
                            ? last.get(name) == null
                            : Arrays.equals((byte[]) last.get(name), RecordBytes.header(value)));
        }

        @Override
        public boolean has(String name) {
            return last.containsKey(name);
        }
    }
}
