package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("messages out of order across the sides")
class ReorderingsTest {

    private final Reorderings reorderings = new Reorderings();

    private int handOut(boolean isB, String key, long timestamp) {
        byte[] bytes = Fixtures.bytes(key);
        return reorderings.handedOut(
                isB,
                List.of(
                        new ConsumerRecord<>(
                                "t",
                                0,
                                0,
                                timestamp,
                                TimestampType.CREATE_TIME,
                                0,
                                0,
                                bytes,
                                bytes,
                                new RecordHeaders(),
                                Optional.empty())));
    }

    @Test
    @Tag("case-H2")
    @DisplayName("older than a message of its key from the other side: counted, each")
    void counts() {
        assertThat(handOut(true, "k", 51)).isZero();
        assertThat(handOut(false, "k", 21)).isOne();
        assertThat(handOut(false, "k", 22)).isOne();
        assertThat(handOut(false, "k", 52)).isZero();
        assertThat(handOut(true, "k", 51)).isOne();
    }

    @Test
    @DisplayName("other keys, the same side, the same time and messages without a key are in order")
    void inOrder() {
        handOut(true, "k", 51);
        assertThat(handOut(false, "other", 21)).isZero();
        assertThat(handOut(true, "k", 21)).isZero();
        assertThat(handOut(false, "k", 51)).isZero();
        handOut(true, null, 51);
        assertThat(handOut(false, null, 21)).isZero();
    }

    @Test
    @DisplayName("more keys than it remembers: fewer are counted, never one too many")
    void manyKeys() {
        int keys = 10 * Reorderings.KEYS;
        for (int key = 0; key < keys; key++) {
            handOut(true, "key-" + key, 51);
        }
        int counted = 0;
        for (int key = 0; key < keys; key++) {
            counted += handOut(false, "key-" + key, 50);
        }
        assertThat(counted).isPositive().isLessThanOrEqualTo(Reorderings.KEYS);
        for (int key = 0; key < keys; key++) {
            assertThat(handOut(false, "key-" + key, 52)).isZero();
        }
    }
}
