package dev.streamconnect.camel;

import dev.streamconnect.engine.SendResult;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.Message;

/**
 * The headers that say where a record was stored. They are remembered, so that a second producer
 * further down the route does not take them for the user's wish.
 */
public final class SentHeaders {

    private static final String PROPERTY = "CamelStreamConnectSent";

    private final Map<String, Object> values;

    private SentHeaders(Map<String, Object> values) {
        this.values = values;
    }

    static SentHeaders of(Exchange exchange) {
        return exchange.getProperty(PROPERTY, SentHeaders.class);
    }

    /** Sets them on the message. */
    public static void set(Exchange exchange, HeaderNames names, SendResult result) {
        SentHeaders sent =
                new SentHeaders(
                        Map.of(
                                names.topic(), result.topic(),
                                names.partition(), result.partition(),
                                names.offset(), result.offset(),
                                names.timestamp(), result.timestamp()));
        Message message = exchange.getMessage();
        sent.values.forEach(message::setHeader);
        exchange.setProperty(PROPERTY, sent);
    }

    /** Sets or removes the header that says that a message is kept as undelivered. */
    public static void setUndelivered(Exchange exchange, HeaderNames names, SendResult result) {
        if (result != null && result.undelivered() != null) {
            exchange.getMessage().setHeader(names.undelivered(), result.undelivered());
        } else {
            exchange.getMessage().removeHeader(names.undelivered());
        }
    }

    boolean isUntouched(String name, Object value) {
        return values.get(name) == value;
    }
}
