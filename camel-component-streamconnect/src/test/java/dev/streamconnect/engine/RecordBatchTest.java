package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.bytes;
import static dev.streamconnect.engine.Fixtures.polled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RecordBatchTest {

    private final RecordBatch batch = new RecordBatch("orders", 2, polled(1, 6));

    @Test
    @DisplayName("a filter keeps the order and the very records")
    void filter() {
        RecordBatch odd = batch.filter(record -> record.offset() % 2 == 1);
        assertThat(odd.records()).extracting(ConsumerRecord::offset).containsExactly(1L, 3L, 5L);
        assertThat(odd.records().get(0)).isSameAs(batch.records().get(0));
        assertThat(batch.size()).isEqualTo(5);
        assertThat(batch.filter(record -> false).size()).isZero();
    }

    @Test
    @DisplayName("a map keeps the order and leaves the batch as it was")
    void map() {
        RecordBatch mapped = batch.map(record -> polled(record.offset(), null, bytes("new")));
        assertThat(mapped.records())
                .extracting(ConsumerRecord::offset)
                .containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(mapped.records().get(4).value()).isEqualTo(bytes("new"));
        assertThat(batch.records().get(4).value()).isEqualTo(bytes("5"));
    }

    @Test
    @DisplayName("nobody changes its list")
    void unmodifiable() {
        assertThatThrownBy(() -> batch.records().remove(0))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    @Tag("case-R6")
    @DisplayName("its bytes are those of its records, headers included")
    void size() {
        assertThat(batch.bytes()).isEqualTo(5 * (2 + 1));
        batch.records().get(0).headers().add("h", bytes("hh"));
        assertThat(batch.bytes()).isEqualTo(5 * (2 + 1) + 1 + 2);
    }

    @Test
    @DisplayName("its text shows no content")
    void text() {
        RecordBatch secret =
                new RecordBatch(
                        "t", 0, java.util.List.of(polled(1, bytes("k3y"), bytes("s3cret"))));
        assertThat(secret.toString()).isEqualTo("RecordBatch[t-0, 1 records]");
    }
}
