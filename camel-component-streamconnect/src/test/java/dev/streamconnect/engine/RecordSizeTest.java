package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.DefaultRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RecordSizeTest {

    @Test
    @Tag("case-R6")
    @DisplayName("bytes are key, value, header names and header values: 3 + 5 + 1 + 2 = 11")
    void defined() {
        Headers headers = new RecordHeaders().add("h", new byte[2]);
        assertThat(RecordSize.of(new byte[3], new byte[5], headers)).isEqualTo(11);
    }

    @Test
    @DisplayName("what is null counts nothing, names count as UTF-8")
    void edges() {
        assertThat(RecordSize.of(null, null, new RecordHeaders())).isZero();
        Headers headers = new RecordHeaders().add("naïve", null).add("", bytes("x"));
        assertThat(RecordSize.of(null, null, headers)).isEqualTo(6 + 1);
    }

    @Test
    @DisplayName("the overhead is an upper bound of what the format adds")
    void overhead() {
        for (int count : new int[] {0, 1, 200}) {
            RecordHeaders headers = new RecordHeaders();
            for (int i = 0; i < count; i++) {
                headers.add("header-" + i, new byte[300]);
            }
            byte[] key = new byte[70_000];
            byte[] value = new byte[3_000_000];
            int stored =
                    DefaultRecord.sizeInBytes(
                            Integer.MAX_VALUE,
                            Long.MAX_VALUE,
                            ByteBuffer.wrap(key),
                            ByteBuffer.wrap(value),
                            headers.toArray());
            assertThat(ChunkSize.of(key, value, headers.toArray())).isGreaterThanOrEqualTo(stored);
        }
    }
}
