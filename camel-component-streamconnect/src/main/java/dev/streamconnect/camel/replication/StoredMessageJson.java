package dev.streamconnect.camel.replication;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.streamconnect.spi.StoredHeader;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.UndeliveredMessage;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A row of the undelivered store as JSON. Bytes are an object with {@code base64}, and {@code text}
 * where they are valid UTF-8; null where there are none.
 */
final class StoredMessageJson {

    private StoredMessageJson() {}

    static ObjectNode of(StoredMessage row, boolean payload) {
        UndeliveredMessage message = row.message();
        ObjectNode json =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("row", row.id())
                        .put("id", message.origin().link())
                        .put("state", row.state().name())
                        .put("reason", message.reason().name())
                        .put("errorClass", message.errorClass())
                        .put("errorText", message.errorText())
                        .put("attempts", message.attempts())
                        .put("storedAt", message.at().toString())
                        .put("lastAttempt", text(row.lastAttempt()))
                        .put("nextAttempt", message.nextAttempt().toString())
                        .put("stage", message.stage().name())
                        .put("side", message.origin().side())
                        .put("partition", message.origin().partition())
                        .put("offset", message.offset())
                        .put("occurrence", message.occurrence())
                        .put("topicId", message.topicId())
                        .put("source", message.topics().source())
                        .put("destination", message.destination())
                        .put("destinationPartition", message.partition())
                        .put("timestamp", message.timestamp())
                        .put("bytes", row.bytes())
                        .put("hasKey", row.hasKey());
        if (payload) {
            json.set("key", bytes(message.key()));
            json.set("value", bytes(message.value()));
            ArrayNode headers = json.putArray("headers");
            for (StoredHeader header : message.headers()) {
                ObjectNode one = headers.addObject().put("name", header.name());
                one.set("value", bytes(header.value()));
            }
        }
        return json;
    }

    private static String text(Object value) {
        return value == null ? null : value.toString();
    }

    private static JsonNode bytes(byte[] bytes) {
        if (bytes == null) {
            return JsonNodeFactory.instance.nullNode();
        }
        ObjectNode json =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("base64", Base64.getEncoder().encodeToString(bytes));
        try {
            json.put(
                    "text",
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            // Not text: base64 alone tells it.
        }
        return json;
    }
}
