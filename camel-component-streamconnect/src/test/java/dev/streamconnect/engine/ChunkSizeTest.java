package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.MemoryRecordsBuilder;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A chunk")
class ChunkSizeTest {

    private static final int BATCH = 64 * 1024;

    private final Random random = new Random(7);

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "lz4"})
    @DisplayName("fits into one batch of Kafka's, and fills most of it")
    void fits(String codec) {
        Compression compression = Compression.of(CompressionType.forName(codec)).build();
        ChunkSize chunk = ChunkSize.ofBatch(BATCH, !codec.equals("none"));
        for (int round = 0; round < 50; round++) {
            MemoryRecordsBuilder batch =
                    MemoryRecords.builder(
                            ByteBuffer.allocate(BATCH), compression, TimestampType.CREATE_TIME, 0L);
            int most = 1 + random.nextInt(3_000);
            int filled = 0;
            while (true) {
                byte[] key = random.nextBoolean() ? null : bytes(random.nextInt(300));
                byte[] value = bytes(random.nextInt(most));
                Header[] headers = headers();
                int needed = ChunkSize.of(key, value, headers);
                if (chunk.isFull(filled, needed)) {
                    break;
                }
                // Timestamps far from each other take most bytes.
                long timestamp = random.nextLong(Long.MAX_VALUE / 2);
                assertThat(
                                batch.hasRoomFor(
                                        timestamp,
                                        key == null ? null : ByteBuffer.wrap(key),
                                        ByteBuffer.wrap(value),
                                        headers))
                        .as("%s bytes of %s", filled + needed, chunk.bytes())
                        .isTrue();
                batch.append(timestamp, key, value, headers);
                filled += needed;
            }
            batch.close();
            assertThat(filled + most + 400).isGreaterThan(chunk.bytes());
        }
        assertThat(chunk.bytes()).isGreaterThan((int) (BATCH * 0.92));
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private Header[] headers() {
        Header[] headers = new Header[random.nextInt(4)];
        for (int i = 0; i < headers.length; i++) {
            headers[i] =
                    new RecordHeader(
                            "h" + i, random.nextBoolean() ? null : bytes(random.nextInt(20)));
        }
        return headers;
    }

    @Test
    @DisplayName("is what polled records are cut into, as many whole ones as there are")
    void cuts() {
        ChunkSize chunk = new ChunkSize(150_000, 0);
        // Of each chunk 4 are in, of a cut three chunks.
        int needed = ChunkSize.of(null, new byte[32_000], new Header[0]);

        assertThat(sizes(polled(65), Integer.MAX_VALUE, chunk)).startsWith(12, 12);
        assertThat(sizes(polled(14), Integer.MAX_VALUE, chunk)).containsExactly(12, 2);
        assertThat(sizes(polled(7), Integer.MAX_VALUE, chunk)).containsExactly(4, 3);
        assertThat(sizes(polled(40), 10, chunk)).startsWith(8, 8);
        assertThat(sizes(polled(8), 3, chunk)).containsExactly(3, 3, 2);
        assertThat(sizes(polled(3), 1, chunk)).containsExactly(1, 1, 1);
        assertThat(sizes(polled(3), Integer.MAX_VALUE, new ChunkSize(1_000, 0)))
                .containsExactly(2, 1);
        assertThat(sizes(polled(14), Integer.MAX_VALUE, chunk.with(150_000 / 3 - needed)))
                .containsExactly(9, 3, 2);
    }

    private static PolledRecords polled(int count) {
        PolledRecords polled = new PolledRecords();
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(
                    new ConsumerRecord<>(
                            "t",
                            0,
                            i,
                            i,
                            TimestampType.CREATE_TIME,
                            -1,
                            32_000,
                            null,
                            new byte[32_000],
                            new RecordHeaders(),
                            java.util.Optional.empty()));
        }
        polled.add(records, PolledRecords.sizes(records));
        return polled;
    }

    private static List<Integer> sizes(PolledRecords polled, int most, ChunkSize chunk) {
        List<Integer> sizes = new ArrayList<>();
        long next = 0;
        while (!polled.isEmpty()) {
            List<ConsumerRecord<byte[], byte[]>> cut =
                    polled.cut(most, Long.MAX_VALUE, chunk).records();
            assertThat(cut.get(0).offset()).isEqualTo(next);
            next += cut.size();
            sizes.add(cut.size());
        }
        return sizes;
    }
}
