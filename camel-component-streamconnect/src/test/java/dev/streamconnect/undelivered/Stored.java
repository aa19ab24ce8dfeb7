package dev.streamconnect.undelivered;

import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.StoredHeader;
import dev.streamconnect.spi.TopicPair;
import dev.streamconnect.spi.UndeliveredMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** Messages to store; each setter gives a changed copy. */
final class Stored {

    static final MessageOrigin ORIGIN = new MessageOrigin("orders-to-sn", "A", 3);
    static final TopicPair TOPICS = new TopicPair("orders", "snc.acme.orders");
    static final Instant NOW = Instant.parse("2026-05-06T07:08:09.123456Z");

    private MessageOrigin origin = ORIGIN;
    private TopicPair topics = TOPICS;
    private Stage stage = Stage.DESTINATION;
    private String topicId = "t1";
    private int epoch = 1;
    private long offset;
    private int occurrence;
    private Integer partition;
    private byte[] key = bytes("k");
    private byte[] value = bytes("v");
    private List<StoredHeader> headers = List.of();
    private long timestamp = 1_000;
    private Reason reason = Reason.SIZE;
    private String errorText = "too large";
    private Instant at = NOW;
    private Instant nextAttempt = NOW;

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Stored at(long offset) {
        Stored stored = new Stored();
        stored.offset = offset;
        return stored;
    }

    static Stored direct(String topic) {
        Stored stored = at(-1).topicId("").epoch(0);
        stored.origin = MessageOrigin.direct(topic);
        stored.topics = TopicPair.direct(topic);
        return stored;
    }

    Stored origin(MessageOrigin origin) {
        this.origin = origin;
        return this;
    }

    Stored topics(TopicPair topics) {
        this.topics = topics;
        return this;
    }

    Stored stage(Stage stage) {
        this.stage = stage;
        return this;
    }

    Stored topicId(String topicId) {
        this.topicId = topicId;
        return this;
    }

    Stored epoch(int epoch) {
        this.epoch = epoch;
        return this;
    }

    Stored occurrence(int occurrence) {
        this.occurrence = occurrence;
        return this;
    }

    Stored partition(Integer partition) {
        this.partition = partition;
        return this;
    }

    Stored key(String key) {
        return key(key == null ? null : bytes(key));
    }

    Stored key(byte[] key) {
        this.key = key;
        return this;
    }

    Stored value(String value) {
        return value(value == null ? null : bytes(value));
    }

    Stored value(byte[] value) {
        this.value = value;
        return this;
    }

    Stored headers(StoredHeader... headers) {
        this.headers = List.of(headers);
        return this;
    }

    Stored timestamp(long timestamp) {
        this.timestamp = timestamp;
        return this;
    }

    Stored reason(Reason reason) {
        this.reason = reason;
        return this;
    }

    Stored errorText(String errorText) {
        this.errorText = errorText;
        return this;
    }

    Stored storedAt(Instant at) {
        this.at = at;
        return this;
    }

    Stored due(Instant nextAttempt) {
        this.nextAttempt = nextAttempt;
        return this;
    }

    UndeliveredMessage message() {
        return new UndeliveredMessage(
                origin,
                stage,
                topicId,
                epoch,
                offset,
                occurrence,
                topics,
                partition,
                key,
                value,
                headers,
                timestamp,
                reason,
                "RecordTooLargeException",
                errorText,
                1,
                at,
                nextAttempt);
    }
}
