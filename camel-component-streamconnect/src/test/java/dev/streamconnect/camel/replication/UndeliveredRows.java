package dev.streamconnect.camel.replication;

import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.StoredHeader;
import dev.streamconnect.spi.TopicPair;
import dev.streamconnect.spi.UndeliveredMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Messages to store that wait for an hour. */
final class UndeliveredRows {

    static final String SECRET = "secret-of-a-customer";

    private final Instant now;
    private long offset;

    UndeliveredRows(Instant now) {
        this.now = now;
    }

    List<UndeliveredMessage> of(String link, Reason reason, int count) {
        List<UndeliveredMessage> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] key = ("k" + offset).getBytes(StandardCharsets.UTF_8);
            byte[] value = (SECRET + offset).getBytes(StandardCharsets.UTF_8);
            messages.add(message(link, reason, key, value));
        }
        return messages;
    }

    UndeliveredMessage message(
            String link, Reason reason, byte[] key, byte[] value, StoredHeader... headers) {
        String topic = link.replace("-to-sn", "");
        return new UndeliveredMessage(
                new MessageOrigin(link, "", 3),
                Stage.DESTINATION,
                "t1",
                1,
                offset++,
                0,
                new TopicPair(topic, "snc.acme." + topic),
                UndeliveredMessage.SOURCE_PARTITION,
                key,
                value,
                List.of(headers),
                1_000,
                reason,
                "AnException",
                "an answer",
                1,
                now,
                now.plusSeconds(3600));
    }
}
