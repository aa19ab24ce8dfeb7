package dev.streamconnect.quickstart;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Random;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Makes messages of the kinds that a copy gets wrong most easily: tombstones and empty values,
 * binary values, null and binary keys, repeated headers, headers without value or with the names of
 * control headers, old timestamps. Not thread-safe.
 */
final class MessageMaker {

    private static final int KEYS = 500;
    private static final int LARGEST_VALUE = 900;
    private static final int TOO_LARGE = 1_500_000;
    private static final int OLDEST_MILLIS = 3_600_000;

    private final Random random = new Random();
    private final Clock clock;

    MessageMaker(Clock clock) {
        this.clock = clock;
    }

    /** The message of that id; whether it is to arrive is for {@link #wanted}. */
    ProducerRecord<byte[], byte[]> make(Flow flow, MessageId id) {
        int kind = random.nextInt(100);
        long age = kind < 10 ? random.nextInt(OLDEST_MILLIS) : 0;
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(
                        flow.source(), null, clock.millis() - age, key(flow), value(flow, id));
        message.headers().add(MessageId.HEADER, id.bytes());
        if (flow.kind() == Flow.Kind.CRITICAL) {
            message.headers().add("severity", text(kind < 25 ? "critical" : "info"));
        }
        if (kind % 4 == 0) {
            message.headers().add("trace", text("a" + kind)).add("plant", text("north"));
            message.headers().add("trace", text("b")).add("nothing", null);
        }
        if (kind % 10 == 0) {
            message.headers().add("CamelHermesTopic", text("elsewhere")).add("empty", new byte[0]);
            message.headers().add("Binary-Ø", random(16));
        }
        return message;
    }

    /** A message that the topic of Hermes refuses for now. */
    ProducerRecord<byte[], byte[]> makeRefused(Flow flow, MessageId id) {
        ProducerRecord<byte[], byte[]> message = make(flow, id);
        boolean tooLarge = flow.kind() == Flow.Kind.LIMITED;
        return new ProducerRecord<>(
                message.topic(),
                null,
                message.timestamp(),
                tooLarge ? message.key() : null,
                tooLarge ? random(TOO_LARGE) : message.value(),
                message.headers());
    }

    /** Whether a message is to arrive at Hermes, told from the message alone. */
    static boolean wanted(Flow flow, ProducerRecord<byte[], byte[]> message) {
        return flow.kind() != Flow.Kind.CRITICAL
                || new String(
                                message.headers().lastHeader("severity").value(),
                                StandardCharsets.UTF_8)
                        .equals("critical");
    }

    private byte[] key(Flow flow) {
        int kind = flow.kind() == Flow.Kind.COMPACTED ? 100 : random.nextInt(100);
        if (kind < 5) {
            return null;
        }
        return kind < 10 ? random(8) : text("key-" + random.nextInt(KEYS));
    }

    private byte[] value(Flow flow, MessageId id) {
        int kind = random.nextInt(100);
        if (kind < 2) {
            return null;
        }
        if (kind < 4) {
            return new byte[0];
        }
        if (kind < 20) {
            return random(1 + random.nextInt(LARGEST_VALUE));
        }
        return text(
                "{\"topic\":\"%s\",\"number\":%d,\"note\":\"%s\"}"
                        .formatted(flow.name(), id.sequence(), "x".repeat(random.nextInt(300))));
    }

    private byte[] random(int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
